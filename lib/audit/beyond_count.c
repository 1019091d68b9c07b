#include "audit/beyond.h"

#include <stdlib.h>
#include <string.h>

#include "audit/findings.h"
#include "audit/hiding.h"
#include "audit/shares_learnt.h"
#include "audit/structure.h"
#include "audit/worst_set.h"
#include "plan/plan_aligned.h"

/* What so many stations learn about each client: docs/audit.md, "Beyond the plan". */
struct count {
    const struct model *m;
    const struct audit_side *side;
    struct shares_learnt shares;
};

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for what coalitions learn");
}

/* Names a coalition that learns the amount, with the given stations. */
static int name(struct beyond_amount *a, const struct count *c, const uint32_t *stations,
                uint32_t n, struct hagg_err *err)
{
    if (a->num == 0 || a->at_most)
        return 0;
    if (coalition_new(&a->who, c->m, err))
        return -1;
    a->who.nodes[MODEL_FEDERATOR] = c->side->federator;
    for (uint32_t i = 0; i < n; i++)
        a->who.nodes[model_station(stations[i])] = true;
    return 0;
}

/* The client that has most to lose: its stations collude. extra is an upper bound for what is
 * learnt about it otherwise. */
static int set_single(struct beyond_amount *a, const struct count *c, uint64_t extra,
                      struct hagg_err *err)
{
    uint64_t most = 0, bound;
    size_t worst = 0;

    for (size_t i = 0; i < c->shares.classes.n; i++)
        if (shares_learnt_most(&c->shares, i) > most) {
            worst = i;
            most = shares_learnt_most(&c->shares, i);
        }
    bound = most + extra < c->shares.den ? most + extra : c->shares.den;
    beyond_set(a, bound, c->shares.den, bound > most);
    a->client = bound == 0 || bound > most ? 0 : c->shares.first_client[worst];
    return name(a, c, c->shares.stations[worst], shares_learnt_colluding(&c->shares, worst), err);
}

/* Finds the stations for which the sum over all clients is largest, or if affected is true, the
 * number of clients about whom something is learnt. The caller frees *stations. */
static int find_worst(const struct count *c, bool affected, uint32_t **stations, uint64_t *most,
                      bool *exact, struct hagg_err *err)
{
    uint32_t size = c->side->stations;
    struct worst_set_class *classes = calloc(c->shares.classes.n + 1, sizeof *classes);
    uint64_t *weights = calloc((c->shares.classes.n + 1) * (size + (size_t)1), sizeof *weights);
    int status = -1;

    *stations = calloc(size + (size_t)1, sizeof **stations);
    if (!classes || !weights || !*stations) {
        no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < c->shares.classes.n; i++) {
        classes[i] =
            (struct worst_set_class){ c->shares.stations[i], shares_learnt_stations(&c->shares, i),
                                      weights + i * (size + (size_t)1) };
        for (uint32_t a = 0; a <= shares_learnt_colluding(&c->shares, i); a++)
            classes[i].weights[a] = c->shares.n_clients[i] * (affected ? c->shares.learnt[i][a] > 0
                                                                       : c->shares.learnt[i][a]);
    }
    status = worst_set_find(classes, c->shares.classes.n, c->m->n_stations, size, *stations, most,
                            exact, err);
out:
    free(classes);
    free(weights);
    return status;
}

static int set_total(struct beyond_amount *a, const struct count *c, uint64_t less, uint64_t more,
                     bool at_most, struct hagg_err *err)
{
    uint32_t *stations;
    uint64_t most;
    bool exact;
    int status = find_worst(c, false, &stations, &most, &exact, err);

    if (status == 0) {
        most += more;
        beyond_set(a, most > less ? most - less : 0, c->shares.den,
                   most > 0 && (at_most || !exact));
        status = name(a, c, stations, c->side->stations, err);
    }
    free(stations);
    return status;
}

/* Multiplies all amounts and their denominator. */
static void refine(struct count *c, uint64_t by)
{
    for (size_t i = 0; i < c->shares.classes.n; i++)
        for (uint32_t a = 0; a <= c->side->stations; a++)
            c->shares.learnt[i][a] *= by;
    c->shares.den *= by;
}

/* Chunks of sums that masks do not hide if all colluding stations are dealers and as many others
 * as possible are missing. */
static uint64_t bare_chunks(const struct count *c)
{
    const struct topology *t = &c->shares.plan->topology;
    uint64_t dealers = t->dealers.n, gone = topology_spares(t, 0) + (uint64_t)c->side->stations;
    uint64_t left = dealers > gone ? dealers - gone : 0, chunks = c->shares.plan->aligned->chunks;

    return left < chunks ? chunks - left : 0;
}

/* An upper bound for the forms in what honest stations send, beyond the total. */
static uint64_t sum_rows(const struct count *c)
{
    const struct plan_aligned *a = c->shares.plan->aligned;
    uint64_t rows = 0;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        rows += a->n_rows[i];
    return rows > a->sharing.n_segments ? rows - a->sharing.n_segments : 0;
}

/* With the federator. If all colluders and missing clients leave two honest clients about whom
 * nothing is learnt, the total tells nothing about one client. If masks hide all chunks, nothing
 * else is learnt. */
static int count_with_total(struct beyond_row *row, struct count *c, bool *exact,
                            struct hagg_err *err)
{
    const struct plan_aligned *a = c->shares.plan->aligned;
    uint64_t gone = (uint64_t)c->side->clients + c->side->missing, affected, single = 0, total = 0;
    uint64_t bare = bare_chunks(c);
    uint32_t *stations;
    bool found;

    if (c->shares.classes.n == 1) {
        *exact = true;
        return set_single(&row->single, c, 0, err) ||
                       set_total(&row->total, c, shares_learnt_most(&c->shares, 0), 0, false, err)
                   ? -1
                   : 1;
    }
    if (find_worst(c, true, &stations, &affected, &found, err)) {
        free(stations);
        return -1;
    }
    free(stations);
    *exact = bare == 0 && c->m->n_clients >= affected + gone + 2;
    if (c->m->n_clients < affected + gone + 2)
        for (size_t i = 0; i < c->shares.classes.n; i++) {
            uint64_t own = shares_learnt_most(&c->shares, i);

            single = own > single ? own : single;
        }
    if (bare > 0) {
        refine(c, a->chunks);
        single = single * a->chunks + bare * a->sharing.n_segments;
        total = bare * sum_rows(c);
    }
    return set_single(&row->single, c, single, err) ||
                   set_total(&row->total, c, 0, total, !*exact, err)
               ? -1
               : 1;
}

static int count_aligned(struct beyond_row *row, struct count *c, bool *exact, struct hagg_err *err)
{
    const struct audit_side *s = c->side;
    uint32_t z = c->shares.plan->aligned->sharing.z;
    struct audit_side within = *s;
    int holds;

    within.stations = s->stations < z ? s->stations : z;
    holds = structure_holds(c->m, &within, NULL, err);
    if (holds != 1)
        return holds;
    if ((uint64_t)s->clients + s->missing + 2 > c->m->n_clients)
        return 0;
    if (shares_learnt_aligned(&c->shares, err))
        return -1;
    if (s->federator)
        return count_with_total(row, c, exact, err);
    if (set_single(&row->single, c, 0, err) || set_total(&row->total, c, 0, 0, false, err))
        return -1;
    *exact = !row->total.at_most;
    return 1;
}

/* What the first a holders of a sharing of the plan learn, for a up to the colluding stations; an
 * upper bound if the scheme has no points. */
static int learn_sharing(const struct count *c, uint32_t n, uint64_t *learnt, uint64_t *parts,
                         struct hagg_err *err)
{
    struct sharing s;
    uint32_t most = n < c->side->stations ? n : c->side->stations;
    int holds;

    if (plan_sharing(c->shares.plan, 0, n, NULL, &s, err))
        return -1;
    *parts = s.shape.parts;
    holds = hiding_by_points(&s) ? 2 : hiding_from(&s, s.z, err);
    if (holds == 2)
        holds = shares_learnt_add(learnt, &s, most, 1, err) ? -1 : 1;
    else if (holds == 1)
        /* each symbol of another holder reveals at most one combination */
        for (uint64_t a = s.z + 1; a <= most; a++)
            learnt[a] = (a - s.z) * s.shape.symbols < *parts ? (a - s.z) * s.shape.symbols : *parts;
    sharing_free(&s);
    return holds;
}

/* Sets c->shares.learnt for the sharings of vectors. 0: the scheme is not known to hide anything,
 * or there are too many part counts. */
static int learn_keys(struct count *c, struct hagg_err *err)
{
    uint64_t *parts = calloc(c->shares.classes.n + 1, sizeof *parts);
    int holds = parts ? 1 : no_memory(err);

    c->shares.den = 1;
    for (size_t i = 0; i < c->shares.classes.n && holds == 1; i++) {
        size_t num = c->shares.den, rest;

        holds = learn_sharing(c, shares_learnt_stations(&c->shares, i), c->shares.learnt[i],
                              &parts[i], err);
        if (holds != 1)
            break;
        rest = parts[i];
        findings_lowest(&num, &rest);
        c->shares.den *= rest;
        holds = c->shares.den < UINT32_MAX;
    }
    for (size_t i = 0; i < c->shares.classes.n && holds == 1; i++)
        for (uint32_t a = 0; a <= c->side->stations; a++)
            c->shares.learnt[i][a] *= c->shares.den / parts[i];
    free(parts);
    return holds;
}

/* The coalition of the key station of a client and of other stations that have its shares: they
 * learn the key, and so much of the vector as of the sum of both. */
static int set_with_key(struct beyond_row *row, const struct count *c, struct hagg_err *err)
{
    const struct topology *t = &c->shares.plan->topology;
    struct beyond_amount *single = &row->single;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t class = c->shares.classes.of_group[t->clients[i].group],
                 n = shares_learnt_stations(&c->shares, class), at = 0;
        uint32_t key = plan_key_station(&t->groups[t->clients[i].group]),
                 *first = c->shares.stations[class];

        while (at < n && first[at] != key)
            at++;
        if (at == n || shares_learnt_most(&c->shares, class) < single->num)
            continue;
        for (; at > 0; at--)
            first[at] = first[at - 1];
        first[0] = key;
        single->at_most = false;
        single->client = t->clients[i].number;
        return name(single, c, first, shares_learnt_colluding(&c->shares, class), err);
    }
    return 0;
}

/* Stations learn no more about vectors than about the sums of vectors and keys. */
static int count_keys(struct beyond_row *row, struct count *c, bool *exact, struct hagg_err *err)
{
    int holds;

    if (c->side->federator || c->side->relays > 0)
        return 0;
    holds = learn_keys(c, err);
    if (holds != 1)
        return holds;
    if (set_single(&row->single, c, 0, err) || set_total(&row->total, c, 0, 0, true, err))
        return -1;
    *exact = row->single.num == 0;
    if (*exact)
        return 1;
    beyond_set(&row->single, row->single.num, row->single.den, true);
    return !c->shares.plan->topology.full && set_with_key(row, c, err) ? -1 : 1;
}

int beyond_count(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                 bool *exact, struct hagg_err *err)
{
    struct count c = { .m = m, .side = s };
    int answer;

    *exact = false;
    if (!m->rest)
        return 0;
    answer = shares_learnt_new(&c.shares, m->rest->plan, s->stations, err) ? -1
             : m->rest->plan->aligned ? count_aligned(row, &c, exact, err)
                                      : count_keys(row, &c, exact, err);
    shares_learnt_free(&c.shares);
    return answer;
}
