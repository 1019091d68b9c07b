#include "planner/joint/joint_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTITIONS      100000  /* stored, at the default effort */
#define MOST_PARTITIONS 1600000 /* at any effort: a few hundred megabytes */
#define NODES           8000000 /* of the search for partitions, at the default effort */
#define PAIRS           3000000 /* checked, at the default effort */

/* A partition of the clients into the groups of one side. Clients are numbered by reach class;
 * groups are bit sets of clients. */
struct partition {
    double cost;
    bool first; /* the representative of all partitions that differ only by exchanging
clients of the same reach class */
    uint32_t group[JOINT_EXACT_MOST]; /* of each client */
};

struct exact {
    const struct instance *in;
    uint32_t n, z;
    uint32_t least; /* minimum number of clients in a group */
    double limit;   /* for the cost of one side */
    uint64_t nodes;
    uint32_t client[JOINT_EXACT_MOST]; /* sorted by reach class */
    double rest[JOINT_EXACT_MOST + 1]; /* lower bound on the cost of the clients from there on */

    struct partition *partitions;
    size_t n_partitions, room;
    bool failed;

    /* the partition under construction */
    uint32_t n_groups;
    uint32_t groups[JOINT_EXACT_MOST];
    uint32_t of[JOINT_EXACT_MOST];
    uint64_t *meets; /* n + 1 rows of n sets, one row per depth */

    uint32_t hint; /* a cut that separated an earlier pair; tried first */
};

static uint64_t *meet_at(const struct exact *x, uint32_t depth, uint32_t group)
{
    return x->meets + (depth * x->n + group) * x->in->n_words;
}

static void keep(struct exact *x, double cost)
{
    struct partition *p = &x->partitions[x->n_partitions++];

    *p = (struct partition){ .cost = cost, .first = true };
    for (uint32_t i = 0; i < x->n; i++) {
        p->group[i] = x->groups[x->of[i]];
        if (i > 0 && x->in->reach_class[x->client[i]] == x->in->reach_class[x->client[i - 1]])
            p->first &= x->of[i] >= x->of[i - 1];
    }
}

static double price_of(const struct instance *in, uint32_t n_clients, uint32_t n_stations)
{
    return n_clients * in->rate[n_stations] + in->fee[n_stations];
}

/* Tries the client at this depth in each group that it fits into, and in a new group. The cost of a
 * group never decreases, so the cost so far plus rest is a lower bound. */
static void partition(struct exact *x, uint32_t depth, double cost)
{
    const struct instance *in = x->in;
    uint32_t n_short = 0;

    if (x->failed || x->nodes-- == 0 || x->n_partitions == x->room) {
        x->failed = true;
        return;
    }
    for (uint32_t g = 0; g < x->n_groups; g++) {
        uint32_t size = (uint32_t)__builtin_popcount(x->groups[g]);
        n_short += size < x->least ? x->least - size : 0;
    }
    if (n_short > x->n - depth)
        return;
    if (depth == x->n) {
        keep(x, cost);
        return;
    }
    const uint64_t *reach = instance_reach(in, in->reach_class[x->client[depth]]);
    uint32_t n_groups = x->n_groups;
    for (uint32_t g = 0; g <= n_groups; g++) {
        uint64_t *meet = meet_at(x, depth + 1, 0);
        uint32_t left, size = g < n_groups ? (uint32_t)__builtin_popcount(x->groups[g]) : 0;
        double old = 0;

        if (depth > 0)
            memcpy(meet, meet_at(x, depth, 0), x->n * in->n_words * sizeof *meet);
        meet += g * in->n_words;
        if (g < n_groups) {
            old = price_of(in, size, set_count(meet, in->n_words));
            left = set_intersect(meet, meet, reach, in->n_words);
        } else {
            memcpy(meet, reach, in->n_words * sizeof *meet);
            left = set_count(reach, in->n_words);
        }
        double now = cost - old + price_of(in, size + 1, left);
        if (isinf(in->rate[left]) || now + x->rest[depth + 1] > x->limit)
            continue;
        x->groups[g] = (g < n_groups ? x->groups[g] : 0) | UINT32_C(1) << depth;
        x->of[depth] = g;
        x->n_groups = g < n_groups ? n_groups : n_groups + 1;
        partition(x, depth + 1, now);
        x->groups[g] &= ~(UINT32_C(1) << depth);
        x->n_groups = n_groups;
    }
}

/* True if the clients that are not in the cut are connected. */
static bool linked(const uint32_t *near, uint32_t all, uint32_t cut)
{
    uint32_t left = all & ~cut, met = left & -left, todo = met;

    while (todo) {
        uint32_t more = near[__builtin_ctz(todo)] & left & ~met;

        todo = (todo & (todo - 1)) | more;
        met |= more;
    }
    return met == left;
}

/* Cuts with fewer than z clients need no check: if one separates the clients, it can be extended to
 * z clients that still do, because z leaves at least two clients. */
static bool private_pair(struct exact *x, const struct partition *y, const struct partition *k)
{
    uint32_t near[JOINT_EXACT_MOST], all = (UINT32_C(1) << x->n) - 1;

    for (uint32_t i = 0; i < x->n; i++)
        near[i] = y->group[i] | k->group[i];
    if (!linked(near, all, x->hint))
        return false;
    if (x->z == 0)
        return linked(near, all, 0);
    for (uint32_t cut = (UINT32_C(1) << x->z) - 1; cut <= all;) {
        if (!linked(near, all, cut)) {
            x->hint = cut;
            return false;
        }
        uint32_t low = cut & -cut,
                 ripple = cut + low; /* next number with the same number of bits */
        cut = ripple | ((cut ^ ripple) >> 2) / low;
    }
    return true;
}

static int by_cost(const void *a, const void *b)
{
    const struct partition *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return memcmp(x->group, y->group, sizeof x->group);
}

static void copy_groups(const struct exact *x, const struct partition *p, uint32_t *of)
{
    for (uint32_t i = 0; i < x->n; i++)
        of[x->client[i]] = (uint32_t)__builtin_ctz(p->group[i]);
}

/* The two sides can be exchanged, and so can clients of the same reach class. So the first side is
 * the cheaper one and a representative (struct partition). If both cost the same, both orders are
 * tried. */
static void pair_up(struct exact *x, double limit, struct effort *e, struct joint_exact *found)
{
    uint64_t budget = effort_budget(e, PAIRS);
    double best = limit;
    size_t same = 0; /* the first partition with the same cost as y */

    for (size_t i = 0; i < x->n_partitions; i++) {
        const struct partition *y = &x->partitions[i];

        if (2 * y->cost >= best - CHOICE_LEAST)
            break;
        found->bound = fmax(found->bound, 2 * y->cost);
        if (!y->first)
            continue;
        while (x->partitions[same].cost < y->cost - CHOICE_LEAST)
            same++;
        for (size_t j = same; j < x->n_partitions; j++) {
            const struct partition *k = &x->partitions[j];

            if (y->cost + k->cost >= best - CHOICE_LEAST)
                break;
            if (budget-- == 0 || (budget % 4096 == 0 && !effort_may_continue(e)))
                return;
            if (private_pair(x, y, k)) {
                best = y->cost + k->cost;
                found->found = true;
                copy_groups(x, y, found->of[0]);
                copy_groups(x, k, found->of[1]);
                break;
            }
        }
    }
    found->complete = true;
    found->bound = best;
}

static int by_reach_class(const void *a, const void *b, void *arg)
{
    const struct instance *in = arg;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

    if (in->reach_class[i] != in->reach_class[j])
        return in->reach_class[i] < in->reach_class[j] ? -1 : 1;
    return (i > j) - (i < j);
}

int joint_exact(const struct instance *in, enum collusion_condition condition, uint32_t z,
                double side_bound, double limit, struct effort *e, struct joint_exact *found,
                struct hagg_err *err)
{
    uint32_t n = in->n_clients;
    struct exact *x = calloc(1, sizeof *x);
    int status = -1;

    *found = (struct joint_exact){ .bound = 2 * side_bound };
    if (!x)
        return err_errno(err, "no memory to plan for full collusion");
    x->in = in;
    x->n = n;
    x->z = n < 2 ? 0 : z < n - 2 ? z : n - 2;
    x->least = condition == COLLUSION_PAPER ? z + 1 : 1;
    x->limit = limit - side_bound - CHOICE_LEAST;
    x->nodes = effort_budget(e, NODES);
    x->room = effort_budget(e, PARTITIONS);
    if (x->room > MOST_PARTITIONS)
        x->room = MOST_PARTITIONS;
    x->partitions = malloc(x->room * sizeof *x->partitions);
    x->meets = calloc((n + (size_t)1) * n * in->n_words, sizeof *x->meets);
    if (!x->partitions || !x->meets) {
        err_errno(err, "no memory to plan for full collusion");
        goto out;
    }
    for (uint32_t i = 0; i < n; i++)
        x->client[i] = i;
    qsort_r(x->client, n, sizeof *x->client, by_reach_class, (void *)(uintptr_t)in);
    for (uint32_t i = n; i-- > 0;)
        x->rest[i] =
            x->rest[i + 1] +
            in->rate[set_count(instance_reach(in, in->reach_class[x->client[i]]), in->n_words)];
    partition(x, 0, 0);
    if (!x->failed) {
        qsort(x->partitions, x->n_partitions, sizeof *x->partitions, by_cost);
        pair_up(x, limit, e, found);
    }
    status = 0;
out:
    free(x->partitions);
    free(x->meets);
    free(x);
    return status;
}
