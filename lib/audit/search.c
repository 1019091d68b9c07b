#include "audit/search.h"

#include <stdlib.h>

/* Maximum number of sets examined before their results are collected: enough for all threads. */
#define BATCH            256
#define MAX_SETS         4000000u
#define MAX_MORE         100000u  /* instead of MAX_SETS if a leak is known */
#define MAX_PROFILE_SETS 1000000u /* sets of profiles */

struct batch {
    const struct model *m;
    const struct audit_options *options;
    struct coalition who[BATCH];
    bool leaks[BATCH];
    struct hagg_err errs[BATCH];
    size_t n, size; /* size: sets to collect before they are examined; small at first, because leaks
 are often found at once */
};

static void check_set(void *batch, size_t i)
{
    struct batch *b = batch;

    b->leaks[i] = learnt_leaks(b->m, &b->who[i], b->options->max_columns, &b->errs[i]) == 1;
}

static int still_leaks(const struct model *m, const struct coalition *who, struct hagg_err *err)
{
    return learnt_leaks(m, who, LEARNT_COLUMNS, err);
}

static int shrink(const struct model *m, struct coalition *who, struct hagg_err *err)
{
    int leaks;

    for (size_t i = 0; i < model_n_nodes(m); i++) {
        if (!who->nodes[i])
            continue;
        who->nodes[i] = false;
        if ((leaks = still_leaks(m, who, err)) < 0)
            return -1;
        who->nodes[i] = leaks == 0;
    }
    for (size_t i = 0; i < m->n_clients; i++) {
        uint8_t was = who->clients[i];

        if (was == COALITION_HONEST)
            continue;
        who->clients[i] = COALITION_HONEST;
        if ((leaks = still_leaks(m, who, err)) < 0)
            return -1;
        who->clients[i] = leaks ? COALITION_HONEST : was;
    }
    return 0;
}

int search_add_leak(struct audit_result *r, const struct model *m, const struct coalition *who,
                    struct hagg_err *err)
{
    struct audit_leak leak = { 0 }, *leaks;
    int status = coalition_copy(&leak.who, who, m, err);

    if (status == 0)
        status = shrink(m, &leak.who, err);
    for (size_t i = 0; status == 0 && i < r->n_leaks; i++)
        if (coalition_equal(&leak.who, &r->leaks[i].who, m)) {
            coalition_free(&leak.who);
            return 0;
        }
    if (status == 0)
        status = learnt_new(&leak.learnt, m, &leak.who, err);
    if (status == 0) {
        leaks = reallocarray(r->leaks, r->n_leaks + 1, sizeof *leaks);
        if (leaks) {
            leaks[r->n_leaks++] = leak;
            r->leaks = leaks;
            return 0;
        }
        status = err_errno(err, "no memory for one more leak");
    }
    coalition_free(&leak.who);
    learnt_free(&leak.learnt);
    return status;
}

/* Examines the sets of the batch and empties it. */
static int check_batch(struct audit_result *r, struct batch *b, struct hagg_err *err)
{
    int status = 0;

    parallel_run(b->options->pool, check_set, b, b->n);
    progress_add(b->options->progress, b->n);
    for (size_t i = 0; i < b->n; i++) {
        if (status == 0 && b->errs[i].status) {
            *err = b->errs[i];
            status = -1;
        }
        if (status == 0 && b->leaks[i] && !r->stopped)
            status = search_add_leak(r, b->m, &b->who[i], err);
        r->stopped = r->stopped || r->n_leaks >= b->options->max_leaks;
        coalition_free(&b->who[i]);
    }
    b->n = 0;
    b->size = 2 * b->size < BATCH ? 2 * b->size : BATCH;
    return status;
}

static struct batch *batch_new(const struct model *m, const struct audit_options *options,
                               struct hagg_err *err)
{
    struct batch *b = calloc(1, sizeof *b);

    if (!b)
        err_errno(err, "no memory for coalitions");
    else {
        b->m = m;
        b->options = options;
        b->size = parallel_threads(options->pool) < BATCH ? parallel_threads(options->pool) : BATCH;
    }
    return b;
}

static int search_emptied(struct audit_result *r, const struct model *m, const struct audit_side *s,
                          const struct sets_emptied *e, const struct audit_options *options,
                          struct hagg_err *err)
{
    uint64_t n_s = sets_choose(m->n_stations, s->stations);
    uint64_t n_r = sets_choose(m->n_relays, s->relays);
    uint64_t n = sets_times(e->n_sets, sets_times(n_s, n_r));
    struct batch *b;
    int status = 0;

    if (n > (r->n_leaks > 0 ? MAX_MORE : MAX_SETS))
        return err_set(err, HAGG_E_USAGE,
                       "there are too many coalitions to check all of them: use --sample to check "
                       "some at random");
    if (!(b = batch_new(m, options, err)))
        return -1;
    progress_expect(options->progress, n);
    for (uint64_t i = 0; i < n && status == 0 && !r->stopped; i++) {
        size_t at = (size_t)(i / (n_s * n_r)), first = e->starts[at];

        status = sets_coalition(&b->who[b->n], m, s, i / n_r % n_s, i % n_r, e->profiles + first,
                                e->starts[at + 1] - first, err);
        if (status == 0)
            b->n++;
        if (status == 0 && (b->n == b->size || i + 1 == n))
            status = check_batch(r, b, err);
    }
    for (size_t i = 0; i < b->n; i++)
        coalition_free(&b->who[i]);
    free(b);
    return status;
}

int search_all(struct audit_result *r, const struct model *m, const struct audit_side *s,
               const struct audit_options *options, struct hagg_err *err)
{
    struct sets_emptied emptied;
    int status;

    if (sets_emptied_new(&emptied, m, s, MAX_PROFILE_SETS, err))
        return -1;
    status = search_emptied(r, m, s, &emptied, options, err);
    sets_emptied_free(&emptied);
    return status;
}

/* splitmix64, as in the planner; the choice of sets is not secret. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Marks k of the unmarked ones among n. */
static void choose(uint64_t *state, uint8_t *marks, size_t n, size_t k, uint8_t mark)
{
    while (k > 0) {
        size_t i = (size_t)(((unsigned __int128)next_random(state) * n) >> 64);

        if (marks[i])
            continue;
        marks[i] = mark;
        k--;
    }
}

static int choose_coalition(struct coalition *c, const struct model *m, const struct audit_side *s,
                            uint64_t *state, struct hagg_err *err)
{
    uint8_t *marks = calloc((size_t)m->n_stations + m->n_relays + 1, 1);

    if (!marks)
        return err_errno(err, "no memory for a coalition");
    if (coalition_new(c, m, err)) {
        free(marks);
        return -1;
    }
    choose(state, marks, m->n_stations, s->stations, 1);
    choose(state, marks + m->n_stations, m->n_relays, s->relays, 1);
    for (size_t i = 0; i < (size_t)m->n_stations + m->n_relays; i++)
        c->nodes[1 + i] = marks[i];
    c->nodes[MODEL_FEDERATOR] = s->federator;
    choose(state, c->clients, m->n_clients, s->clients, COALITION_MEMBER);
    choose(state, c->clients, m->n_clients, s->missing, COALITION_MISSING);
    free(marks);
    return 0;
}

int search_some(struct audit_result *r, const struct model *m, const struct audit_side *s,
                uint64_t n, const struct audit_options *options, struct hagg_err *err)
{
    uint64_t state = options->seed ^ (s->federator ? UINT64_C(0x5bf03635) << 32 : 0) ^ s->relays;
    struct batch *b = batch_new(m, options, err);
    int status = b ? 0 : -1;

    if (b)
        progress_expect(options->progress, n);
    for (uint64_t i = 0; i < n && status == 0 && !r->stopped; i++) {
        status = choose_coalition(&b->who[b->n], m, s, &state, err);
        if (status == 0) {
            b->n++;
            r->n_checked++;
        }
        if (status == 0 && (b->n == b->size || i + 1 == n))
            status = check_batch(r, b, err);
    }
    for (size_t i = 0; b && i < b->n; i++)
        coalition_free(&b->who[i]);
    free(b);
    return status;
}
