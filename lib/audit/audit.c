#include "audit/audit.h"

#include <stdlib.h>

#include "audit/confirm.h"
#include "audit/model_build.h"
#include "audit/proof.h"
#include "audit/search.h"
#include "audit/sets.h"
#include "audit/single.h"
#include "audit/structure.h"
#include "audit/unlimited.h"

/* audit_max tries bounds beyond those of the plan, where a decision can take long, so a set may
 * stay undecided. */
#define MAX_COLUMNS 4096u

struct audit_bounds audit_bounds_of(const struct plan *p)
{
    const struct topology *t = &p->topology;

    return (struct audit_bounds){
        .full = t->full,
        .clients = t->collude_clients,
        .stations = t->collude_stations,
        .relays = t->aligned ? 0 : t->collude_relays,
        .relays_see_total = t->aligned,
        .missing = t->drop_clients,
        .minimum = t->minimum,
    };
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Adds the leak of the federator with all clients but one, some of which may be missing instead of
 * colluding: the sum is the vector of the remaining client. */
static int add_only_one(struct audit_result *r, const struct model *m, const struct audit_side *s,
                        struct hagg_err *err)
{
    struct coalition who;
    int status = coalition_new(&who, m, err);

    if (status)
        return -1;
    who.nodes[MODEL_FEDERATOR] = true;
    for (size_t i = 0; i + 1 < m->n_clients; i++)
        who.clients[i] = i < s->clients ? COALITION_MEMBER : COALITION_MISSING;
    /* where only the total is learnt, all members are needed */
    status = search_add_leak(r, m, &who, m->rest && m->rest->plan->topology.aligned, err);
    coalition_free(&who);
    return status;
}

/* True if the last leak needs the federator alone: then every set with the federator has it. */
static bool is_in_all(const struct audit_result *r, const struct model *m)
{
    const struct coalition *who = &r->leaks[r->n_leaks - 1].who;

    for (size_t i = 0; i < model_n_nodes(m); i++)
        if (who->nodes[i] && i != MODEL_FEDERATOR)
            return false;
    for (size_t i = 0; i < m->n_clients; i++)
        if (who->clients[i] != COALITION_HONEST)
            return false;
    return true;
}

/* Records a side that is still open. */
static struct audit_side *add_side(struct audit_result *r, const struct model *m,
                                   const struct audit_side *s)
{
    struct audit_side *side = &r->sides[r->n_sides++];

    *side = *s;
    side->how = AUDIT_OPEN;
    side->n_sets = sets_count(m, s);
    side->n_checked = 0;
    r->n_sets = add(r->n_sets, side->n_sets);
    return side;
}

static void close_side(struct audit_result *r, struct audit_side *side, enum audit_how how,
                       uint64_t n_checked)
{
    side->how = how;
    side->n_checked = n_checked < side->n_sets ? n_checked : side->n_sets;
    r->n_checked = add(r->n_checked, side->n_checked);
}

/* Examines the sets of the side one by one. */
static int search_side(struct audit_result *r, const struct model *m, struct audit_side *side,
                       const struct audit_side *s, const struct audit_options *options,
                       struct hagg_err *err)
{
    uint64_t n_examined;
    int status = search_all(r, m, s, options, &n_examined, err);

    /* a leak is known, so too many sets to find all leaks is not an error */
    if (status && r->n_leaks > 0 && err->status == HAGG_E_USAGE) {
        *err = (struct hagg_err){ 0 };
        r->stopped = true;
        status = 0;
    }
    if (status == 0)
        close_side(r, side, r->stopped ? AUDIT_OPEN : AUDIT_SEARCHED,
                   r->stopped ? n_examined : side->n_sets);
    return status;
}

static int decide(struct audit_result *r, const struct model *m, struct audit_side *side,
                  const struct audit_options *options, struct hagg_err *err)
{
    struct audit_side s = *side;
    struct coalition who = { 0 };
    int holds = options->each ? 0 : structure_holds(m, &s, options->progress, err), answer;
    int status = 0;

    if (holds < 0 || (holds == 0 && !(m = model_messages(m, err))))
        return -1;
    if (s.federator && m->n_clients - s.clients - s.missing < 2)
        status = add_only_one(r, m, &s, err);
    answer = status || options->each ? PROOF_OPEN
             : holds                 ? proof_decide_sums(m, &s, &who, err)
                                     : proof_decide(m, &s, options->progress, &who, err);
    if (status || answer == PROOF_ERROR)
        return -1;
    if (answer == PROOF_LEAKS)
        status = search_add_leak(r, m, &who, false, err);
    coalition_free(&who);
    r->stopped = r->stopped || r->n_leaks >= options->max_leaks;
    if (answer == PROOF_PRIVATE) {
        close_side(r, side, AUDIT_PROVED, side->n_sets);
        r->lemma =
            m->rest && m->rest->plan->topology.aligned ? AUDIT_LEMMA_ALIGNED : AUDIT_LEMMA_KEYS;
    }
    if (status || answer == PROOF_PRIVATE || r->stopped)
        return status;
    if (r->n_leaks > 0 && s.federator && is_in_all(r, m)) {
        close_side(r, side, AUDIT_SEARCHED, side->n_sets);
        return 0;
    }
    if (holds)
        s.stations = s.relays = 0; /* they contribute nothing */
    return search_side(r, m, side, &s, options, err);
}

/* An error because the time is up is an answer: what was not decided stays open. */
static int stays_open(struct audit_result *r, struct hagg_err *err)
{
    if (err->status != HAGG_E_TOO_FEW)
        return -1;
    *err = (struct hagg_err){ 0 };
    r->timed_out = r->stopped = true;
    return 0;
}

/* Decides one side, by a proof if possible. */
static int decide_side(struct audit_result *r, const struct model *m, struct audit_side *side,
                       const struct audit_options *options, struct hagg_err *err)
{
    return decide(r, m, side, options, err) ? stays_open(r, err) : 0;
}

static int sample_side(struct audit_result *r, const struct model *m, const struct audit_side *s,
                       uint64_t n, const struct audit_options *options, struct hagg_err *err)
{
    uint64_t n_examined = 0;
    int status = n > 0 ? search_some(r, m, s, n, options, &n_examined, err) : 0;

    r->n_sets = add(r->n_sets, sets_count(m, s));
    r->n_checked = add(r->n_checked, n_examined);
    return status;
}

/* Decides the sides, first those for which structure proves something, because that is quick. */
static int decide_sides(struct audit_result *r, const struct model *m,
                        const struct audit_options *options, struct hagg_err *err)
{
    bool proved[AUDIT_SIDES];
    int status = 0;

    for (size_t i = 0; i < r->n_sides; i++) {
        int holds = options->each ? 0 : structure_holds(m, &r->sides[i], options->progress, err);

        proved[i] = holds > 0;
        if (holds < 0)
            return stays_open(r, err);
    }
    for (size_t i = 0; i < 2 * r->n_sides && status == 0 && !r->stopped; i++)
        if (proved[i % r->n_sides] == (i < r->n_sides))
            status = decide_side(r, m, &r->sides[i % r->n_sides], options, err);
    return status;
}

int audit_run(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
              const struct audit_options *options, struct hagg_err *err)
{
    struct audit_side sides[SETS_SIDES];
    size_t n = sets_sides(m, bounds, sides);
    int status = 0;

    *r = (struct audit_result){ .sampled = options->n_samples > 0 };
    if (r->sampled && !(m = model_messages(m, err)))
        return -1;
    for (size_t i = n; i-- > 0 && status == 0;) {
        /* the samples are spread over the sides */
        uint64_t share = options->n_samples / n + (i < options->n_samples % n);

        if (r->sampled)
            status = sample_side(r, m, &sides[i], r->stopped ? 0 : share, options, err);
        else
            add_side(r, m, &sides[i]);
    }
    if (!r->sampled)
        status = decide_sides(r, m, options, err);
    if (status)
        audit_result_free(r);
    return status;
}

int audit_alone(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
                const struct audit_options *options, struct hagg_err *err)
{
    uint32_t missing =
        bounds->missing < m->n_clients - 1 ? bounds->missing : (uint32_t)m->n_clients - 1;
    const struct audit_side sides[] = {
        { .stations = 1, .missing = missing },
        { .relays = 1, .missing = missing },
        { .federator = true, .missing = missing },
    };
    const bool allowed[] = { bounds->stations > 0,
                             bounds->relays > 0 || m->n_relays == 0 || bounds->relays_see_total,
                             true };
    /* A node learns no more than a set with it: if no set that the bounds allow learns anything,
     * neither do its members. If the search was stopped, there are enough leaks. */
    const bool done = !r->sampled && (r->n_leaks == 0 || r->stopped);

    r->relays_see_total = bounds->relays_see_total;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        /* sets that the bounds allow are counted already, or sampled */
        bool counted = !r->sampled && !allowed[i];
        uint64_t n_checked = r->n_checked;
        struct audit_side uncounted = sides[i], *side = &uncounted;

        if (sets_count(m, &sides[i]) == 0 || (allowed[i] && done) ||
            (sides[i].relays > 0 && bounds->relays_see_total))
            continue;
        if (counted)
            side = add_side(r, m, &sides[i]);
        if (!r->timed_out && decide_side(r, m, side, options, err)) {
            if (!r->sampled || err->status != HAGG_E_USAGE)
                return -1;
            /* too many sets of missing clients, which is why the caller samples */
            *err = (struct hagg_err){ 0 };
            r->stopped = true;
        }
        if (!counted)
            r->n_checked = n_checked;
    }
    r->alone = !r->timed_out;
    return 0;
}

int audit_seeds(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
                struct hagg_err *err)
{
    if (!m->rest || !topology_has_seeds(&m->rest->plan->topology))
        return 0;
    r->unlimited = calloc(1, sizeof *r->unlimited);
    if (!r->unlimited)
        return err_errno(err, "no memory for the clients of a plan");
    if (unlimited_new(r->unlimited, m, bounds, err) == 0)
        return 0;
    if (err->status != HAGG_E_TOO_FEW)
        return -1;
    /* the time is up: this stays undecided */
    *err = (struct hagg_err){ 0 };
    r->unlimited->open = true;
    return 0;
}

int audit_verify(struct audit_result *r, const struct model *m, const struct audit_options *options,
                 struct hagg_err *err)
{
    if (!m->rest || r->n_leaks > 0)
        return 0;
    return confirm_proof(r, m, options->n_verify, options->seed, options->progress, err);
}

/* True if the set has a relay that passes on what the federator sees. */
static bool may_learn_total(const struct model *m, const struct coalition *who)
{
    bool found = false;

    for (uint32_t i = 1; i <= m->n_relays; i++)
        found = found || who->nodes[model_relay(m, i)];
    return found && m->rest && m->rest->plan->topology.aligned;
}

/* What the coalition of m learns if it has the seeds of everybody, too. */
static int learn_with_seeds(struct audit_result *r, const struct model *m,
                            const struct coalition *who, bool total, struct hagg_err *err)
{
    struct coalition same = { 0 };
    struct model all = { 0 };
    int status = model_build_unlimited(&all, m->rest->plan, m->rest->most_terms, err);

    all.deadline = m->deadline;
    if (status == 0)
        status = coalition_translate(&same, &all, who, m, err);
    same.total = total;
    if (status == 0)
        status = learnt_new(&r->with_seeds, &all, &same, err);
    r->has_unlimited = status == 0;
    coalition_free(&same);
    model_free(&all);
    return status;
}

int audit_one(struct audit_result *r, const struct model *m, const struct coalition *who,
              struct hagg_err *err)
{
    const struct model *messages = model_messages(m, err);
    bool total = may_learn_total(m, who);
    struct audit_leak *leak;

    *r = (struct audit_result){ .one = true, .n_sets = 1, .n_checked = 1 };
    if (!messages)
        return -1;
    if (m->rest && topology_has_seeds(&m->rest->plan->topology) &&
        learn_with_seeds(r, m, who, total, err))
        return -1;
    leak = r->leaks = calloc(1, sizeof *leak);
    r->n_leaks = leak ? 1 : 0;
    if (!leak)
        err_errno(err, "no memory for a coalition");
    if (!leak || coalition_copy(&leak->who, who, messages, err)) {
        audit_result_free(r);
        return -1;
    }
    leak->who.total = total;
    if (learnt_new(&leak->learnt, messages, &leak->who, err)) {
        audit_result_free(r);
        return -1;
    }
    if (leak->learnt.rank == 0) {
        coalition_free(&leak->who);
        learnt_free(&leak->learnt);
        r->n_leaks = 0;
    }
    return 0;
}

void audit_result_free(struct audit_result *r)
{
    for (size_t i = 0; i < r->n_leaks; i++) {
        coalition_free(&r->leaks[i].who);
        learnt_free(&r->leaks[i].learnt);
    }
    free(r->leaks);
    if (r->unlimited)
        unlimited_free(r->unlimited);
    free(r->unlimited);
    learnt_free(&r->with_seeds);
    *r = (struct audit_result){ 0 };
}

/* 1: private; 0: not; -1: error, where HAGG_E_USAGE means that it cannot be decided, and
 * HAGG_E_TOO_FEW that there was not enough time. */
static int is_private(const struct model *m, const struct audit_bounds *bounds,
                      const struct audit_options *options, struct hagg_err *err)
{
    struct audit_options first = *options;
    struct audit_result r;
    int answer;

    /* the sum is the vector of the only honest client */
    if ((uint64_t)bounds->clients + bounds->missing + 2 > m->n_clients)
        return 0;
    answer = options->each ? PROOF_OPEN : structure_decide(m, bounds, options->progress, err);
    if (answer != PROOF_OPEN)
        return answer == PROOF_ERROR ? -1 : answer == PROOF_PRIVATE;
    /* more stations than the plan allows are often a leak that is found at once */
    if (m->rest && bounds->stations > m->rest->plan->topology.collude_stations) {
        answer = single_leaks(m, bounds->stations, err);
        if (answer)
            return answer < 0 ? -1 : 0;
    }
    first.n_samples = 0;
    first.max_leaks = 1;
    first.max_columns = MAX_COLUMNS;
    if (audit_run(&r, m, bounds, &first, err))
        return -1;
    answer = r.n_leaks == 0;
    if (answer && r.timed_out)
        answer = model_check_time(m, err);
    audit_result_free(&r);
    return answer;
}

int audit_max(struct audit_most *most, const struct model *m, const struct audit_bounds *bounds,
              enum audit_party party, const struct audit_options *options, struct hagg_err *err)
{
    struct audit_bounds b = *bounds;
    uint32_t *bound = party == AUDIT_CLIENTS    ? &b.clients
                      : party == AUDIT_STATIONS ? &b.stations
                                                : &b.relays;
    uint32_t limit = party == AUDIT_CLIENTS    ? (uint32_t)m->n_clients
                     : party == AUDIT_STATIONS ? m->n_stations
                                               : m->n_relays;
    uint32_t good = 0, bad = limit + 1, next = 0;

    *most = (struct audit_most){ 0 };
    if (party == AUDIT_RELAYS && bounds->relays_see_total) {
        int answer = is_private(m, bounds, options, err);

        most->none = answer == 0;
        most->n = answer == 1 ? limit : 0;
        return answer < 0 ? -1 : 0;
    }
    do {
        int answer;

        *bound = next;
        answer = is_private(m, &b, options, err);
        if (answer < 0 &&
            ((err->status != HAGG_E_USAGE && err->status != HAGG_E_TOO_FEW) || next == 0))
            return -1;
        if (answer == 1)
            good = next;
        else {
            bad = next;
            most->at_least = answer < 0;
        }
        most->none = bad == 0;
        /* doubles until the number is too large, then bisects */
        if (bad > limit)
            next = next >= limit ? bad : 2 * next < limit ? 2 * next + 1 : limit;
        else
            next = good + (bad - good) / 2;
    } while (next > good && next < bad);
    *err = (struct hagg_err){ 0 };
    most->n = good;
    return 0;
}
