#include "planner/relays/meeting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/relays/transforming.h"

/* Maximum number of sets of relays: far more than small networks have. */
#define MOST_SETS 256

static uint64_t *set_at(const struct meeting *m, size_t i)
{
    return m->relays + i * m->n_words;
}

static void put_relays(const struct meeting *m, uint32_t station, uint64_t *set)
{
    const struct topology_list *via = &m->p->topology.station_via[station - 1];

    memset(set, 0, m->n_words * sizeof *set);
    for (size_t i = 0; i < via->n; i++)
        set_put(set, via->numbers[i]);
}

/* Keeps the set after the last one if it is large enough and new. */
static void keep_last(struct meeting *m, uint32_t need)
{
    const uint64_t *last = set_at(m, m->n);

    if (set_count(last, m->n_words) < need)
        return;
    for (size_t i = 0; i < m->n; i++)
        if (set_equal(set_at(m, i), last, m->n_words))
            return;
    m->n++;
}

int meeting_begin(struct meeting *m, const struct plan *p, const struct instance *all,
                  struct hagg_err *err)
{
    uint32_t n_relays = p->topology.n_relays, need = transforming_need(p);
    uint64_t *reached;

    *m = (struct meeting){ .p = p, .all = all, .n_words = (n_relays + 63) / 64 };
    m->relays = calloc((MOST_SETS + 1) * m->n_words, sizeof *m->relays);
    reached = calloc(m->n_words, sizeof *reached);
    if (!m->relays || !reached) {
        free(reached);
        meeting_free(m);
        return err_errno(err, "no memory to choose relays");
    }
    /* first the common relays of all stations, with which clients keep all their stations */
    memset(set_at(m, 0), 0xff, m->n_words * sizeof *m->relays);
    for (uint32_t s = 1; s <= all->n_stations; s++) {
        put_relays(m, s, reached);
        set_intersect(set_at(m, 0), set_at(m, 0), reached, m->n_words);
    }
    keep_last(m, need);
    for (uint32_t s = 1; s <= all->n_stations && m->n < MOST_SETS; s++) {
        put_relays(m, s, set_at(m, m->n));
        keep_last(m, need);
    }
    for (size_t i = 0; i < m->n; i++)
        for (uint32_t s = 1; s <= all->n_stations && m->n < MOST_SETS; s++) {
            put_relays(m, s, reached);
            set_intersect(set_at(m, m->n), set_at(m, i), reached, m->n_words);
            keep_last(m, need);
        }
    free(reached);
    return 0;
}

void meeting_stations(const struct meeting *m, const uint64_t *relays, uint64_t *stations)
{
    uint32_t n = set_count(relays, m->n_words);

    memset(stations, 0, m->all->n_words * sizeof *stations);
    for (uint32_t s = 1; s <= m->all->n_stations; s++) {
        const struct topology_list *via = &m->p->topology.station_via[s - 1];
        uint32_t n_reached = 0;

        for (size_t i = 0; i < via->n; i++)
            n_reached += set_has(relays, via->numbers[i]);
        if (n_reached == n)
            set_put(stations, s);
    }
}

void meeting_cheapest(const struct meeting *m, size_t i, uint64_t *relays, double *rate,
                      double *fee)
{
    uint32_t n = transforming_cheapest(m->p, set_count(set_at(m, i), m->n_words), rate, fee),
             kept = 0;

    memset(relays, 0, m->n_words * sizeof *relays);
    for (uint32_t relay = 1; relay <= m->p->topology.n_relays && kept < n; relay++)
        if (set_has(set_at(m, i), relay)) {
            set_put(relays, relay);
            kept++;
        }
}

/* Merges reach classes that have become equal. */
static int merge_reach_classes(struct instance *in, const struct instance *all,
                               struct hagg_err *err)
{
    uint32_t *now = malloc(all->n_reach_classes * sizeof *now);

    if (!now)
        return err_errno(err, "no memory to choose relays");
    for (uint32_t reach_class = 0; reach_class < all->n_reach_classes; reach_class++) {
        const uint64_t *left = in->reach + reach_class * in->n_words;

        now[reach_class] = 0;
        while (now[reach_class] < in->n_reach_classes &&
               !set_equal(instance_reach(in, now[reach_class]), left, in->n_words))
            now[reach_class]++;
        if (now[reach_class] == in->n_reach_classes) {
            memmove(in->reach + in->n_reach_classes * in->n_words, left,
                    in->n_words * sizeof *left);
            in->weight[in->n_reach_classes++] = 0;
        }
        in->weight[now[reach_class]] += all->weight[reach_class];
    }
    for (uint32_t i = 0; i < in->n_clients; i++)
        in->reach_class[i] = now[all->reach_class[i]];
    free(now);
    return 0;
}

/* Excludes sharings of other sizes. */
static void allow_one_size(struct instance *in, uint32_t size)
{
    double rate = in->rate[size], fee = in->fee[size];

    for (uint32_t i = 0; i <= in->n_stations; i++) {
        in->size[i] = i < size ? 0 : size;
        in->rate[i] = i < size ? INFINITY : rate;
        in->fee[i] = i < size ? INFINITY : fee;
    }
}

static int copy_instance(struct instance *in, const struct instance *all, struct hagg_err *err)
{
    *in = *all;
    in->n_reach_classes = 0;
    in->reach = calloc(all->n_reach_classes * all->n_words, sizeof *in->reach);
    in->weight = calloc(all->n_reach_classes, sizeof *in->weight);
    in->reach_class = calloc(all->n_clients, sizeof *in->reach_class);
    in->rate = calloc(all->n_stations + (size_t)1, sizeof *in->rate);
    in->fee = calloc(all->n_stations + (size_t)1, sizeof *in->fee);
    in->size = calloc(all->n_stations + (size_t)1, sizeof *in->size);
    if (!in->reach || !in->weight || !in->reach_class || !in->rate || !in->fee || !in->size)
        return err_errno(err, "no memory to choose relays");
    memcpy(in->rate, all->rate, (all->n_stations + (size_t)1) * sizeof *in->rate);
    memcpy(in->fee, all->fee, (all->n_stations + (size_t)1) * sizeof *in->fee);
    memcpy(in->size, all->size, (all->n_stations + (size_t)1) * sizeof *in->size);
    return 0;
}

/* Sets m->in to the instance restricted to these stations. *least and *most are the smallest and
 * largest size of a reach class's sharing. */
static int restrict_to(struct meeting *m, const uint64_t *stations, uint32_t *least, uint32_t *most,
                       struct hagg_err *err)
{
    const struct instance *all = m->all;

    instance_free(&m->in);
    if (copy_instance(&m->in, all, err))
        return -1;
    *least = UINT32_MAX;
    *most = 0;
    for (uint32_t reach_class = 0; reach_class < all->n_reach_classes; reach_class++) {
        uint64_t *left = m->in.reach + reach_class * all->n_words;
        uint32_t size = all->size[set_intersect(left, instance_reach(all, reach_class), stations,
                                                all->n_words)];

        *least = size < *least ? size : *least;
        *most = size > *most ? size : *most;
    }
    return merge_reach_classes(&m->in, all, err);
}

int meeting_next(struct meeting *m, struct hagg_err *err)
{
    uint64_t *stations = calloc(m->all->n_words, sizeof *stations);
    int got = stations ? 0 : err_errno(err, "no memory to choose relays");

    while (got == 0 && m->next < m->n) {
        uint32_t least, most;

        meeting_stations(m, set_at(m, m->next), stations);
        got = restrict_to(m, stations, &least, &most, err);
        if (got == 0 && m->one_size)
            allow_one_size(&m->in, least);
        if (got == 0)
            got = least > 0;
        /* a set is used twice if sizes differ, see meeting_next */
        m->one_size = got == 1 && least < most && !m->one_size;
        m->next += !m->one_size;
    }
    free(stations);
    return got;
}

int meeting_restrict(const struct meeting *m, uint64_t *stations, struct hagg_err *err)
{
    size_t n_words = m->all->n_words;
    uint64_t *left = calloc(2 * n_words, sizeof *left), *most = left + n_words;
    uint32_t n_most = 0;
    int status = left ? 0 : err_errno(err, "no memory to choose relays");

    for (size_t i = 0; i < m->n && status == 0; i++) {
        uint32_t n;

        meeting_stations(m, set_at(m, i), left);
        n = set_intersect(left, left, stations, n_words);
        if (n > n_most) {
            memcpy(most, left, n_words * sizeof *most);
            n_most = n;
        }
    }
    if (status == 0)
        memcpy(stations, most, n_words * sizeof *stations);
    free(left);
    return status;
}

void meeting_free(struct meeting *m)
{
    free(m->relays);
    instance_free(&m->in);
    *m = (struct meeting){ 0 };
}
