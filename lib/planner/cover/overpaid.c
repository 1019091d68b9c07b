#include "planner/cover/overpaid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding errors of sums of offers are far below this, so an excess beyond it is real. The last
 * step of overpaid_settle corrects for any excess below it. */
#define SLACK 1e-9

/* A search for overpaid sets of at least `size` stations. */
struct search {
    struct overpaid *o;
    const struct instance *in;
    bool lists; /* overpaid_list: report all sets, change no credit */
    uint32_t size;
    double rate;     /* of a set of this size */
    double most;     /* sets with offers up to this are skipped */
    double least;    /* reach classes whose credit less surcharge is at most this are skipped */
    double *support; /* of each station: sum of offers, an upper bound for any set with it */
    uint64_t *any;   /* scratch: stations */
    uint32_t *reach_classes; /* scratch */
    struct effort *e;
    uint64_t limit; /* of work for this size */
    uint64_t n_nodes;
    bool stuck; /* gave up on this size: too long, or no memory */
};

/* Removes from list the reach classes that reach fewer than `size` of the stations within or have
 * no credit left, and sums the offers of the others by station. Returns the total of their offers.
 * Sets common to the stations that all of them reach and removes from within those that none
 * reaches. */
static double sum_offers(struct search *s, uint64_t *within, uint32_t *list, uint32_t *n,
                         uint64_t *common)
{
    size_t n_words = s->in->n_words;
    uint64_t n_bits = 0;
    uint32_t kept = 0;
    double sum = 0;

    memset(s->support, 0, s->in->n_stations * sizeof *s->support);
    memset(common, 0xff, n_words * sizeof *common);
    memset(s->any, 0, n_words * sizeof *s->any);
    for (uint32_t i = 0; i < *n; i++) {
        const uint64_t *reach = instance_reach(s->in, list[i]);
        double left =
            s->o->credit[list[i]] - s->in->weight[list[i]] * (s->rate - s->o->rate[list[i]]);
        double offer = left > 0 ? left : 0;
        uint32_t here = 0;

        for (size_t w = 0; w < n_words; w++)
            here += (uint32_t)__builtin_popcountll(reach[w] & within[w]);
        if (left <= s->least || here < s->size)
            continue;
        list[kept++] = list[i];
        n_bits += here;
        sum += offer;
        for (size_t w = 0; w < n_words; w++) {
            common[w] &= reach[w];
            s->any[w] |= reach[w];
            for (uint64_t bits = reach[w] & within[w]; bits; bits &= bits - 1)
                s->support[64 * w + (size_t)__builtin_ctzll(bits)] += offer;
        }
    }
    for (size_t w = 0; w < n_words; w++)
        within[w] &= s->any[w];
    s->o->reachers->work += s->in->n_stations / 2 + *n * (2 * n_words + 1) + 3 * n_bits;
    *n = kept;
    return sum;
}

/* Removes the stations that no overpaid set can contain. Returns the number of stations left; sets
 * *dropped if any was removed. */
static uint32_t drop_stations(const struct search *s, uint64_t *within, bool *dropped)
{
    uint32_t n = 0;

    *dropped = false;
    for (size_t w = 0; w < s->in->n_words; w++)
        for (uint64_t left = within[w]; left; left &= left - 1) {
            size_t station = 64 * w + (size_t)__builtin_ctzll(left);

            if (s->support[station] > s->most)
                n++;
            else {
                within[w] ^= left & -left;
                *dropped = true;
            }
        }
    return n;
}

/* The station with the least support among those that not all reach. There must be one. */
static uint32_t least_station(const struct search *s, const uint64_t *within,
                              const uint64_t *common)
{
    uint32_t least = UINT32_MAX;

    for (size_t w = 0; w < s->in->n_words; w++)
        for (uint64_t left = within[w] & ~common[w]; left; left &= left - 1) {
            uint32_t station = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);

            if (least == UINT32_MAX || s->support[station] < s->support[least])
                least = station;
        }
    return least;
}

/* Lowers the credits of all who offer something to the set, each by the same fraction of its offer,
 * until the offers equal the fee. */
static void lower_credits(struct search *s, const uint64_t *set)
{
    struct overpaid *o = s->o;
    uint32_t size = set_count(set, s->in->n_words);
    double rate = s->in->rate[size], sum = 0;
    uint32_t n = reachers_of(o->reachers, set, s->reach_classes);

    for (uint32_t i = 0; i < n; i++)
        sum += overpaid_offer(o, s->reach_classes[i], rate);
    for (uint32_t i = 0; i < n; i++)
        o->credit[s->reach_classes[i]] -=
            overpaid_offer(o, s->reach_classes[i], rate) * (1 - s->in->fee[size] / sum);
    o->found(o->arg, set);
}

static void search(struct search *s, uint64_t *within, uint32_t *list, uint32_t n);

/* Searches the sets that contain the station. */
static void search_with(struct search *s, const uint64_t *within, const uint32_t *list, uint32_t n,
                        uint32_t station)
{
    size_t n_words = s->in->n_words;
    uint64_t *sub_within = malloc(n_words * sizeof *sub_within + n * sizeof *list);
    uint32_t n_sub = 0;

    if (!sub_within) {
        s->stuck = true;
        return;
    }
    uint32_t *sub = (uint32_t *)(void *)(sub_within + n_words);
    memcpy(sub_within, within, n_words * sizeof *within);
    for (uint32_t i = 0; i < n; i++)
        if (instance_reach(s->in, list[i])[station / 64] >> station % 64 & 1)
            sub[n_sub++] = list[i];
    search(s, sub_within, sub, n_sub);
    free(sub_within);
}

static void search(struct search *s, uint64_t *within, uint32_t *list, uint32_t n)
{
    uint64_t *common = malloc(s->in->n_words * sizeof *common);

    if (!common) {
        s->stuck = true;
        return;
    }
    for (;;) {
        double sum = sum_offers(s, within, list, &n, common);
        bool dropped;

        if (s->o->reachers->work > s->limit ||
            (++s->n_nodes % 1024 == 0 && !effort_may_continue(s->e)))
            s->stuck = true;
        if (s->stuck || n == 0 || sum <= s->most || drop_stations(s, within, &dropped) < s->size)
            break;
        if (dropped)
            continue;
        if (set_count(common, s->in->n_words) >= s->size) {
            if (!s->lists) {
                /* its subsets cost the same reach classes more, so none is overpaid now either */
                lower_credits(s, common);
                continue;
            }
            s->o->found(s->o->arg, common);
            if (set_within(within, common, s->in->n_words))
                break;
        }
        /* least support first: the branch with the station keeps few reach classes, and removing
         * the station soon ends the branch without it */
        uint32_t station = least_station(s, within, common);
        search_with(s, within, list, n, station);
        within[station / 64] &= ~(UINT64_C(1) << station % 64);
    }
    free(common);
}

static int by_support(const void *a, const void *b, void *arg)
{
    const double *support = arg;
    double x = support[*(const uint32_t *)a], y = support[*(const uint32_t *)b];

    return x < y ? -1 : x > y;
}

/* Searches all sets of at least this size. Like search, but with a fixed order of the stations:
 * examining all reach classes again after each station would take most of the time. */
static void search_all(struct search *s, uint64_t *within, uint64_t *common, uint32_t *list,
                       uint32_t *order)
{
    const struct instance *in = s->in;
    uint32_t n = in->n_reach_classes, n_order = 0;
    bool dropped;

    for (uint32_t k = 0; k < n; k++)
        list[k] = k;
    memset(within, 0, in->n_words * sizeof *within);
    for (uint32_t i = 0; i < in->n_stations; i++)
        within[i / 64] |= UINT64_C(1) << i % 64;
    do {
        s->stuck = s->o->reachers->work >= s->limit;
        if (s->stuck || sum_offers(s, within, list, &n, common) <= s->most || n == 0)
            return;
    } while (drop_stations(s, within, &dropped) >= s->size && dropped);
    for (uint32_t i = 0; i < in->n_stations; i++)
        if (within[i / 64] >> i % 64 & 1)
            order[n_order++] = i;
    qsort_r(order, n_order, sizeof *order, by_support, s->support);
    for (uint32_t i = 0; i < n_order && n_order - i >= s->size && !s->stuck; i++) {
        search_with(s, within, list, n, order[i]);
        within[order[i] / 64] &= ~(UINT64_C(1) << order[i] % 64);
    }
}

/* True if `size` is the smallest size with its rate and fee. Searching for this size covers all
 * sizes with the same ones. */
static bool begins_rate(const struct instance *in, uint32_t size)
{
    return !isinf(in->rate[size]) &&
           (in->rate[size - 1] != in->rate[size] || in->fee[size - 1] != in->fee[size]);
}

/* Searches each size with an equal part of the remaining work. If one size takes too long, the
 * patterns found for the others are still useful. */
static bool search_sizes(struct search *s, struct overpaid *o, double more, struct effort *e,
                         uint64_t work)
{
    const struct instance *in = o->reachers->in;
    uint64_t *sets = malloc(2 * in->n_words * sizeof *sets);
    uint32_t *list = malloc(in->n_reach_classes * sizeof *list);
    uint32_t *order = malloc(in->n_stations * sizeof *order);
    uint64_t end = o->reachers->work + work;
    uint32_t left = 0, largest = 0;

    s->o = o;
    s->in = in;
    s->e = e;
    s->least = -more;
    s->support = malloc(in->n_stations * sizeof *s->support);
    s->reach_classes = malloc(in->n_reach_classes * sizeof *s->reach_classes);
    s->any = malloc(in->n_words * sizeof *s->any);
    bool done = sets && list && order && s->support && s->reach_classes && s->any;
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        uint32_t size = set_count(instance_reach(in, k), in->n_words);
        largest = size > largest ? size : largest;
    }
    for (uint32_t size = 1; done && size <= largest; size++)
        left += begins_rate(in, size);
    for (uint32_t size = largest; left > 0; left -= begins_rate(in, size), size--) {
        if (!begins_rate(in, size))
            continue;
        uint64_t now = o->reachers->work;
        s->size = size;
        s->rate = in->rate[size];
        s->most = s->lists ? in->fee[size] - more : in->fee[size] * (1 + SLACK);
        s->limit = now + (end > now ? (end - now) / left : 0);
        s->stuck = false;
        search_all(s, sets, sets + in->n_words, list, order);
        done = done && !s->stuck;
    }
    free(sets);
    free(list);
    free(order);
    free(s->support);
    free(s->reach_classes);
    free(s->any);
    return done;
}

bool overpaid_settle(struct overpaid *o, struct effort *e, uint64_t work)
{
    struct search s = { 0 };
    bool done = search_sizes(&s, o, 0, e, work);

    for (uint32_t k = 0; k < o->reachers->in->n_reach_classes; k++)
        o->credit[k] *= 1 - 2 * SLACK;
    return done;
}

bool overpaid_list(struct overpaid *o, double more, struct effort *e, uint64_t work)
{
    struct search s = { .lists = true };

    return search_sizes(&s, o, more * (1 + SLACK) + SLACK, e, work);
}
