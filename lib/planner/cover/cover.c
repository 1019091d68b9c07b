/*
 * Only intersections of reaches need to be considered. Take any cover and replace each pattern P by
 * the intersection M of the reaches of its users. P is a subset of each of these reaches, so it is
 * a subset of M. Rate and fee never increase with the set, so neither a user nor the pattern
 * costs more, and M is within the reach of every user. If two patterns become equal, one fee is
 * saved.
 */
#include "planner/cover/cover.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

#include "planner/cover/anneal.h"
#include "planner/cover/cover_exact.h"
#include "planner/cover/dive.h"
#include "planner/cover/prove.h"

/* The budget at the default effort: about a third of a millisecond per reach class. */
#define WORK_PER_CLASS UINT64_C(200000)
#define LEAST_WORK     UINT64_C(200000000)
#define MOST_WORK      UINT64_C(600000000)

#define LEVEL_WORK 3    /* a level uses at most this many budgets: bound, dives and proof */
#define HOT        0.06 /* heats (anneal.h) that worked best on random geometric topologies */
#define WARM       0.01
#define SPREAD     0.1 /* dive.h */

static int new_cover(const struct instance *in, struct cover *c, struct hagg_err *err)
{
    *c = (struct cover){ 0 };
    c->patterns = malloc(in->n_reach_classes * in->n_words * sizeof *c->patterns);
    c->of = malloc(in->n_reach_classes * sizeof *c->of);
    if (!c->patterns || !c->of) {
        cover_free(c);
        return err_errno(err, "no memory for a choice of patterns");
    }
    return 0;
}

void cover_free(struct cover *c)
{
    free(c->patterns);
    free(c->of);
    *c = (struct cover){ 0 };
}

static uint32_t add_pattern(const struct instance *in, struct cover *c, const uint64_t *set)
{
    memcpy(c->patterns + c->n_patterns * in->n_words, set, in->n_words * sizeof *set);
    return (uint32_t)c->n_patterns++;
}

/* Recomputes the cost, because incrementally updated sums accumulate rounding errors. */
static void add_up(const struct instance *in, struct cover *c)
{
    c->cost = 0;
    for (size_t i = 0; i < c->n_patterns; i++)
        c->cost += in->fee[set_count(c->patterns + i * in->n_words, in->n_words)];
    for (uint32_t k = 0; k < in->n_reach_classes; k++)
        c->cost +=
            in->weight[k] * in->rate[set_count(c->patterns + c->of[k] * in->n_words, in->n_words)];
}

/* Each client costs at least the rate of its reach, and the fee of the pattern of the client with
 * the smallest reach is at least the fee of that reach. */
static double least_cost(const struct instance *in)
{
    double sum = 0, largest = 0;

    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        uint32_t size = set_count(instance_reach(in, k), in->n_words);

        sum += in->weight[k] * in->rate[size];
        if (in->fee[size] > largest)
            largest = in->fee[size];
    }
    return sum + largest;
}

int cover_whole(const struct instance *in, struct cover *c, struct hagg_err *err)
{
    if (new_cover(in, c, err))
        return -1;
    for (uint32_t k = 0; k < in->n_reach_classes; k++)
        c->of[k] = add_pattern(in, c, instance_reach(in, k));
    add_up(in, c);
    c->bound = least_cost(in);
    c->proved = in->n_reach_classes == 1;
    return 0;
}

static int find_exact(const struct instance *in, struct cover *c, struct hagg_err *err)
{
    uint32_t n = cover_exact(in, c->of, err);

    if (n == 0)
        return -1;
    for (uint32_t g = 0; g < n; g++) {
        uint64_t *set = c->patterns + g * in->n_words;

        memset(set, 0xff, in->n_words * sizeof *set);
        for (uint32_t k = 0; k < in->n_reach_classes; k++)
            if (c->of[k] == g)
                set_intersect(set, set, instance_reach(in, k), in->n_words);
    }
    c->n_patterns = n;
    add_up(in, c);
    c->bound = c->cost;
    c->proved = true;
    return 0;
}

/* One level of the search. Annealing alone gets within a few parts in a thousand of the bound; a
 * dive guided by the bound gets ten times closer. */
static int search_level(struct assignment *a, struct cover_best *b, struct credit *credit,
                        struct effort *e, uint64_t work, struct hagg_err *err)
{
    cover_best_restore(b, a);
    if (anneal(a, b, credit, e, HOT, work / 8, err))
        return -1;
    for (uint32_t i = 0; i < b->n_patterns; i++)
        pool_add(&credit->pool, b->patterns + i * a->in->n_words);
    credit_improve(credit, b->cost, e, work);
    uint64_t end = a->reachers.work + work;
    for (double spread = 0; a->reachers.work < end && effort_may_continue(e); spread = SPREAD)
        if (dive(credit, b, a, e, spread, work / 2, err) ||
            anneal(a, b, credit, e, WARM, work / 32, err))
            return -1;
    cover_best_restore(b, a);
    return anneal(a, b, credit, e, WARM, work / 8, err);
}

/* Copies the patterns in use and their users to *c. number is scratch, one entry per slot. */
static void write_cover(struct assignment *a, struct cover *c, uint32_t *number)
{
    const struct instance *in = a->in;

    for (uint32_t slot = 0; slot < a->n_slots; slot++)
        number[slot] = ASSIGNMENT_NONE;
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        uint32_t slot = assignment_of(a, k);

        if (slot == ASSIGNMENT_NONE)
            c->of[k] = add_pattern(in, c, instance_reach(in, k));
        else {
            if (number[slot] == ASSIGNMENT_NONE)
                number[slot] = add_pattern(in, c, assignment_set(a, slot));
            c->of[k] = number[slot];
        }
    }
    add_up(in, c);
}

struct cover_search {
    const struct instance *in;
    uint64_t work; /* budget of a level at the default effort */
    uint64_t todo; /* work of all remaining levels */
    struct progress *progress;
    struct assignment a;
    struct cover_best best;
    struct credit credit;
};

static bool is_small(const struct instance *in)
{
    return in->n_reach_classes <= COVER_EXACT_MOST;
}

struct cover_search *cover_search_new(const struct instance *in, const struct effort *e,
                                      struct hagg_err *err)
{
    struct cover_search *s = calloc(1, sizeof *s);
    struct effort so_far = { 0 };

    if (!s) {
        err_errno(err, "no memory for a choice of patterns");
        return NULL;
    }
    s->in = in;
    s->progress = e->progress;
    if (is_small(in))
        return s;
    s->work = WORK_PER_CLASS * in->n_reach_classes;
    s->work = s->work < LEAST_WORK ? LEAST_WORK : s->work;
    s->work = s->work > MOST_WORK ? MOST_WORK : s->work;
    for (so_far.level = 1; so_far.level <= e->level; so_far.level++)
        s->todo += effort_budget(&so_far, s->work);
    progress_expect(s->progress, s->todo);
    if (assignment_new(&s->a, in, err) || cover_best_new(&s->best, &s->a, err) ||
        credit_new(&s->credit, &s->a.reachers, err)) {
        cover_search_free(s);
        return NULL;
    }
    return s;
}

void cover_search_free(struct cover_search *s)
{
    if (!s)
        return;
    progress_add(s->progress, s->todo);
    credit_free(&s->credit);
    cover_best_free(&s->best);
    assignment_free(&s->a);
    free(s);
}

static int find_by_search(struct cover_search *s, struct effort *e, struct cover *c,
                          struct hagg_err *err)
{
    uint64_t work = effort_budget(e, s->work);

    if (effort_may_continue(e)) {
        effort_begin_stage(e, work, &s->a.reachers.work, LEVEL_WORK * work);
        int status = search_level(&s->a, &s->best, &s->credit, e, work, err);
        c->proved = status == 0 && prove(&s->credit, &s->best, &s->a, e, work / 2);
        effort_end_stage(e);
        if (status)
            return -1;
        s->todo -= work;
    }
    cover_best_restore(&s->best, &s->a);
    write_cover(&s->a, c, s->a.touched);
    c->bound = c->proved || s->credit.bound > c->cost ? c->cost : s->credit.bound;
    return 0;
}

int cover_search_level(struct cover_search *s, struct effort *e, struct cover *c,
                       struct hagg_err *err)
{
    if (new_cover(s->in, c, err))
        return -1;
    if (is_small(s->in) ? find_exact(s->in, c, err) : find_by_search(s, e, c, err)) {
        cover_free(c);
        return -1;
    }
    return 0;
}

/* Runs all lower levels first, so that more effort never gives a more expensive cover. */
int cover_find(const struct instance *in, struct effort *e, struct cover *c, struct hagg_err *err)
{
    struct cover_search *s = cover_search_new(in, e, err);
    unsigned most = e->level;
    int status = s ? 0 : -1;

    *c = (struct cover){ 0 };
    for (e->level = 1; e->level <= most && status == 0 && !c->proved; e->level++) {
        cover_free(c);
        status = cover_search_level(s, e, c, err);
    }
    e->level = most;
    cover_search_free(s);
    return status;
}
