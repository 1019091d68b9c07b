/* Graphs of thousands of clients with known answers. */
#include "plan/collusion.h"

#include "check.h"

enum { MOST = 20000 };

static struct collusion_edge edges[MOST];
static size_t n;

static void add(uint32_t y, uint32_t x, uint32_t times)
{
    while (times-- > 0 && CHECK(n < MOST))
        edges[n++] = (struct collusion_edge){ y, x };
}

static int64_t strength(enum collusion_condition condition, uint32_t n_y, uint32_t n_x,
                        uint32_t limit)
{
    struct hagg_err err = { 0 };
    int64_t z = -2;

    CHECK(collusion_strength(edges, n, n_y, n_x, condition, limit, &z, &err) == 0);
    return z;
}

/* Checks that the clients that are not cut are in one of two parts, which are divided at first_y
 * and first_x, and that only the clients in the list connect the parts. */
static void check_parts(uint32_t n_y, uint32_t n_x, uint32_t z, uint32_t first_y, uint32_t first_x)
{
    struct hagg_err err = { 0 };
    struct collusion_cut cut;
    size_t n_between = 0, n_beyond = 0;

    for (size_t i = 0; i < n; i++) {
        n_between += (edges[i].y >= first_y) != (edges[i].x >= first_x);
        n_beyond += edges[i].y >= first_y && edges[i].x >= first_x;
    }
    CHECK(collusion_private(edges, n, n_y, n_x, z, COLLUSION_EXACT, &cut, &err) == 0);
    CHECK(cut.n_colluders == n_between && cut.n_exposed == n_beyond);
    for (size_t i = 0; i < cut.n_colluders; i++)
        CHECK((edges[cut.colluders[i]].y >= first_y) != (edges[cut.colluders[i]].x >= first_x));
    for (size_t i = 0; i < cut.n_exposed; i++)
        CHECK(edges[cut.exposed[i]].y >= first_y && edges[cut.exposed[i]].x >= first_x);
    collusion_cut_free(&cut);
}

static void two_cliques(void)
{
    enum { A = 60, B = 50 };

    for (uint32_t between = 0; between < 5; between++) {
        uint32_t label[2 * (A + B)], n_classes;
        struct hagg_err err = { 0 };

        n = 0;
        for (uint32_t i = 0; i < between; i++)
            add(i, A + i, 1);
        for (uint32_t y = 0; y < A + B; y++)
            for (uint32_t x = 0; x < A + B; x++)
                add(y, x, (y < A) == (x < A));
        CHECK(strength(COLLUSION_EXACT, A + B, A + B, 50) == (int64_t)between - 1);
        CHECK(strength(COLLUSION_PAPER, A + B, A + B, 50) == (int64_t)between - 1);
        check_parts(A + B, A + B, between, A, A);
        for (uint32_t z = between ? between - 1 : 0; z <= between; z++) {
            CHECK(collusion_classes(edges, n, A + B, A + B, z, label, &n_classes, &err) == 0);
            CHECK(n_classes == (z < between ? 1 : 2));
            CHECK((label[A - 1] == label[A]) == (z < between));
            CHECK(label[0] == label[2 * A + B - 1] && label[A] == label[2 * (A + B) - 1]);
        }
    }
}

/* In a ring, every y is connected with the next WIDTH x, so that no fewer than WIDTH clients cut
 * it. Two such rings, with z + 1 clients between them, for a large z. */
static void two_rings(void)
{
    enum { LENGTH = 70, WIDTH = 60, BETWEEN = 51 };

    n = 0;
    for (uint32_t part = 0; part < 2; part++)
        for (uint32_t y = 0; y < LENGTH + part; y++)
            for (uint32_t i = 0; i < WIDTH; i++)
                add(part * LENGTH + y, part * LENGTH + (y + i) % (LENGTH + part), 1);
    for (uint32_t i = 0; i < BETWEEN; i++)
        add(LENGTH + i % 7, i, 1);
    CHECK(strength(COLLUSION_EXACT, 2 * LENGTH + 1, 2 * LENGTH + 1, 55) == BETWEEN - 1);
    CHECK(strength(COLLUSION_PAPER, 2 * LENGTH + 1, 2 * LENGTH + 1, 55) == BETWEEN - 1);
}

static void star(void)
{
    enum { LEAVES = 10000 };

    n = 0;
    for (uint32_t x = 0; x < LEAVES; x++)
        add(0, x, 1);
    CHECK(strength(COLLUSION_EXACT, 1, LEAVES, 50) == 50);
    CHECK(strength(COLLUSION_PAPER, 1, LEAVES, 50) == 0);
    /* one more client, not connected */
    add(1, LEAVES, 1);
    CHECK(strength(COLLUSION_EXACT, 2, LEAVES + 1, 50) == -1);
    /* now connected */
    add(1, 7, 3);
    CHECK(strength(COLLUSION_EXACT, 2, LEAVES + 1, 50) == 0);
    add(0, 7, 1);
    CHECK(strength(COLLUSION_EXACT, 2, LEAVES + 1, 50) == 1);
}

/* A tree whose edges are bundles of clients, and in which every group comes after its parent. A
 * bundle at a leaf may be cut, because no client remains there. */
static void tree_of_bundles(void)
{
    enum { GROUPS = 2500 };
    static uint32_t parent[GROUPS], depth[GROUPS], number[GROUPS], size[GROUPS], n_children[GROUPS];
    uint32_t n_of[2] = { 1, 0 }, inner = UINT32_MAX, any = UINT32_MAX;

    n = 0;
    for (uint32_t v = 1; v < GROUPS; v++) {
        parent[v] = v * 2654435761u % v / (1 + v % 3);
        n_children[parent[v]]++;
        depth[v] = depth[parent[v]] + 1;
        number[v] = n_of[depth[v] % 2]++;
        size[v] = 3 + v * 31 % 5;
    }
    for (uint32_t v = 1; v < GROUPS; v++) {
        uint32_t p = parent[v];

        if (n_children[v] == 0 && v % 17 == 0)
            size[v] = 1;
        if (n_children[v] > 0 && size[v] < inner)
            inner = size[v];
        any = size[v] < any ? size[v] : any;
        add(depth[v] % 2 ? number[p] : number[v], depth[v] % 2 ? number[v] : number[p], size[v]);
    }
    CHECK(n_children[0] > 1 && inner == 3 && any == 1);
    CHECK(strength(COLLUSION_EXACT, n_of[0], n_of[1], 50) == 2);
    CHECK(strength(COLLUSION_PAPER, n_of[0], n_of[1], 50) == 0);
}

/* A ring of bundles, in order, which is the worst order for flows to a neighbour. */
static void ring_of_bundles(void)
{
    enum { LENGTH = 1700, SIZE = 3 };

    n = 0;
    for (uint32_t y = 0; y < LENGTH; y++) {
        add(y, y, SIZE);
        add(y, (y + 1) % LENGTH, SIZE);
    }
    CHECK(strength(COLLUSION_EXACT, LENGTH, LENGTH, 50) == 2 * SIZE - 1);
    CHECK(strength(COLLUSION_PAPER, LENGTH, LENGTH, 50) == 2 * SIZE - 1);
}

/* A circular ladder in which all groups have three clients: four clients cut off a rung or half of
 * the ladder, three only a group. */
static void ladder(void)
{
    enum { RUNGS = 3000 };

    n = 0;
    for (uint32_t i = 0; i < RUNGS; i++) {
        /* the two groups of a rung alternate between the sides */
        add(i, i, 1);
        add(i, (i + 1) % RUNGS, 1);
        add((i + 1) % RUNGS, i, 1);
    }
    CHECK(strength(COLLUSION_EXACT, RUNGS, RUNGS, 50) == 3);
    CHECK(strength(COLLUSION_PAPER, RUNGS, RUNGS, 50) == 2);
}

/* Two ladders that have exchanged a rung and so are connected by two clients. No group has more
 * than three clients, and z = 3 is tested before z = 2. */
static void two_ladders(void)
{
    enum { RUNGS = 500, AT = 250 };

    n = 0;
    add(AT, RUNGS + AT, 1);
    add(RUNGS + AT, AT, 1);
    for (uint32_t part = 0; part < 2 * RUNGS; part += RUNGS)
        for (uint32_t i = 0; i < RUNGS; i++) {
            add(part + i, part + i, i != AT);
            add(part + i, part + (i + 1) % RUNGS, 1);
            add(part + (i + 1) % RUNGS, part + i, 1);
        }
    CHECK(strength(COLLUSION_EXACT, 2 * RUNGS, 2 * RUNGS, 7) == 1);
    CHECK(strength(COLLUSION_PAPER, 2 * RUNGS, 2 * RUNGS, 7) == 1);
}

/* Two ladders, one without its first X and the other without its first Y. The three clients of the
 * X are connected to the former neighbours of the Y, and one of them is the first client of all. */
static void ladder_on_ladder(void)
{
    enum { RUNGS = 500 };

    n = 0;
    for (uint32_t i = 0; i < RUNGS; i++) {
        add(i, i > 0 ? i : RUNGS, 1);
        add(i, i + 1 < RUNGS ? i + 1 : RUNGS + i, 1);
        add((i + 1) % RUNGS, i > 0 ? i : RUNGS + 1, 1);
        add(RUNGS + i, RUNGS + i, i > 0);
        add(RUNGS + i, RUNGS + (i + 1) % RUNGS, i > 0);
        add(RUNGS + (i + 1) % RUNGS, RUNGS + i, i + 1 < RUNGS);
    }
    CHECK(strength(COLLUSION_EXACT, 2 * RUNGS, 2 * RUNGS, 7) == 2);
    CHECK(strength(COLLUSION_PAPER, 2 * RUNGS, 2 * RUNGS, 7) == 2);
}

/* All pairs of groups have clients: the smallest leaking cut surrounds one client. */
static void one_clique(void)
{
    enum { SIDE = 30 };

    n = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            add(y, x, 1);
    CHECK(strength(COLLUSION_EXACT, SIDE, SIDE, 500) == 2 * (SIDE - 1) - 1);
    CHECK(strength(COLLUSION_PAPER, SIDE, SIDE, 500) == SIDE - 1);
}

int main(void)
{
    two_cliques();
    two_rings();
    star();
    tree_of_bundles();
    ring_of_bundles();
    ladder();
    two_ladders();
    ladder_on_ladder();
    one_clique();
    return check_end();
}
