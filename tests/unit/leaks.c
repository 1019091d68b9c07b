/* Compares the leaks of small graphs with a search over all sets of clients. */
#include "planner/joint/leaks.h"

#include "check.h"
#include "instances.h"

#define CLIENTS 10
#define GROUPS  6

/* The clients that are connected with the first of those left. */
static uint32_t connected(const uint32_t *y, const uint32_t *x, uint32_t n, uint32_t left)
{
    uint32_t met = left & -left, before;

    do {
        before = met;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (met >> i & left >> j & 1 && (y[i] == y[j] || x[i] == x[j]))
                    met |= 1U << j;
    } while (met != before);
    return met;
}

static bool learns(const uint32_t *y, const uint32_t *x, uint32_t n, uint32_t gone)
{
    uint32_t left = ((1U << n) - 1) & ~gone;

    return connected(y, x, n, left) != left;
}

/* The clients in removed learn too much, and part is what they separate. */
static void check_picked(struct leaks *l, const uint32_t *y, const uint32_t *x)
{
    uint8_t part[CLIENTS];
    uint32_t gone = 0, first = 0, n_parts[3] = { 0 };

    for (uint32_t k = 0; k < l->n_removed; k++)
        gone |= 1U << l->removed[k];
    CHECK(l->n_removed <= l->z);
    CHECK(learns(y, x, l->n_clients, gone));
    leaks_divide(l, part);
    for (uint32_t i = 0; i < l->n_clients; i++) {
        n_parts[part[i]]++;
        first |= (uint32_t)(part[i] == 0) << i;
        CHECK((part[i] == 2) == (gone >> i & 1));
    }
    CHECK(n_parts[0] > 0);
    CHECK(n_parts[1] > 0);
    CHECK(connected(y, x, l->n_clients, ((1U << l->n_clients) - 1) & ~gone) == first);
}

static void test_all_sets(void)
{
    unsigned n_private = 0, n_leaking = 0;

    for (unsigned trial = 0; trial < 2000; trial++) {
        uint32_t y[CLIENTS], x[CLIENTS];
        struct effort e = { .random = trial };
        struct hagg_err err;
        struct leaks l;
        bool any = false;

        instances_seed(trial + 1);
        uint32_t n = 2 + instances_random(CLIENTS - 1), groups = 1 + instances_random(GROUPS);
        uint32_t z = instances_random(n - 1 < 4 ? n - 1 : 4);
        for (uint32_t i = 0; i < n; i++) {
            y[i] = instances_random(groups);
            x[i] = instances_random(1 + instances_random(groups));
        }
        for (uint32_t gone = 0; gone < 1U << n; gone++)
            any |= (uint32_t)__builtin_popcount(gone) <= z && learns(y, x, n, gone);
        if (!CHECK(leaks_new(&l, n, z, y, x, GROUPS, &err) == 0))
            continue;
        uint64_t count = leaks_count(&l, UINT64_MAX - 1, &e);
        CHECK((count > 0) == any);
        CHECK(leaks_count(&l, 0, NULL) <= count);
        if (count > 0)
            check_picked(&l, y, x);
        n_private += !any;
        n_leaking += any;
        leaks_free(&l);
    }
    CHECK(n_private > 200);
    CHECK(n_leaking > 200);
}

int main(void)
{
    test_all_sets();
    return check_end();
}
