#include "cost/packing/packing.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"

/* The sets are m consecutive nodes of a circle. By symmetry all x are 1 / (m - z). */
struct circle {
    struct topology_list *lists;
    const struct topology_list **sets;
    struct packing packing;
};

static struct circle circle_new(uint32_t n_nodes, uint32_t m, uint32_t z)
{
    struct circle c = {
        .lists = calloc(n_nodes, sizeof *c.lists),
        .sets = calloc(n_nodes, sizeof *c.sets),
    };

    for (uint32_t i = 0; i < n_nodes; i++) {
        c.lists[i] = (struct topology_list){ calloc(m, sizeof *c.lists[i].numbers), m };
        for (uint32_t j = 0; j < m; j++)
            c.lists[i].numbers[j] = (i + j) % n_nodes + 1;
        c.sets[i] = &c.lists[i];
    }
    c.packing = (struct packing){ .sets = c.sets, .n_sets = n_nodes, .n_nodes = n_nodes, .z = z };
    return c;
}

static void circle_free(struct circle *c)
{
    for (size_t i = 0; i < c->packing.n_sets; i++)
        free(c->lists[i].numbers);
    free(c->lists);
    free(c->sets);
}

/* Checks that the optimum num / den is between the two bounds, which differ by at most a factor of
 * 1 + 1 / slack; with slack 0 they must be equal. */
static void is_between(const struct packing *p, unsigned long num, unsigned long den,
                       unsigned long slack)
{
    struct hagg_err err = { 0 };
    mpq_t low, high, want, most;

    mpq_inits(low, high, want, most, NULL);
    mpq_set_ui(want, num, den);
    mpq_canonicalize(want);
    CHECK(packing_solve(low, high, p, &err) == 0);
    CHECK(mpq_cmp(low, want) <= 0 && mpq_cmp(want, high) <= 0);
    if (slack == 0)
        CHECK(mpq_equal(low, high));
    else {
        mpq_set_ui(most, slack + 1, slack);
        mpq_mul(most, most, low);
        CHECK(mpq_cmp(high, most) <= 0);
    }
    mpq_clears(low, high, want, most, NULL);
}

static void circles(void)
{
    static const struct {
        uint32_t n, m, z, slack;
    } cases[] = {
        { 7, 3, 1, 0 },    { 7, 3, 0, 0 },    { 12, 7, 3, 0 },
        { 101, 10, 3, 0 }, { 300, 11, 2, 0 }, { 5000, 9, 2, 2 }, /* too large for a basis */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct circle c = circle_new(cases[i].n, cases[i].m, cases[i].z);

        is_between(&c.packing, cases[i].n, cases[i].m - cases[i].z, cases[i].slack);
        circle_free(&c);
    }
}

#define LIST(...)                                                                                  \
    {                                                                                              \
        (uint32_t[]){ __VA_ARGS__ }, sizeof(uint32_t[]){ __VA_ARGS__ } / sizeof(uint32_t)          \
    }

/* The example of the paper: stations 1, 2 and 5 are 1 each, because of client 6, and 3 and 4
 * together, because of client 4. */
static void known_answers(void)
{
    const struct topology_list lists[] = { LIST(1, 2, 5), LIST(1, 2, 3, 5), LIST(2, 3, 4, 5),
                                           LIST(1, 2, 4, 5), LIST(1, 2, 3, 4, 5) };
    const struct topology_list *const sets[] = { &lists[0], &lists[1], &lists[2], &lists[3],
                                                 &lists[4] };
    struct packing p = { .sets = sets, .n_sets = 5, .n_nodes = 5, .z = 2 };

    is_between(&p, 4, 1, 0);
    p.z = 0;
    is_between(&p, 1, 1, 0);
    /* sets of at most z members do not count */
    p.z = 4;
    is_between(&p, 5, 1, 0);
    p.z = 5;
    is_between(&p, 0, 1, 0);
}

/* Of the whole sum of some sets nothing is left out, so they count however small they are. Station
 * 4 is 1 because of its own set, which also satisfies that of client 4; 1, 2 and 5 as above, or
 * with client 6 among the whole ones 1 together. */
static void whole_sets(void)
{
    const struct topology_list lists[] = { LIST(4), LIST(1, 2, 5), LIST(1, 2, 3, 5),
                                           LIST(2, 3, 4, 5) };
    const struct topology_list *const sets[] = { &lists[0], &lists[1], &lists[2], &lists[3] };
    bool whole[] = { true, false, false, false };
    struct packing p = { .sets = sets, .n_sets = 4, .n_nodes = 5, .z = 2, .whole = whole };

    is_between(&p, 4, 1, 0);
    whole[1] = whole[2] = whole[3] = true;
    is_between(&p, 2, 1, 0);
    whole[3] = false;
    /* 4 is 1, and two of 2, 3 and 5 together: 2, 3 and 5 are 1/2 each, or 2 and 5 are 1 */
    is_between(&p, 5, 2, 0);
}

static void fails_cleanly_without_memory(void)
{
    struct circle c = circle_new(11, 6, 2);
    struct hagg_err err = { 0 };
    unsigned long n = 0;
    mpq_t low, high;

    mpq_inits(low, high, NULL);
    alloc_watch();
    for (;; n++) {
        int status;

        err = (struct hagg_err){ 0 };
        alloc_refuse(n);
        status = packing_solve(low, high, &c.packing, &err);
        if (!alloc_refused())
            break;
        CHECK(status == -1 && err.status == HAGG_E_SYSTEM);
    }
    alloc_watch();
    CHECK(n > 20);
    mpq_clears(low, high, NULL);
    circle_free(&c);
}

int main(void)
{
    known_answers();
    whole_sets();
    circles();
    fails_cleanly_without_memory();
    return check_end();
}
