/* Compares the incremental privacy check after moving one client with a check of the whole
 * graph. */
#include "planner/joint/linkage.h"

#include <stdlib.h>

#include "check.h"
#include "instances.h"

#define GROUPS  5
#define CLIENTS 14

static int is_private(const struct collusion_edge *edges, uint32_t n, uint32_t z,
                      enum collusion_condition condition)
{
    struct hagg_err err;

    return collusion_private(edges, n, GROUPS, GROUPS, z, condition, NULL, &err);
}

static uint32_t vertex(unsigned side, uint32_t group)
{
    return group * 2 + side;
}

static uint32_t *end_of(struct collusion_edge *edge, unsigned side)
{
    return side ? &edge->x : &edge->y;
}

/* Single moves in private graphs must be reported as private exactly if they are. */
static void test_moves(void)
{
    unsigned n_moves = 0, n_private = 0;

    for (unsigned trial = 0; trial < 6000; trial++) {
        struct collusion_edge edges[CLIENTS];
        struct linkage l;

        instances_seed(trial + 1);
        uint32_t n = 3 + instances_random(CLIENTS - 2), z = instances_random(4);
        uint32_t n_groups = 1 + instances_random(GROUPS);
        enum collusion_condition condition = instances_random(2);
        for (uint32_t i = 0; i < n; i++)
            edges[i] =
                (struct collusion_edge){ instances_random(n_groups), instances_random(n_groups) };
        if (is_private(edges, n, z, condition) != 1)
            continue;
        if (linkage_new(&l, 2 * GROUPS, n))
            abort();
        for (uint32_t i = 0; i < n; i++)
            linkage_add(&l, vertex(0, edges[i].y), vertex(1, edges[i].x));
        for (unsigned step = 0; step < 40; step++) {
            uint32_t i = instances_random(n), to = instances_random(n_groups);
            unsigned side = instances_random(2);
            uint32_t *end = end_of(&edges[i], side), from = *end;
            uint32_t other = vertex(!side, *end_of(&edges[i], !side));

            /* under the paper's condition a new group with one client is never private */
            if (to == from || (condition == COLLUSION_PAPER && l.degree[vertex(side, to)] == 0))
                continue;
            linkage_add(&l, other, vertex(side, to));
            linkage_remove(&l, other, vertex(side, from));
            *end = to;
            bool private = linkage_still_private(&l, other, vertex(side, from), z, condition);
            CHECK(private == (is_private(edges, n, z, condition) == 1));
            n_moves++;
            n_private += private;
            if (private)
                continue;
            linkage_add(&l, other, vertex(side, from));
            linkage_remove(&l, other, vertex(side, to));
            *end = from;
        }
        linkage_free(&l);
    }
    CHECK(n_private > 1000);
    CHECK(n_moves - n_private > 1000);
}

/* Two groups linked by few clients, and a path through a third group. */
static void test_min_cut(void)
{
    struct linkage l;
    const uint32_t a[1] = { 0 }, b[1] = { 1 }, c[2] = { 0, 3 }, d[1] = { 2 };

    if (linkage_new(&l, 4, 8))
        abort();
    linkage_add(&l, 0, 1);
    linkage_add(&l, 0, 1);
    CHECK(linkage_min_cut_at_least(&l, a, 1, b, 1, 2));
    CHECK(!linkage_min_cut_at_least(&l, a, 1, b, 1, 3));
    linkage_add(&l, 1, 2);
    linkage_add(&l, 2, 3);
    linkage_add(&l, 3, 0);
    CHECK(linkage_min_cut_at_least(&l, a, 1, b, 1, 3));
    CHECK(!linkage_min_cut_at_least(&l, a, 1, b, 1, 4));
    CHECK(linkage_min_cut_at_least(&l, c, 2, d, 1, 2));
    CHECK(!linkage_min_cut_at_least(&l, c, 2, d, 1, 3));
    linkage_remove(&l, 2, 3);
    CHECK(!linkage_min_cut_at_least(&l, a, 1, b, 1, 3));
    CHECK(l.degree[0] == 3 && l.n_links[0] == 2 && l.degree[2] == 1);
    linkage_clear(&l);
    CHECK(!linkage_min_cut_at_least(&l, a, 1, b, 1, 1));
    linkage_add(&l, 1, 0);
    CHECK(linkage_min_cut_at_least(&l, a, 1, b, 1, 1));
    linkage_free(&l);
}

int main(void)
{
    test_min_cut();
    test_moves();
    return check_end();
}
