#include "planner/relays/relaying.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/relays/matching.h"

/* Smaller gains are rounding errors. */
#define LEAST_GAIN 1e-9

struct relayer {
    const struct topology *t;
    const struct instance *in;
    const uint64_t *patterns, *weights;
    size_t n;
    size_t n_words; /* words per set of relays */
    struct matching matching;
    uint32_t *order;    /* relays, sorted by the number of clients that can use them, most first */
    uint64_t *sets;     /* n sets of relays; sets without members are closed */
    double *clients;    /* of each set: those of its patterns */
    double *members;    /* of each set: number of its patterns */
    double *rate, *fee; /* of each set: of what a client sends, and stations or relays */
    uint32_t *of;       /* the set of each pattern */
};

static uint64_t *set_of(const struct relayer *r, size_t set)
{
    return r->sets + set * r->n_words;
}

static void set_rates(struct relayer *r, size_t set)
{
    uint32_t n = set_count(set_of(r, set), r->n_words);

    n = n <= r->in->n_stations ? n : r->in->n_stations;
    r->rate[set] = r->in->rate[n];
    r->fee[set] = r->in->fee[n];
}

/* The stations of each pattern send a sum, and so do the relays. */
static double cost_of(const struct relayer *r, double n_clients, double n_patterns, double rate,
                      double fee)
{
    return n_clients * rate + (n_patterns + r->in->relay_fee) * fee;
}

static double set_cost(const struct relayer *r, size_t set)
{
    return cost_of(r, r->clients[set], r->members[set], r->rate[set], r->fee[set]);
}

static int by_use(const void *x, const void *y, void *use)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const uint64_t *u = use;

    return u[a] != u[b] ? (u[a] > u[b] ? -1 : 1) : (a > b) - (a < b);
}

static int order_relays(struct relayer *r, struct hagg_err *err)
{
    uint32_t n_relays = r->t->n_relays;
    uint64_t *use = calloc(n_relays + 1, sizeof *use);

    if (!use)
        return err_errno(err, "no memory to choose relays");
    for (size_t p = 0; p < r->n; p++)
        for (uint32_t s = 1; s <= r->in->n_stations; s++)
            if (set_has(r->patterns + p * r->in->n_words, s))
                for (size_t i = 0; i < r->t->station_via[s - 1].n; i++)
                    use[r->t->station_via[s - 1].numbers[i]] += r->weights[p];
    for (uint32_t i = 0; i < n_relays; i++)
        r->order[i] = i + 1;
    qsort_r(r->order, n_relays, sizeof *r->order, by_use, use);
    free(use);
    return 0;
}

/* Gives each pattern the largest set it can have, preferring relays that others can use as well. */
static void start(struct relayer *r)
{
    for (size_t p = 0; p < r->n; p++) {
        uint32_t size;

        matching_start(&r->matching, r->patterns + p * r->in->n_words);
        for (uint32_t i = 0; i < r->t->n_relays; i++)
            matching_join(&r->matching, r->order[i]);
        size = r->in->size[r->matching.n];
        for (uint32_t i = 0; i < size; i++)
            set_put(set_of(r, p), r->matching.joined[i]);
        r->of[p] = (uint32_t)p;
        set_rates(r, p);
        r->clients[p] = (double)r->weights[p];
        r->members[p] = 1;
    }
}

static void move_members(struct relayer *r, size_t from, size_t to)
{
    for (size_t p = 0; p < r->n; p++)
        if (r->of[p] == from)
            r->of[p] = (uint32_t)to;
    r->clients[to] += r->clients[from];
    r->members[to] += r->members[from];
    r->clients[from] = r->members[from] = 0;
}

static bool is_open(const struct relayer *r, size_t set)
{
    return r->members[set] > 0;
}

/* The saving if two sets are replaced by their intersection, which all patterns of both can use. */
static double merge_gain(const struct relayer *r, size_t a, size_t b, uint64_t *meet)
{
    uint32_t n = set_intersect(meet, set_of(r, a), set_of(r, b), r->n_words);
    double rate = n <= r->in->n_stations ? r->in->rate[n] : INFINITY;

    if (isinf(rate))
        return -INFINITY;
    return set_cost(r, a) + set_cost(r, b) -
           cost_of(r, r->clients[a] + r->clients[b], r->members[a] + r->members[b], rate,
                   r->in->fee[n]);
}

/* Merges each set with the partner that saves most, if any does. */
static bool merge_some(struct relayer *r, struct effort *e, uint64_t *meet)
{
    bool merged = false;

    for (size_t a = 0; a < r->n && effort_may_continue(e); a++) {
        double best = LEAST_GAIN;
        size_t partner = a;

        for (size_t b = 0; b < r->n && is_open(r, a); b++) {
            double gain = b != a && is_open(r, b) ? merge_gain(r, a, b, meet) : -INFINITY;

            if (gain > best) {
                best = gain;
                partner = b;
            }
        }
        if (partner == a)
            continue;
        set_intersect(set_of(r, partner), set_of(r, a), set_of(r, partner), r->n_words);
        set_rates(r, partner);
        move_members(r, a, partner);
        merged = true;
    }
    return merged;
}

static bool can_use(struct relayer *r, size_t pattern, const uint64_t *set)
{
    matching_start(&r->matching, r->patterns + pattern * r->in->n_words);
    for (uint32_t relay = 1; relay <= r->t->n_relays; relay++)
        if (set_has(set, relay) && !matching_join(&r->matching, relay))
            return false;
    return true;
}

/* The cheapest open set other than its own that the pattern can use, or its own. */
static size_t best_other(struct relayer *r, size_t pattern)
{
    size_t own = r->of[pattern], best = own;

    for (size_t s = 0; s < r->n; s++)
        if (s != own && is_open(r, s) && (best == own || r->rate[s] < r->rate[best]) &&
            can_use(r, pattern, set_of(r, s)))
            best = s;
    return best;
}

/* Closes sets if moving all their patterns to other sets is cheaper. to is scratch, one entry per
 * pattern. */
static bool close_some(struct relayer *r, struct effort *e, uint32_t *to)
{
    bool closed = false;

    for (size_t set = 0; set < r->n && effort_may_continue(e); set++) {
        double gain = r->fee[set] * r->in->relay_fee;

        for (size_t p = 0; p < r->n && is_open(r, set) && gain > LEAST_GAIN; p++) {
            if (r->of[p] != set)
                continue;
            to[p] = (uint32_t)best_other(r, p);
            gain = to[p] == set ? 0
                                : gain - ((double)r->weights[p] * (r->rate[to[p]] - r->rate[set]) +
                                          r->fee[to[p]] - r->fee[set]);
        }
        if (!is_open(r, set) || gain <= LEAST_GAIN)
            continue;
        for (size_t p = 0; p < r->n; p++)
            if (r->of[p] == set) {
                r->of[p] = to[p];
                r->clients[to[p]] += (double)r->weights[p];
                r->members[to[p]]++;
            }
        r->clients[set] = r->members[set] = 0;
        closed = true;
    }
    return closed;
}

static int improve(struct relayer *r, struct effort *e, struct hagg_err *err)
{
    uint64_t *meet = calloc(r->n_words, sizeof *meet);
    uint32_t *to = calloc(r->n, sizeof *to);
    int status = meet && to ? 0 : err_errno(err, "no memory to choose relays");

    while (status == 0 && (merge_some(r, e, meet) || close_some(r, e, to)))
        ;
    free(meet);
    free(to);
    return status;
}

/* Lists the relays of the pattern's set in ascending order, rotated by turn, and the stations
 * matched with them in the same order. */
static int write_down(struct relayer *r, size_t pattern, uint32_t turn, struct relayed *relayed)
{
    const uint64_t *set = set_of(r, r->of[pattern]);
    uint32_t n = r->in->size[set_count(set, r->n_words)], at = 0;

    relayed->stations.numbers = malloc(n * sizeof *relayed->stations.numbers);
    relayed->relays.numbers = malloc(n * sizeof *relayed->relays.numbers);
    if (!relayed->stations.numbers || !relayed->relays.numbers)
        return -1;
    for (uint32_t relay = 1; relay <= r->t->n_relays && at < n; relay++)
        if (set_has(set, relay)) {
            uint32_t place = (at++ + n - turn) % n;

            relayed->relays.numbers[place] = relay;
            relayed->stations.numbers[place] = r->matching.station_of[relay];
        }
    relayed->stations.n = relayed->relays.n = n;
    return 0;
}

/* True if the pattern can be matched with its set while bound stations keep their relay. */
static bool can_keep(struct relayer *r, size_t pattern, const uint32_t *bound)
{
    bool can;

    r->matching.bound = bound;
    can = can_use(r, pattern, set_of(r, r->of[pattern]));
    r->matching.bound = NULL;
    return can;
}

/*
 * Lists all patterns of a set. If stations may collude with the federator, a station must have the
 * same relay in all patterns that are added up (docs/theory.md, section 6). The same is needed if
 * stations may be missing, because a missing station would otherwise spoil the sums of two relays.
 * A pattern for which this is impossible lists the relays in another order, so it is not added to
 * the others. bound is scratch, one entry per station.
 */
static int write_down_set(struct relayer *r, size_t set, uint32_t *bound, struct relayed *relayed)
{
    bool binds = (r->t->full && r->t->collude_stations > 0) || r->t->drop_stations > 0;
    bool more = true;
    uint32_t n = r->in->size[set_count(set_of(r, set), r->n_words)];

    for (uint32_t turn = 0; more && turn <= n; turn++) {
        more = false;
        memset(bound, 0, (r->in->n_stations + (size_t)1) * sizeof *bound);
        for (size_t p = 0; p < r->n; p++) {
            /* all orders are used up: a later check rejects this plan */
            bool any = !binds || turn == n;

            if (r->of[p] != set || relayed[p].relays.n > 0)
                continue;
            if (!can_keep(r, p, any ? NULL : bound)) {
                more = true;
                continue;
            }
            if (write_down(r, p, turn % n, &relayed[p]))
                return -1;
            for (size_t i = 0; i < n; i++)
                bound[relayed[p].stations.numbers[i]] = relayed[p].relays.numbers[i];
        }
    }
    return 0;
}

static int write_down_all(struct relayer *r, struct relayed *relayed, struct hagg_err *err)
{
    uint32_t *bound = calloc(r->in->n_stations + (size_t)1, sizeof *bound);
    int status = bound ? 0 : -1;

    for (size_t set = 0; set < r->n && status == 0; set++)
        if (is_open(r, set))
            status = write_down_set(r, set, bound, relayed);
    free(bound);
    return status ? err_errno(err, "no memory to choose relays") : 0;
}

/* Patterns with the same stations get the same order and relays, otherwise there would be one more
 * sum to forward. */
struct ending {
    uint64_t *stations; /* as a set */
    size_t n_words;
    struct relayed *relayed;
};

static int compare_endings(const void *x, const void *y)
{
    const struct ending *a = x, *b = y;
    int order = memcmp(a->stations, b->stations, a->n_words * sizeof *a->stations);

    return order ? order : (a->relayed > b->relayed) - (a->relayed < b->relayed);
}

static int align(const struct relayer *r, struct relayed *relayed, struct hagg_err *err)
{
    size_t n_words = r->in->n_words;
    struct ending *endings = calloc(r->n + 1, sizeof *endings);
    uint64_t *sets = calloc(r->n * n_words + 1, sizeof *sets);
    int status = endings && sets ? 0 : err_errno(err, "no memory to choose relays");

    for (size_t p = 0; p < r->n && status == 0; p++) {
        endings[p] = (struct ending){ sets + p * n_words, n_words, &relayed[p] };
        for (size_t i = 0; i < relayed[p].stations.n; i++)
            set_put(endings[p].stations, relayed[p].stations.numbers[i]);
    }
    if (status == 0)
        qsort(endings, r->n, sizeof *endings, compare_endings);
    for (size_t i = 1; i < r->n && status == 0; i++) {
        const struct relayed *from = endings[i - 1].relayed;
        struct relayed *to = endings[i].relayed;

        if (!set_equal(endings[i - 1].stations, endings[i].stations, n_words))
            continue;
        memcpy(to->stations.numbers, from->stations.numbers,
               from->stations.n * sizeof *from->stations.numbers);
        memcpy(to->relays.numbers, from->relays.numbers,
               from->relays.n * sizeof *from->relays.numbers);
    }
    free(endings);
    free(sets);
    return status;
}

static int prepare(struct relayer *r, struct hagg_err *err)
{
    r->n_words = (r->t->n_relays + 63) / 64;
    r->order = calloc(r->t->n_relays, sizeof *r->order);
    r->sets = calloc(r->n * r->n_words + 1, sizeof *r->sets);
    r->clients = calloc(r->n + 1, sizeof *r->clients);
    r->members = calloc(r->n + 1, sizeof *r->members);
    r->rate = calloc(r->n + 1, sizeof *r->rate);
    r->fee = calloc(r->n + 1, sizeof *r->fee);
    r->of = calloc(r->n + 1, sizeof *r->of);
    if (!r->order || !r->sets || !r->clients || !r->members || !r->rate || !r->fee || !r->of)
        return err_errno(err, "no memory to choose relays");
    if (matching_new(&r->matching, r->t, err))
        return -1;
    return order_relays(r, err);
}

/* Finds one set of relays for all patterns, greedily. False if it is too small. */
static bool gather(struct relayer *r, struct effort *e)
{
    uint64_t *set = set_of(r, 0);

    for (uint32_t i = 0; i < r->t->n_relays && effort_may_continue(e); i++) {
        uint32_t relay = r->order[i];
        size_t p = 0;

        set_put(set, relay);
        while (p < r->n && can_use(r, p, set))
            p++;
        if (p < r->n)
            set[(relay - 1) / 64] &= ~(UINT64_C(1) << (relay - 1) % 64);
    }
    r->members[0] = 1;
    return r->in->size[set_count(set, r->n_words)] > 0;
}

static int find(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                size_t n, const uint64_t *weights, bool one, struct effort *e,
                struct relayed *relayed, struct hagg_err *err)
{
    struct relayer r = { .t = t, .in = in, .patterns = patterns, .weights = weights, .n = n };
    int status = prepare(&r, err);

    memset(relayed, 0, n * sizeof *relayed);
    if (status == 0 && !(one && gather(&r, e))) {
        memset(r.sets, 0, r.n_words * sizeof *r.sets);
        start(&r);
        status = improve(&r, e, err);
    }
    if (status == 0)
        status = write_down_all(&r, relayed, err);
    if (status == 0)
        status = align(&r, relayed, err);
    if (status)
        relaying_free(relayed, n);
    matching_free(&r.matching);
    free(r.order);
    free(r.sets);
    free(r.clients);
    free(r.members);
    free(r.rate);
    free(r.fee);
    free(r.of);
    return status;
}

int relaying_find(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                  size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                  struct hagg_err *err)
{
    return find(t, in, patterns, n, weights, false, e, relayed, err);
}

int relaying_find_one(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                      size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                      struct hagg_err *err)
{
    return find(t, in, patterns, n, weights, true, e, relayed, err);
}

void relaying_free(struct relayed *relayed, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(relayed[i].stations.numbers);
        free(relayed[i].relays.numbers);
        relayed[i] = (struct relayed){ 0 };
    }
}
