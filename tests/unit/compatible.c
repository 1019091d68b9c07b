/* Compares compatible_separated with a search over all sets of clients. */
#include "planner/joint/compatible.h"

#include "check.h"
#include "instances.h"

static bool are_compatible(const struct instance *in, uint32_t i, uint32_t j)
{
    uint64_t set;

    return !isinf(in->rate[set_intersect(&set, instance_reach(in, in->reach_class[i]),
                                         instance_reach(in, in->reach_class[j]), 1)]);
}

/* True if the clients that are not in the cut are not all connected. */
static bool is_separated(const struct instance *in, uint32_t cut)
{
    uint32_t left = ((1U << in->n_clients) - 1) & ~cut, met = left & -left, before;

    do {
        before = met;
        for (uint32_t i = 0; i < in->n_clients; i++)
            for (uint32_t j = 0; j < in->n_clients; j++)
                if (met >> i & left >> j & 1 && are_compatible(in, i, j))
                    met |= 1U << j;
    } while (met != before);
    return met != left;
}

static void check_cut(const struct instance *in, const struct compatible_cut *cut, uint32_t z)
{
    uint32_t gone = 0;

    for (uint32_t i = 0; i < in->n_clients; i++)
        for (size_t k = 0; k < cut->n_reach_classes; k++)
            if (in->reach_class[i] == cut->reach_classes[k])
                gone |= 1U << i;
    CHECK((uint32_t)__builtin_popcount(gone) <= z);
    CHECK(is_separated(in, gone));
}

static void test_all_cuts(void)
{
    unsigned n_parted = 0, n_whole = 0;

    for (unsigned trial = 0; trial < 1500; trial++) {
        struct compatible c;
        struct compatible_cut cut;
        struct hagg_err err;

        instances_seed(trial + 1);
        uint32_t n = 2 + instances_random(8), z = instances_random(4);
        struct instance in = instances_uniform(n, 4 + instances_random(5), 55, 2, 1, z);
        bool parted = false;
        for (uint32_t gone = 0; gone < 1U << n; gone++)
            parted |= (uint32_t)__builtin_popcount(gone) <= z && is_separated(&in, gone);
        if (!CHECK(compatible_new(&c, &in, &err) == 0))
            continue;
        CHECK(compatible_separated(&c, z, &cut, &err) == parted);
        if (parted)
            check_cut(&in, &cut, z);
        n_parted += parted;
        n_whole += !parted;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t degree = 0;

            for (uint32_t j = 0; j < n; j++)
                degree += j != i && are_compatible(&in, i, j);
            CHECK(c.degree[in.reach_class[i]] == degree);
        }
        compatible_cut_free(&cut);
        compatible_free(&c);
        instance_free(&in);
    }
    CHECK(n_parted > 100);
    CHECK(n_whole > 100);
}

int main(void)
{
    test_all_cuts();
    return check_end();
}
