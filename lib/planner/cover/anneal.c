#include "planner/cover/anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_BETWEEN_LOOKS 1024 /* at the clock, and at the best cost so far */
#define COOLING             0.05 /* final heat as a fraction of the initial heat */
#define CORE_MISSES         0.2  /* core patterns miss less than this fraction of their fee */

struct run {
    struct assignment *a;
    struct effort *e;
    uint64_t *set, *rest; /* scratch */
    const struct pool *pool;
    uint32_t *core; /* patterns of the pool that good covers are likely to use */
    uint32_t n_core;
};

static double uniform(struct effort *e)
{
    const uint32_t steps = UINT32_C(1) << 31;

    return (effort_random(e, steps) + 1.0) / steps;
}

/* A random station of the set, counted from 0. The set is not empty. */
static uint32_t any_station(struct effort *e, const uint64_t *set, size_t n_words)
{
    uint32_t nth = effort_random(e, set_count(set, n_words));

    for (size_t w = 0;; w++) {
        uint32_t here = (uint32_t)__builtin_popcountll(set[w]);
        uint64_t left = set[w];

        if (nth >= here) {
            nth -= here;
            continue;
        }
        while (nth-- > 0)
            left &= left - 1;
        return (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
    }
}

static const uint64_t *pattern_of(const struct assignment *a, uint32_t reach_class)
{
    uint32_t slot = assignment_of(a, reach_class);

    return slot == ASSIGNMENT_NONE ? instance_reach(a->in, reach_class) : assignment_set(a, slot);
}

/* Proposes a pattern for the reach class: the intersection of its pattern or reach with a
 * neighbour's, or its pattern with one station added, removed or exchanged. */
static void propose_near(struct run *r, uint32_t reach_class)
{
    const struct instance *in = r->a->in;
    const uint64_t *reach = instance_reach(in, reach_class), *now = pattern_of(r->a, reach_class);
    uint32_t choice = effort_random(r->e, 16);
    size_t n_words = in->n_words;

    if (choice < 4) {
        /* two statements, because C does not fix the order in which arguments are evaluated */
        uint32_t from = effort_random(r->e, in->n_reach_classes);
        uint32_t other = reachers_after(&r->a->reachers, any_station(r->e, now, n_words), from);
        set_intersect(r->set, choice == 3 ? reach : now,
                      choice < 2 ? pattern_of(r->a, other) : instance_reach(in, other), n_words);
        return;
    }
    for (size_t w = 0; w < n_words; w++) {
        r->set[w] = now[w];
        r->rest[w] = reach[w] & ~now[w];
    }
    if (choice < 12) {
        uint32_t s = any_station(r->e, r->set, n_words);
        r->set[s / 64] &= ~(UINT64_C(1) << s % 64);
    }
    if (choice >= 6 && set_count(r->rest, n_words) > 0) {
        uint32_t s = any_station(r->e, r->rest, n_words);
        r->set[s / 64] |= UINT64_C(1) << s % 64;
    }
}

static void change(struct run *r, double most)
{
    struct assignment *a = r->a;
    uint32_t reach_class = effort_random(r->e, a->in->n_reach_classes);
    uint32_t slot = assignment_of(a, reach_class);

    if (slot != ASSIGNMENT_NONE && effort_random(r->e, 64) == 0) {
        if (a->loss[slot] - a->fee[slot] < most)
            assignment_close(a, slot);
        return;
    }
    if (r->n_core > 0 && effort_random(r->e, 4) > 0)
        memcpy(r->set, pool_set(r->pool, r->core[effort_random(r->e, r->n_core)]),
               a->in->n_words * sizeof *r->set);
    else
        propose_near(r, reach_class);
    if (assignment_try(a, r->set) < most)
        assignment_apply(a, r->set);
}

static void find_core(struct run *r, const struct credit *c)
{
    r->pool = &c->pool;
    for (size_t i = 0; i < c->pool.n; i++)
        if (credit_missing(c, i, c->credit) < CORE_MISSES * c->pool.fee[i])
            r->core[r->n_core++] = (uint32_t)i;
}

int anneal(struct assignment *a, struct cover_best *b, const struct credit *c, struct effort *e,
           double heat, uint64_t work, struct hagg_err *err)
{
    size_t n_words = a->in->n_words;
    struct run r = { .a = a, .e = e };
    uint64_t start = a->reachers.work;
    double now = 0;

    r.set = malloc(2 * n_words * sizeof *r.set);
    r.core = malloc((c ? c->pool.n : 1) * sizeof *r.core);
    if (!r.set || !r.core) {
        free(r.set);
        free(r.core);
        return err_errno(err, "no memory to search for patterns");
    }
    r.rest = r.set + n_words;
    if (c)
        find_core(&r, c);
    heat *= a->in->fee[a->in->n_stations];
    for (uint64_t i = 0;; i++) {
        if (i % STEPS_BETWEEN_LOOKS == 0) {
            double done = (double)(a->reachers.work - start) / (double)work;

            cover_best_keep(b, a);
            if (done >= 1 || !effort_may_continue(e))
                break;
            now = heat * pow(COOLING, done);
        }
        change(&r, -now * log(uniform(e)));
    }
    free(r.set);
    free(r.core);
    return 0;
}
