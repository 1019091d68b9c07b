#include "audit/search.h"

#include <stdlib.h>

#include "base/deadline.h"
#include "base/splitmix.h"

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
    uint64_t n_examined;
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
                    bool minimal, struct hagg_err *err)
{
    struct audit_leak leak = { 0 }, *leaks;
    struct model untimed = *m; /* what was found in time is reported */
    int status = coalition_copy(&leak.who, who, m, err);

    untimed.deadline = 0;
    m = &untimed;
    if (status == 0 && !minimal)
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
    for (size_t i = 0; i < b->n; i++) {
        if (status == 0 && b->errs[i].status == HAGG_E_TOO_FEW)
            r->timed_out = r->stopped = true;
        else if (status == 0 && b->errs[i].status) {
            *err = b->errs[i];
            status = -1;
        } else
            b->n_examined++;
        b->errs[i] = (struct hagg_err){ 0 };
        if (status == 0 && b->leaks[i] && r->n_leaks < b->options->max_leaks)
            status = search_add_leak(r, b->m, &b->who[i], false, err);
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

static void batch_free(struct batch *b)
{
    for (size_t i = 0; b && i < b->n; i++)
        coalition_free(&b->who[i]);
    free(b);
}

/* Sets the number of all combinations of stations, relays and emptied profiles. */
static uint64_t count(const struct model *m, const struct audit_side *s,
                      const struct sets_emptied *e, uint64_t *n_s, uint64_t *n_r)
{
    *n_s = sets_choose(m->n_stations, s->stations);
    *n_r = sets_choose(m->n_relays, s->relays);
    return sets_times(e->n_sets, sets_times(*n_s, *n_r));
}

static int search_emptied(struct audit_result *r, const struct model *m, const struct audit_side *s,
                          const struct sets_emptied *e, const struct audit_options *options,
                          uint64_t *n_examined, struct hagg_err *err)
{
    uint64_t n_s, n_r, n = count(m, s, e, &n_s, &n_r);
    struct batch *b = batch_new(m, options, err);
    int status = b ? 0 : -1;

    progress_expect(options->progress, n);
    for (uint64_t i = 0; i < n && status == 0 && !r->stopped; i++) {
        size_t at = (size_t)(i / (n_s * n_r)), first = e->starts[at];

        status = sets_coalition(&b->who[b->n], m, s, i / n_r % n_s, i % n_r, e->profiles + first,
                                e->starts[at + 1] - first, err);
        if (status == 0)
            b->n++;
        if (status == 0 && (b->n == b->size || i + 1 == n)) {
            progress_add(options->progress, b->n);
            status = check_batch(r, b, err);
        }
    }
    if (b)
        *n_examined = b->n_examined;
    batch_free(b);
    return status;
}

int search_all(struct audit_result *r, const struct model *m, const struct audit_side *s,
               const struct audit_options *options, uint64_t *n_examined, struct hagg_err *err)
{
    uint64_t most = r->n_leaks > 0 ? MAX_MORE : MAX_SETS, n_s, n_r;
    struct sets_emptied emptied = { 0 };
    int status = sets_emptied_new(&emptied, m, s, MAX_PROFILE_SETS, err);
    bool too_many = status ? err->status == HAGG_E_USAGE : count(m, s, &emptied, &n_s, &n_r) > most;

    *n_examined = 0;
    if (too_many)
        *err = (struct hagg_err){ 0 };
    if (!too_many)
        status = status ? -1 : search_emptied(r, m, s, &emptied, options, n_examined, err);
    else if (m->deadline > 0 && r->n_leaks == 0)
        status = search_some(r, m, s, UINT64_MAX, options, n_examined, err);
    else
        status = err_set(err, HAGG_E_USAGE,
                         "there are too many coalitions to check all of them: use --time-limit to "
                         "check as many as possible, or --sample to check some at random");
    sets_emptied_free(&emptied);
    return status;
}

/* Marks k of the unmarked ones among n. */
static void choose(uint64_t *state, uint8_t *marks, size_t n, size_t k, uint8_t mark)
{
    while (k > 0) {
        size_t i = splitmix_below(state, (uint32_t)n);

        if (marks[i])
            continue;
        marks[i] = mark;
        k--;
    }
}

/* Marks all clients of random profiles, as long as they are few enough. Returns how many. */
static uint32_t empty_profiles(struct coalition *c, const struct model *m,
                               const struct audit_side *s, uint64_t *state)
{
    uint32_t used = 0, most = s->clients + s->missing;

    for (size_t tries = 0; tries < 64 && used < most; tries++) {
        const struct model_profile *k =
            &m->profiles[splitmix_below(state, (uint32_t)m->n_profiles)];

        if (k->n_clients > most - used || c->clients[k->first])
            continue;
        for (size_t i = 0; i < k->n_clients; i++)
            c->clients[k->first + i] = used++ < s->clients ? COALITION_MEMBER : COALITION_MISSING;
    }
    return used;
}

int search_choose(struct coalition *c, const struct model *m, const struct audit_side *s,
                  bool groups, uint64_t *state, struct hagg_err *err)
{
    uint8_t *marks = calloc((size_t)m->n_stations + m->n_relays + 1, 1);
    uint32_t used;

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
    used = groups ? empty_profiles(c, m, s, state) : 0;
    if (used < s->clients) {
        choose(state, c->clients, m->n_clients, s->clients - used, COALITION_MEMBER);
        used = s->clients;
    }
    choose(state, c->clients, m->n_clients, s->clients + s->missing - used, COALITION_MISSING);
    free(marks);
    return 0;
}

/* Progress counts sets or, if there is no number of them, milliseconds until the deadline. */
static void show_progress(const struct batch *b, uint64_t n, double *last)
{
    double now = deadline_now();

    progress_add(b->options->progress, n < UINT64_MAX ? b->n : (uint64_t)((now - *last) * 1000));
    *last = now;
}

int search_some(struct audit_result *r, const struct model *m, const struct audit_side *s,
                uint64_t n, const struct audit_options *options, uint64_t *n_examined,
                struct hagg_err *err)
{
    uint64_t state = options->seed ^ (s->federator ? UINT64_C(0x5bf03635) << 32 : 0) ^ s->relays;
    struct batch *b = batch_new(m, options, err);
    double last = deadline_now();
    int status = b ? 0 : -1;

    progress_expect(options->progress,
                    n < UINT64_MAX ? n : (uint64_t)((m->deadline - last) * 1000));
    for (uint64_t i = 0; i < n && status == 0 && !r->stopped; i++) {
        /* if the number is not given, every other set is one of whole profiles, because most leaks
         * to clients need that */
        status = search_choose(&b->who[b->n], m, s, n == UINT64_MAX && i % 2 > 0, &state, err);
        if (status == 0)
            b->n++;
        if (status == 0 && (b->n == b->size || i + 1 == n)) {
            show_progress(b, n, &last);
            status = check_batch(r, b, err);
        }
    }
    if (b)
        *n_examined = b->n_examined;
    batch_free(b);
    return status;
}
