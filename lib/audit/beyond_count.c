#include "audit/beyond.h"

#include <stdlib.h>
#include <string.h>

#include "audit/findings.h"
#include "audit/hiding.h"
#include "audit/structure.h"
#include "audit/worst_set.h"
#include "plan/plan_aligned.h"

/* What a number of stations learns about each client, in forms: docs/audit.md, "Beyond the plan".
 * A form is 1 / den of the length of a vector. */
struct count {
    const struct model *m;
    const struct plan *plan;
    const struct audit_side *side;
    struct plan_patterns classes; /* clients with the same stations */
    uint64_t *n_clients;          /* by class */
    uint32_t *first_client;       /* by class: its number */
    uint32_t **stations;          /* by class: numbers, ascending */
    uint64_t **learnt;            /* by class: about a client, by number of its stations */
    uint64_t den;
};

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for what coalitions learn");
}

static void count_free(struct count *c)
{
    for (size_t i = 0; c->learnt && i < c->classes.n; i++)
        free(c->learnt[i]);
    for (size_t i = 0; c->stations && i < c->classes.n; i++)
        free(c->stations[i]);
    free(c->learnt);
    free(c->stations);
    free(c->n_clients);
    free(c->first_client);
    plan_patterns_free(&c->classes);
}

static uint32_t n_stations(const struct count *c, size_t class)
{
    return (uint32_t)c->classes.routes[class].lists[0]->n;
}

/* As many of the stations of the class as collude. */
static uint32_t n_colluding(const struct count *c, size_t class)
{
    uint32_t n = n_stations(c, class);

    return n < c->side->stations ? n : c->side->stations;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Sorts the stations of a class. */
static int sort_stations(struct count *c, size_t class, struct hagg_err *err)
{
    size_t n = n_stations(c, class);

    c->learnt[class] = calloc(c->side->stations + (size_t)1, sizeof **c->learnt);
    c->stations[class] = calloc(n + 1, sizeof **c->stations);
    if (!c->learnt[class] || !c->stations[class])
        return no_memory(err);
    memcpy(c->stations[class], c->classes.routes[class].lists[0]->numbers,
           n * sizeof **c->stations);
    qsort(c->stations[class], n, sizeof **c->stations, compare);
    return 0;
}

static int count_new(struct count *c, struct hagg_err *err)
{
    const struct topology *t = &c->plan->topology;

    if (plan_patterns_new(&c->classes, c->plan, PLAN_SHARES, 0, err))
        return -1;
    c->n_clients = calloc(c->classes.n + 1, sizeof *c->n_clients);
    c->first_client = calloc(c->classes.n + 1, sizeof *c->first_client);
    c->learnt = calloc(c->classes.n + 1, sizeof *c->learnt);
    c->stations = calloc(c->classes.n + 1, sizeof *c->stations);
    if (!c->n_clients || !c->first_client || !c->learnt || !c->stations)
        return no_memory(err);
    for (size_t i = 0; i < c->classes.n; i++)
        if (sort_stations(c, i, err))
            return -1;
    for (size_t i = t->n_clients; i-- > 0;) {
        uint32_t class = c->classes.of_group[t->clients[i].group];

        c->n_clients[class]++;
        c->first_client[class] = t->clients[i].number;
    }
    return 0;
}

/* Adds what the first a holders learn of a sharing, times n, for a up to most. Of a sharing by
 * points, other holders learn as much. */
static int add_learnt(uint64_t *learnt, const struct sharing *s, uint32_t most, uint64_t n,
                      struct hagg_err *err)
{
    uint32_t *chosen = calloc(most + (size_t)1, sizeof *chosen);
    int status = chosen ? 0 : no_memory(err);

    for (uint32_t a = 0; a < most && status == 0; a++)
        chosen[a] = a;
    for (uint32_t a = 1; a <= most && status == 0; a++) {
        size_t forms = 0;

        status = hiding_learnt(s, chosen, a, &forms, err);
        learnt[a] += n * forms;
    }
    free(chosen);
    return status;
}

/* Adds what is learnt about n blocks like the one of segments first .. end - 1. */
static int add_blocks(struct count *c, size_t class, const uint32_t *holders, uint32_t first,
                      uint32_t end, uint64_t n, struct hagg_err *err)
{
    const struct plan_aligned *a = c->plan->aligned;
    const struct aligned sharing = plan_aligned_class(a, class);
    struct sharing block;
    int status;

    if (n == 0 || first == end)
        return 0;
    if (aligned_block(&sharing, c->plan->scheme, holders, n_stations(c, class), first, end, NULL,
                      &block, err))
        return -1;
    status = add_learnt(c->learnt[class], &block, n_colluding(c, class), n, err);
    sharing_free(&block);
    return status;
}

/* Matrices of classes with as many stations differ in factors of rows and columns only, so one of
 * them is enough. */
static int learn_aligned(struct count *c, struct hagg_err *err)
{
    const struct plan_aligned *a = c->plan->aligned;
    uint32_t n = a->sharing.n_segments;
    uint32_t *holders = calloc(a->sharing.n + (size_t)1, sizeof *holders);
    int status = holders ? 0 : no_memory(err);

    c->den = n;
    for (size_t class = 0; class < c->classes.n && status == 0; class ++) {
        uint32_t v = a->parts[class], short_block = n % v;
        size_t like = 0;

        while (n_stations(c, like) != n_stations(c, class))
            like++;
        for (uint32_t i = 0; like < class && i <= c->side->stations; i++)
            c->learnt[class][i] = c->learnt[like][i];
        if (like < class)
            continue;
        plan_aligned_holders(a, class, holders);
        status = add_blocks(c, class, holders, 0, v, n / v, err) ||
                         add_blocks(c, class, holders, n - short_block, n, 1, err)
                     ? -1
                     : 0;
    }
    free(holders);
    return status;
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

    for (size_t i = 0; i < c->classes.n; i++)
        if (c->learnt[i][n_colluding(c, i)] > most) {
            worst = i;
            most = c->learnt[i][n_colluding(c, i)];
        }
    bound = most + extra < c->den ? most + extra : c->den;
    beyond_set(a, bound, c->den, bound > most);
    a->client = bound == 0 || bound > most ? 0 : c->first_client[worst];
    return name(a, c, c->stations[worst], n_colluding(c, worst), err);
}

/* Finds the stations for which the sum over all clients is largest, or if affected is true, the
 * number of clients about whom something is learnt. The caller frees *stations. */
static int find_worst(const struct count *c, bool affected, uint32_t **stations, uint64_t *most,
                      bool *exact, struct hagg_err *err)
{
    uint32_t size = c->side->stations;
    struct worst_set_class *classes = calloc(c->classes.n + 1, sizeof *classes);
    uint64_t *weights = calloc((c->classes.n + 1) * (size + (size_t)1), sizeof *weights);
    int status = -1;

    *stations = calloc(size + (size_t)1, sizeof **stations);
    if (!classes || !weights || !*stations) {
        no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < c->classes.n; i++) {
        classes[i] = (struct worst_set_class){ c->stations[i], n_stations(c, i),
                                               weights + i * (size + (size_t)1) };
        for (uint32_t a = 0; a <= n_colluding(c, i); a++)
            classes[i].weights[a] =
                c->n_clients[i] * (affected ? c->learnt[i][a] > 0 : c->learnt[i][a]);
    }
    status =
        worst_set_find(classes, c->classes.n, c->m->n_stations, size, *stations, most, exact, err);
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
        beyond_set(a, most > less ? most - less : 0, c->den, most > 0 && (at_most || !exact));
        status = name(a, c, stations, c->side->stations, err);
    }
    free(stations);
    return status;
}

/* Multiplies all amounts and their denominator. */
static void refine(struct count *c, uint64_t by)
{
    for (size_t i = 0; i < c->classes.n; i++)
        for (uint32_t a = 0; a <= c->side->stations; a++)
            c->learnt[i][a] *= by;
    c->den *= by;
}

/* Chunks of sums that masks do not hide if all colluding stations are dealers and as many others
 * as possible are missing. */
static uint64_t bare_chunks(const struct count *c)
{
    const struct topology *t = &c->plan->topology;
    uint64_t dealers = t->dealers.n, gone = topology_spares(t, 0) + (uint64_t)c->side->stations;
    uint64_t left = dealers > gone ? dealers - gone : 0, chunks = c->plan->aligned->chunks;

    return left < chunks ? chunks - left : 0;
}

/* An upper bound for the forms in what honest stations send, beyond the total. */
static uint64_t sum_rows(const struct count *c)
{
    const struct plan_aligned *a = c->plan->aligned;
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
    const struct plan_aligned *a = c->plan->aligned;
    uint64_t gone = (uint64_t)c->side->clients + c->side->missing, affected, single = 0, total = 0;
    uint64_t bare = bare_chunks(c);
    uint32_t *stations;
    bool found;

    if (c->classes.n == 1) {
        *exact = true;
        return set_single(&row->single, c, 0, err) ||
                       set_total(&row->total, c, c->learnt[0][n_colluding(c, 0)], 0, false, err)
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
        for (size_t i = 0; i < c->classes.n; i++) {
            uint64_t own = c->learnt[i][n_colluding(c, i)];

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
    uint32_t z = c->plan->aligned->sharing.z;
    struct audit_side within = *s;
    int holds;

    within.stations = s->stations < z ? s->stations : z;
    holds = structure_holds(c->m, &within, NULL, err);
    if (holds != 1)
        return holds;
    if ((uint64_t)s->clients + s->missing + 2 > c->m->n_clients)
        return 0;
    if (learn_aligned(c, err))
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

    if (plan_sharing(c->plan, 0, n, NULL, &s, err))
        return -1;
    *parts = s.shape.parts;
    holds = hiding_by_points(&s) ? 2 : hiding_from(&s, s.z, err);
    if (holds == 2)
        holds = add_learnt(learnt, &s, most, 1, err) ? -1 : 1;
    else if (holds == 1)
        /* each symbol of another holder reveals at most one combination */
        for (uint64_t a = s.z + 1; a <= most; a++)
            learnt[a] = (a - s.z) * s.shape.symbols < *parts ? (a - s.z) * s.shape.symbols : *parts;
    sharing_free(&s);
    return holds;
}

/* Sets c->learnt for the sharings of vectors. 0: the scheme is not known to hide anything, or there
 * are too many part counts. */
static int learn_keys(struct count *c, struct hagg_err *err)
{
    uint64_t *parts = calloc(c->classes.n + 1, sizeof *parts);
    int holds = parts ? 1 : no_memory(err);

    c->den = 1;
    for (size_t i = 0; i < c->classes.n && holds == 1; i++) {
        size_t num = c->den, rest;

        holds = learn_sharing(c, n_stations(c, i), c->learnt[i], &parts[i], err);
        if (holds != 1)
            break;
        rest = parts[i];
        findings_lowest(&num, &rest);
        c->den *= rest;
        holds = c->den < UINT32_MAX;
    }
    for (size_t i = 0; i < c->classes.n && holds == 1; i++)
        for (uint32_t a = 0; a <= c->side->stations; a++)
            c->learnt[i][a] *= c->den / parts[i];
    free(parts);
    return holds;
}

/* The coalition of the key station of a client and of other stations that have its shares: they
 * learn the key, and so much of the vector as of the sum of both. */
static int set_with_key(struct beyond_row *row, const struct count *c, struct hagg_err *err)
{
    const struct topology *t = &c->plan->topology;
    struct beyond_amount *single = &row->single;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t class = c->classes.of_group[t->clients[i].group], n = n_stations(c, class), at = 0;
        uint32_t key = plan_key_station(&t->groups[t->clients[i].group]),
                 *first = c->stations[class];

        while (at < n && first[at] != key)
            at++;
        if (at == n || c->learnt[class][n_colluding(c, class)] < single->num)
            continue;
        for (; at > 0; at--)
            first[at] = first[at - 1];
        first[0] = key;
        single->at_most = false;
        single->client = t->clients[i].number;
        return name(single, c, first, n_colluding(c, class), err);
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
    return !c->plan->topology.full && set_with_key(row, c, err) ? -1 : 1;
}

int beyond_of_shares(struct beyond_amount *a, const struct model *m, uint32_t stations,
                     struct hagg_err *err)
{
    const struct audit_side side = { .stations = stations };
    struct count c = { .m = m, .side = &side, .plan = m->rest->plan };
    int status = count_new(&c, err) || learn_aligned(&c, err) || set_single(a, &c, 0, err) ? -1 : 0;

    count_free(&c);
    return status;
}

int beyond_count(struct beyond_row *row, const struct model *m, const struct audit_side *s,
                 bool *exact, struct hagg_err *err)
{
    struct count c = { .m = m, .side = s, .plan = m->rest ? m->rest->plan : NULL };
    int answer;

    *exact = false;
    if (!c.plan)
        return 0;
    answer = count_new(&c, err) ? -1
             : c.plan->aligned  ? count_aligned(row, &c, exact, err)
                                : count_keys(row, &c, exact, err);
    count_free(&c);
    return answer;
}
