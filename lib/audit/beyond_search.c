#include "audit/beyond.h"

#include "audit/findings.h"
#include "audit/model_build.h"
#include "audit/sets.h"

/* Limits for a search of about a minute: sets of profiles, terms of the messages, and the product
 * of the latter with the number of coalitions. */
#define MAX_EMPTIED 100000u
#define MAX_TERMS   100000u
#define MAX_WORK    UINT64_C(50000000)

/* Replaces the amount if the coalition learns more. */
static int raise(struct beyond_amount *a, const struct model *m, const struct coalition *who,
                 size_t rank, uint32_t cut, uint32_t client, struct hagg_err *err)
{
    size_t num = rank, den = cut;

    if ((unsigned __int128)rank * a->den <= (unsigned __int128)a->num * cut)
        return 0;
    findings_lowest(&num, &den);
    beyond_set(a, num, den, false);
    a->client = client;
    return coalition_copy(&a->who, who, m, err);
}

static int examine(struct beyond_row *row, const struct model *m, const struct coalition *who,
                   struct hagg_err *err)
{
    struct learnt l;
    int status = learnt_new(&l, m, who, err);

    if (status)
        return -1;
    status = raise(&row->total, m, who, l.rank, l.cut, 0, err);
    /* the clients of whom most is learnt are listed first */
    if (status == 0 && l.n_parts > 0 && l.parts[0].kind == LEARNT_EACH)
        status = raise(&row->single, m, who, l.parts[0].rank, l.cut,
                       (uint32_t)l.parts[0].clients.ranges[0].first, err);
    learnt_free(&l);
    return status;
}

/* The clients of these profiles collude or are missing, all but `keep` of each. More is learnt in
 * all if they are missing. */
static void empty(struct coalition *c, const struct model *m, const struct audit_side *s,
                  const uint32_t *profiles, size_t n, uint32_t *used, size_t keep)
{
    for (size_t i = 0; i < n; i++) {
        const struct model_profile *p = &m->profiles[profiles[i]];

        for (size_t j = keep; j < p->n_clients; j++, ++*used)
            c->clients[p->first + j] = *used < s->missing ? COALITION_MISSING : COALITION_MEMBER;
    }
}

/* Examines a coalition with all clients of the other profiles honest, and with only one of one of
 * them: what is learnt about the sum of a profile is then learnt about this client. */
static int examine_emptied(struct beyond_row *row, const struct model *m,
                           const struct audit_side *s, uint64_t stations, uint64_t relays,
                           const uint32_t *profiles, size_t n, struct hagg_err *err)
{
    uint32_t budget = s->clients + s->missing;

    for (uint32_t one = 0; one <= m->n_profiles; one++) {
        struct coalition who = { 0 };
        uint32_t used = 0, last = one - 1;
        int status = sets_coalition(&who, m, s, stations, relays, NULL, 0, err);

        if (status == 0) {
            empty(&who, m, s, profiles, n, &used, 0);
            if (one > 0 && (coalition_count(&who, m, last, COALITION_HONEST) < 2 ||
                            m->profiles[last].n_clients - 1 > budget - used)) {
                coalition_free(&who);
                continue;
            }
            if (one > 0)
                empty(&who, m, s, &last, 1, &used, 1);
            status = examine(row, m, &who, err);
        }
        coalition_free(&who);
        if (status)
            return -1;
    }
    return 0;
}

static int search(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                  const struct sets_emptied *e, struct hagg_err *err)
{
    uint64_t n_s = sets_choose(m->n_stations, s->stations);
    uint64_t n_r = sets_choose(m->n_relays, s->relays);
    uint64_t n = sets_times(e->n_sets, sets_times(n_s, n_r));

    if (sets_times(n, m->n_terms + m->n_profiles) > MAX_WORK)
        return 0;
    beyond_set(&row->single, 0, 1, false);
    beyond_set(&row->total, 0, 1, false);
    for (uint64_t i = 0; i < n; i++) {
        size_t at = (size_t)(i / (n_s * n_r)), first = e->starts[at];

        if (examine_emptied(row, m, s, i / n_r % n_s, i % n_r, e->profiles + first,
                            e->starts[at + 1] - first, err))
            return -1;
    }
    return 1;
}

/* About as many terms as the messages have: those of a station's shares, and of its masks. */
static uint64_t estimate_terms(const struct plan *p)
{
    const struct topology *t = &p->topology;
    uint64_t shares = 0, stations = t->n_stations;

    for (size_t g = 0; g < t->n_groups; g++) {
        uint64_t n = topology_shares(&t->groups[g])->n;

        shares += n * (p->aligned ? t->segments : n);
    }
    return shares + t->dealers.n * stations * t->segments;
}

/* True if the masks of a sum are all those that the dealers made. If some may be missing, a
 * coalition learns more than the messages of the model reveal. */
static bool has_all_masks(const struct model *m)
{
    const struct topology *t = m->rest ? &m->rest->plan->topology : NULL;

    return !t || !t->aligned || t->dealers.n == 0 || topology_spares(t, 0) == 0;
}

int beyond_search(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                  struct hagg_err *err)
{
    struct sets_emptied emptied = { 0 };
    struct model all = { 0 };
    struct beyond_row found = { .party = row->party,
                                .colluders = row->colluders,
                                .federator = row->federator };
    int answer;

    if (!has_all_masks(m) || (m->rest && estimate_terms(m->rest->plan) > MAX_TERMS))
        return 0;
    answer = m->rest && model_build(&all, m->rest->plan, 0, err) ? -1 : 1;
    all.deadline = m->deadline;
    if (answer == 1)
        answer = sets_emptied_new(&emptied, m, s, MAX_EMPTIED, err) ? -1 : 1;
    if (answer == 1)
        answer = search(&found, m->rest ? &all : m, s, &emptied, err);
    if (answer == 1) {
        struct beyond_row old = *row;

        *row = found;
        found = old;
    }
    /* too large, or the time is up */
    if (answer < 0 && (err->status == HAGG_E_USAGE || err->status == HAGG_E_TOO_FEW)) {
        *err = (struct hagg_err){ 0 };
        answer = 0;
    }
    coalition_free(&found.single.who);
    coalition_free(&found.total.who);
    sets_emptied_free(&emptied);
    model_free(&all);
    return answer;
}
