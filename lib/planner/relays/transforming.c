#include "planner/relays/transforming.h"

#include <stdlib.h>
#include <string.h>

#include "planner/relays/meeting.h"

struct transformer {
    const struct plan *p;
    const struct instance *in;
    uint32_t n_relays, need; /* need: the smallest number of relays for a sharing */
    uint32_t *size;       /* size[m]: relays used by the cheapest sharing over some of m relays */
    uint32_t *n_reaching; /* by relay: stations of the current set that reach it */
};

static bool has_sharing(const struct plan *p, uint32_t n, struct hagg_scheme_shape *shape,
                        struct scheme_prefixes *prefixes)
{
    struct hagg_err why;
    uint32_t k, z;

    return plan_prefixes(p, 1, n, &k, &z, shape, prefixes, &why) == 0 &&
           (!shape->uses_points || n < p->field->info.order);
}

uint32_t transforming_need(const struct plan *p)
{
    struct scheme_prefixes prefixes;
    struct hagg_scheme_shape shape;

    for (uint32_t n = 1; n <= p->topology.n_relays; n++)
        if (has_sharing(p, n, &shape, &prefixes))
            return n;
    return 0;
}

/* With some schemes fewer relays are cheaper. */
uint32_t transforming_cheapest(const struct plan *p, uint32_t n, double *rate, double *fee)
{
    uint32_t best = 0;

    for (uint32_t m = 1; m <= n; m++) {
        struct scheme_prefixes prefixes;
        struct hagg_scheme_shape shape;

        if (!has_sharing(p, m, &shape, &prefixes))
            continue;
        double other = (double)m * shape.symbols / shape.parts;
        if (best == 0 || other < *rate) {
            best = m;
            *rate = other;
            *fee = (double)m * prefixes.all[0].symbols / shape.parts;
        }
    }
    return best;
}

static void fill_sizes(struct transformer *tr)
{
    double rate, fee;

    for (uint32_t m = 1; m <= tr->n_relays; m++)
        tr->size[m] = transforming_cheapest(tr->p, m, &rate, &fee);
}

static int prepare(struct transformer *tr, struct hagg_err *err)
{
    tr->n_relays = tr->p->topology.n_relays;
    tr->size = calloc(tr->n_relays + (size_t)1, sizeof *tr->size);
    tr->n_reaching = calloc(tr->n_relays + (size_t)1, sizeof *tr->n_reaching);
    if (!tr->size || !tr->n_reaching)
        return err_errno(err, "no memory to choose relays");
    fill_sizes(tr);
    tr->need = transforming_need(tr->p);
    if (tr->need == 0)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: %u relays are too few for a sharing of their own: %u may collude and "
                       "%u may be missing",
                       tr->p->name, tr->n_relays, tr->p->topology.collude_relays,
                       tr->p->topology.drop_relays);
    return 0;
}

/* The number of relays that all n stations of the set reach. Sets n_reaching. */
static uint32_t count_common(struct transformer *tr, const uint64_t *set, uint32_t n)
{
    uint32_t n_common = 0;

    memset(tr->n_reaching, 0, (tr->n_relays + (size_t)1) * sizeof *tr->n_reaching);
    for (uint32_t s = 1; s <= tr->in->n_stations; s++) {
        const struct topology_list *via = &tr->p->topology.station_via[s - 1];

        for (size_t i = 0; i < via->n && set_has(set, s); i++)
            n_common += ++tr->n_reaching[via->numbers[i]] == n;
    }
    return n_common;
}

/* The station of the set whose removal makes most relays common to all others; among equals, the
 * one that reaches the fewest relays. n_reaching must be that of the set. */
static uint32_t worst_station(const struct transformer *tr, const uint64_t *set, uint32_t n)
{
    uint32_t worst = 0;
    size_t best_reach = 0, best_rest = 0;

    for (uint32_t s = 1; s <= tr->in->n_stations; s++) {
        const struct topology_list *via = &tr->p->topology.station_via[s - 1];
        size_t nearly = 0; /* relays that it and all but one of the others reach */

        if (!set_has(set, s))
            continue;
        for (size_t i = 0; i < via->n; i++)
            nearly += tr->n_reaching[via->numbers[i]] == n - 1;
        if (worst == 0 || nearly < best_reach || (nearly == best_reach && via->n < best_rest)) {
            worst = s;
            best_reach = nearly;
            best_rest = via->n;
        }
    }
    return worst;
}

/* Removes stations from the set until the others have enough relays in common and are no more than
 * the cheapest sharing uses. */
static bool shrink(struct transformer *tr, uint64_t *set)
{
    uint32_t n = set_count(set, tr->in->n_words);

    while (tr->in->size[n] > 0 && (count_common(tr, set, n) < tr->need || n > tr->in->size[n])) {
        uint32_t s = worst_station(tr, set, n--);

        set[(s - 1) / 64] &= ~(UINT64_C(1) << (s - 1) % 64);
    }
    return tr->in->size[n] > 0;
}

/* Shrinks the whole reach of a reach class. Removing one station at a time is fast but can fail;
 * then it uses the largest set of stations with common relays that meeting finds. */
static int shrink_reach(struct transformer *tr, uint32_t reach_class, uint64_t *set, bool *enough,
                        struct hagg_err *err)
{
    const uint64_t *reach = instance_reach(tr->in, reach_class);
    struct meeting meeting;
    int status;

    memcpy(set, reach, tr->in->n_words * sizeof *set);
    *enough = shrink(tr, set);
    if (*enough)
        return 0;
    memcpy(set, reach, tr->in->n_words * sizeof *set);
    if (meeting_begin(&meeting, tr->p, tr->in, err))
        return -1;
    status = meeting_restrict(&meeting, set, err);
    meeting_free(&meeting);
    *enough = status == 0 && shrink(tr, set);
    return status;
}

/* Clients of patterns with too few common relays use their shrunk whole reach. */
static int shrink_all(struct transformer *tr, struct side *side, struct hagg_err *err)
{
    const struct instance *in = tr->in;
    size_t n_patterns = side->n_patterns;
    bool *enough = calloc(n_patterns + 1, sizeof *enough);
    uint32_t *whole = calloc(in->n_reach_classes,
                             sizeof *whole); /* by reach class: 1 + pattern of its whole reach */
    int status = enough && whole ? 0 : err_errno(err, "no memory for a plan");

    for (size_t i = 0; i < n_patterns && status == 0; i++)
        enough[i] = shrink(tr, side->patterns + i * in->n_words);
    for (uint32_t i = 0; i < in->n_clients && status == 0; i++) {
        uint64_t *fresh = side->patterns + side->n_patterns * in->n_words;
        uint32_t reach_class = in->reach_class[i];

        if (enough[side->of[i]])
            continue;
        if (whole[reach_class] == 0) {
            bool found;

            status = shrink_reach(tr, reach_class, fresh, &found, err);
            if (status == 0 && !found)
                status = err_set(err, HAGG_E_PRIVACY,
                                 "%s: found no stations of client %u that have %u relays in "
                                 "common: add links, or let fewer nodes collude or be missing",
                                 tr->p->name, tr->p->topology.clients[i].number, tr->need);
            whole[reach_class] = (uint32_t)++side->n_patterns;
        }
        side->of[i] = whole[reach_class] - 1;
    }
    free(enough);
    free(whole);
    return status;
}

static int list_set(const struct transformer *tr, const uint64_t *set, struct topology_list *list)
{
    list->numbers = malloc((set_count(set, tr->in->n_words) + (size_t)1) * sizeof *list->numbers);
    if (!list->numbers)
        return -1;
    for (uint32_t s = 1; s <= tr->in->n_stations; s++)
        if (set_has(set, s))
            list->numbers[list->n++] = s;
    return 0;
}

/* Lists as many of the relays that all n_stations stations reach as the cheapest sharing uses. */
static int list_relays(struct transformer *tr, const uint64_t *set, uint32_t n_stations,
                       struct topology_list *list)
{
    uint32_t n = tr->size[count_common(tr, set, n_stations)];

    list->numbers = malloc((n + (size_t)1) * sizeof *list->numbers);
    if (!list->numbers)
        return -1;
    for (uint32_t relay = 1; relay <= tr->n_relays && list->n < n; relay++)
        if (tr->n_reaching[relay] == n_stations)
            list->numbers[list->n++] = relay;
    return 0;
}

/* The union of all patterns, if its stations have enough relays in common; otherwise NULL. The
 * caller frees it. */
static uint64_t *all_stations(struct transformer *tr, const struct side *side)
{
    size_t n_words = tr->in->n_words;
    uint64_t *all = calloc(n_words, sizeof *all);

    for (uint32_t c = 0; c < tr->in->n_clients && all; c++)
        for (size_t i = 0; i < n_words; i++)
            all[i] |= side->patterns[side->of[c] * n_words + i];
    if (all && tr->size[count_common(tr, all, set_count(all, n_words))] > 0)
        return all;
    free(all);
    return NULL;
}

int transforming_find(struct side *side, const struct plan *p, const struct instance *in,
                      struct hagg_err *err)
{
    struct transformer tr = { .p = p, .in = in };
    uint64_t *all = NULL;
    int status = prepare(&tr, err);

    if (status == 0)
        status = shrink_all(&tr, side, err);
    if (status == 0 && side->one_set)
        all = all_stations(&tr, side);
    if (status == 0 && !(side->relayed = calloc(side->n_patterns, sizeof *side->relayed)))
        status = err_errno(err, "no memory for a plan");
    for (size_t i = 0; i < side->n_patterns && status == 0; i++) {
        const uint64_t *set = side->patterns + i * in->n_words, *common = all ? all : set;

        if (list_set(&tr, set, &side->relayed[i].stations) ||
            list_relays(&tr, common, set_count(common, in->n_words), &side->relayed[i].relays))
            status = err_errno(err, "no memory for a plan");
    }
    free(all);
    free(tr.size);
    free(tr.n_reaching);
    return status;
}
