/* Compares the planner for full collusion with all assignments of small instances and with known
 * answers, and checks the properties of every result. */
#include "planner/joint/joint.h"

#include <math.h>

#include "check.h"
#include "instances.h"

#define CLIENTS 5
#define SETS    32

static struct topology_client numbers[4000];

static int plan(const struct instance *in, enum collusion_condition condition, unsigned level,
                struct joint *j, struct hagg_err *err)
{
    struct effort e;

    effort_start(&e, level, 7, 0, NULL);
    return joint_find(in, condition, &e, "net", numbers, j, err);
}

/* Checks that patterns are within reach, different and used, that the cost is right, and that the
 * choice is private. */
static void check_joint(const struct instance *in, enum collusion_condition condition,
                        const struct joint *j)
{
    uint32_t n = in->n_clients;
    struct collusion_edge *edges = calloc(n, sizeof *edges);
    unsigned char *used = calloc(j->n_patterns, 2);
    double cost = 0;
    bool within = true, all_used = true, different = true;
    struct hagg_err err;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t of[2] = { j->shares[i], j->keys[i] };

        for (unsigned s = 0; s < 2; s++) {
            const uint64_t *set = j->patterns + of[s] * in->n_words;

            within &= set_within(set, instance_reach(in, in->reach_class[i]), in->n_words);
            cost += in->rate[set_count(set, in->n_words)];
            if (!used[2 * of[s] + s])
                cost += in->fee[set_count(set, in->n_words)];
            used[2 * of[s] + s] = 1;
        }
        edges[i] = (struct collusion_edge){ of[0], of[1] };
    }
    for (size_t p = 0; p < j->n_patterns; p++) {
        all_used &= used[2 * p] || used[2 * p + 1];
        for (size_t q = 0; q < p; q++)
            different &= !set_equal(j->patterns + p * in->n_words, j->patterns + q * in->n_words,
                                    in->n_words);
    }
    CHECK(within);
    CHECK(all_used);
    CHECK(different);
    CHECK(fabs(cost - j->cost) < 1e-6);
    CHECK(j->bound <= j->cost + 1e-6);
    CHECK(collusion_private(edges, n, (uint32_t)j->n_patterns, (uint32_t)j->n_patterns,
                            in->colluders, condition, NULL, &err) == 1);
    free(edges);
    free(used);
}

/* The least cost of each partition of the clients into those with the same set, by trying every set
 * for every client. A partition is coded by the first client with the same set, in base 8. */
static unsigned n_ways;
static struct way {
    unsigned code;
    double cost;
} ways[64];

static void try_sets(const struct instance *in, uint32_t client, uint32_t *sets)
{
    if (client < in->n_clients) {
        for (uint32_t set = 1; set < 1U << in->n_stations; set++)
            if ((set & ~in->reach[in->reach_class[client]]) == 0 &&
                !isinf(in->rate[__builtin_popcount(set)])) {
                sets[client] = set;
                try_sets(in, client + 1, sets);
            }
        return;
    }
    unsigned code = 0, w = 0;
    double cost = 0;
    for (uint32_t i = 0; i < in->n_clients; i++) {
        uint32_t first = 0;

        while (sets[first] != sets[i])
            first++;
        code = code * 8 + first;
        cost += in->rate[__builtin_popcount(sets[i])] +
                (first == i ? in->fee[__builtin_popcount(sets[i])] : 0);
    }
    while (w < n_ways && ways[w].code != code)
        w++;
    if (w == n_ways)
        ways[n_ways++] = (struct way){ code, cost };
    else if (cost < ways[w].cost)
        ways[w].cost = cost;
}

static void decode_way(unsigned code, uint32_t n, uint32_t *of)
{
    for (uint32_t i = n; i-- > 0; code /= 8)
        of[i] = code % 8;
}

/* If any set of at most z clients is removed, the others must be connected; under the paper's
 * condition also all groups, including those of the removed clients. */
static bool leaks_nothing(uint32_t n, const uint32_t *y, const uint32_t *x, uint32_t z, bool paper)
{
    for (uint32_t cut = 0; cut < 1U << n; cut++) {
        uint32_t label[2 * 8], n_labels = 0;

        if ((uint32_t)__builtin_popcount(cut) > z)
            continue;
        for (uint32_t v = 0; v < 16; v++)
            label[v] = v;
        for (uint32_t i = 0; i < n; i++)
            if (!(cut >> i & 1)) {
                uint32_t from = label[y[i]], to = label[8 + x[i]];
                for (uint32_t v = 0; v < 16; v++)
                    if (label[v] == from)
                        label[v] = to;
            }
        uint32_t met = 0;
        for (uint32_t i = 0; i < n; i++)
            if (paper || !(cut >> i & 1))
                met |= 1U << label[y[i]] | 1U << label[8 + x[i]];
        n_labels = (uint32_t)__builtin_popcount(met);
        if (n_labels > 1)
            return false;
    }
    return true;
}

static double brute_force(const struct instance *in, bool paper)
{
    uint32_t sets[CLIENTS], y[CLIENTS], x[CLIENTS];
    double best = INFINITY;

    n_ways = 0;
    try_sets(in, 0, sets);
    for (unsigned a = 0; a < n_ways; a++)
        for (unsigned b = 0; b < n_ways; b++) {
            if (ways[a].cost + ways[b].cost >= best)
                continue;
            decode_way(ways[a].code, in->n_clients, y);
            decode_way(ways[b].code, in->n_clients, x);
            if (leaks_nothing(in->n_clients, y, x, in->colluders, paper))
                best = ways[a].cost + ways[b].cost;
        }
    return best;
}

static void test_brute_force(void)
{
    unsigned n_private = 0, n_none = 0;

    for (unsigned trial = 0; trial < 240; trial++) {
        instances_seed(trial + 1);
        uint32_t n = 1 + instances_random(CLIENTS), stations = n == CLIENTS ? 4 : 3 + trial % 3;
        uint32_t collude = 1 + instances_random(2), z = instances_random(3);
        struct instance in =
            instances_uniform(n, stations, 60 + instances_random(30), collude + 1, collude, z);

        for (uint32_t m = collude + 1; m <= stations && trial % 2 == 1; m++)
            in.fee[m] = (double)m / (m - collude / 2); /* as with prefixes of shares */
        for (uint32_t m = 0; m <= stations; m++)       /* other prices of what clients send */
            in.rate[m] *= (const double[]){ 1, 0.25, 1, 3, 1e-4 }[trial % 5];
        for (int paper = 0; paper < 2; paper++) {
            enum collusion_condition condition = paper ? COLLUSION_PAPER : COLLUSION_EXACT;
            double best = brute_force(&in, paper);
            struct joint j;
            struct hagg_err err = { 0 };
            int status = plan(&in, condition, EFFORT_DEFAULT, &j, &err);

            if (isinf(best)) {
                n_none++;
                CHECK(status == -1);
                CHECK(err.status == HAGG_E_PRIVACY);
                CHECK(strstr(err.text, "no plan was found") == NULL);
            } else if (CHECK(status == 0)) {
                n_private++;
                CHECK(fabs(j.cost - best) < 1e-9);
                CHECK(fabs(j.bound - best) < 1e-9);
                CHECK(j.proved);
                check_joint(&in, condition, &j);
            }
            if (status == 0)
                joint_free(&j);
        }
        instance_free(&in);
    }
    CHECK(n_private > 100);
    CHECK(n_none > 50);
}

/* The paper's example. Stations are bits, starting with station 1. */
static struct instance paper_example(uint32_t colluders)
{
    const uint64_t reach[6] = { 0x17, 0x17, 0x1f, 0x1e, 0x1b, 0x13 };

    return instances_make(6, 5, reach, 2, colluders);
}

static void test_known_answers(void)
{
    struct instance in = paper_example(1);
    struct hagg_err err;
    struct joint j;

    if (CHECK(plan(&in, COLLUSION_EXACT, EFFORT_DEFAULT, &j, &err) == 0)) {
        CHECK(fabs(j.cost - 44) < 1e-9);
        CHECK(j.proved);
        check_joint(&in, COLLUSION_EXACT, &j);
        joint_free(&j);
    }
    if (CHECK(plan(&in, COLLUSION_PAPER, EFFORT_DEFAULT, &j, &err) == 0)) {
        CHECK(fabs(j.cost - 45) < 1e-9);
        CHECK(j.proved);
        check_joint(&in, COLLUSION_PAPER, &j);
        joint_free(&j);
    }
    instance_free(&in);
}

static void check_found(struct instance in, enum collusion_condition condition, unsigned level)
{
    struct joint j, again;
    struct hagg_err err = { 0 };

    if (CHECK(plan(&in, condition, level, &j, &err) == 0)) {
        check_joint(&in, condition, &j);
        if (CHECK(plan(&in, condition, level, &again, &err) == 0)) {
            CHECK(again.cost == j.cost);
            CHECK(again.n_patterns == j.n_patterns);
            CHECK(memcmp(again.shares, j.shares, in.n_clients * sizeof *j.shares) == 0);
            CHECK(memcmp(again.keys, j.keys, in.n_clients * sizeof *j.keys) == 0);
            joint_free(&again);
        }
        joint_free(&j);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    instance_free(&in);
}

static void test_larger(void)
{
    for (uint32_t z = 0; z <= 3; z += z + 1)
        for (int paper = 0; paper < 2; paper++) {
            enum collusion_condition condition = paper ? COLLUSION_PAPER : COLLUSION_EXACT;

            instances_seed(10 + z);
            check_found(instances_geometric(400, 25, 12, 4, 2, z), condition, 1);
            check_found(instances_uniform(100, 12, 85, 6, 2, z), condition, 1);
            check_found(instances_uniform(60, 70, 95, 50, 3, z), condition, 1);
        }
}

/* Few reach classes, and more colluders than clients in a group of the cover. */
static void test_equal_reaches(void)
{
    const uint64_t reach[4] = { 0x1f, 0x3e, 0x7c, 0x7f };
    uint64_t all[120];

    for (uint32_t i = 0; i < 120; i++)
        all[i] = reach[i % 4];
    check_found(instances_make(120, 7, all, 2, 1), COLLUSION_EXACT, 2);
    check_found(instances_make(120, 7, all, 2, 25), COLLUSION_EXACT, 2);
    check_found(instances_make(120, 7, all, 2, 25), COLLUSION_PAPER, 2);
    check_found(instances_make(120, 7, all, 2, 119), COLLUSION_EXACT, 2);
}

/* More effort finds everything that less effort finds. */
static void check_efforts(struct instance in, enum collusion_condition condition, unsigned most)
{
    double before = INFINITY;

    for (unsigned level = 1; level <= most; level++) {
        struct joint j;
        struct hagg_err err = { 0 };

        if (plan(&in, condition, level, &j, &err)) {
            CHECK(isinf(before));
            continue;
        }
        CHECK(j.cost <= before + 1e-9);
        if (j.cost > before + 1e-9)
            fprintf(stderr, "effort %u: %.9g, after %.9g\n", level, j.cost, before);
        before = j.cost;
        joint_free(&j);
    }
    CHECK(!isinf(before));
    instance_free(&in);
}

static void test_efforts(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        instances_seed(seed);
        check_efforts(instances_geometric(150, 25, 12, 4, 2, 1), COLLUSION_EXACT, 4);
        instances_seed(seed);
        check_efforts(instances_uniform(40, 12, 85, 6, 2, 2), COLLUSION_PAPER, 4);
    }
    check_efforts(paper_example(1), COLLUSION_EXACT, EFFORT_MOST);
    check_efforts(paper_example(1), COLLUSION_PAPER, EFFORT_MOST);
}

static void check_message(uint32_t n, uint32_t stations, const uint64_t *reach, uint32_t z,
                          enum collusion_condition condition, const char *message)
{
    struct instance in = instances_make(n, stations, reach, 2, z);
    struct joint j;
    struct hagg_err err = { 0 };

    if (CHECK(plan(&in, condition, EFFORT_DEFAULT, &j, &err) == -1)) {
        CHECK(err.status == HAGG_E_PRIVACY);
        CHECK_STR(err.text, message);
    } else {
        joint_free(&j);
    }
    instance_free(&in);
}

static void test_messages(void)
{
    const uint64_t alone[3] = { 0x1f, 0x0f, 0x70 };
    const uint64_t apart[4] = { 0x07, 0x07, 0x38, 0x38 };
    const uint64_t chain[3] = { 0x07, 0x3f, 0x38 };
    const uint64_t pair[2] = { 0x07, 0x07 };

    check_message(3, 7, alone, 0, COLLUSION_EXACT,
                  "net: no plan is private: client 3 has at most 1 station in common with any "
                  "other client, so it can have no pattern in common with one; it needs 2 of the "
                  "stations 1 2 3 4 of client 1");
    check_message(4, 6, apart, 0, COLLUSION_EXACT,
                  "net: no plan is private: whichever stations are chosen, no chain of clients, "
                  "each with at least 3 stations in common with the next, connects client 1 to "
                  "client 3; let one of them, or a client in between, reach more stations");
    check_message(
        3, 6, chain, 1, COLLUSION_EXACT,
        "net: no plan is private against 1 client: without client 2, no chain of clients, each "
        "with at least 3 stations in common with the next, connects client 1 to client 3; let one "
        "of them, or a client in between, reach more stations; a plan against 0 was found");
    check_message(2, 3, pair, 2, COLLUSION_PAPER,
                  "net: no plan meets the condition 'paper' against 2 clients: each pattern needs "
                  "3 clients, and there are 2; a plan against 1 was found");
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;

    for (uint32_t i = 0; i < 4000; i++)
        numbers[i].number = i + 1;
    test_known_answers();
    if (!quick) {
        test_brute_force();
        test_larger();
        test_equal_reaches();
        test_efforts();
    }
    test_messages();
    return check_end();
}
