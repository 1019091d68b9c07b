#include "planner/relays/matching.h"

#include <stdlib.h>
#include <string.h>

static int index_links(struct matching *m)
{
    const struct topology *t = m->t;
    size_t n_links = 0;

    for (uint32_t s = 0; s < t->n_stations; s++)
        n_links += t->station_via[s].n;
    m->stations = malloc((n_links + 1) * sizeof *m->stations);
    if (!m->stations)
        return -1;
    for (uint32_t s = 0; s < t->n_stations; s++)
        for (size_t i = 0; i < t->station_via[s].n; i++)
            m->starts[t->station_via[s].numbers[i]]++;
    for (uint32_t r = 1; r <= t->n_relays; r++)
        m->starts[r] += m->starts[r - 1];
    /* filling backwards moves starts[r] from the end of relay r to its beginning */
    for (uint32_t s = t->n_stations; s > 0; s--)
        for (size_t i = 0; i < t->station_via[s - 1].n; i++)
            m->stations[--m->starts[t->station_via[s - 1].numbers[i]]] = s;
    memmove(m->starts, m->starts + 1, t->n_relays * sizeof *m->starts);
    m->starts[t->n_relays] = (uint32_t)n_links;
    return 0;
}

int matching_new(struct matching *m, const struct topology *t, struct hagg_err *err)
{
    *m = (struct matching){
        .t = t,
        .starts = calloc(t->n_relays + 1, sizeof *m->starts),
        .relay_of = calloc(t->n_stations + 1, sizeof *m->relay_of),
        .station_of = calloc(t->n_relays + 1, sizeof *m->station_of),
        .joined = calloc(t->n_relays + 1, sizeof *m->joined),
        .queue = calloc(t->n_relays + t->n_stations + 2, sizeof *m->queue),
        .before = calloc(t->n_stations + 1, sizeof *m->before),
        .seen = calloc(t->n_stations + 1, sizeof *m->seen),
    };
    if (!m->starts || !m->relay_of || !m->station_of || !m->joined || !m->queue || !m->before ||
        !m->seen || index_links(m)) {
        err_errno(err, "no memory to match stations and relays");
        matching_free(m);
        return -1;
    }
    return 0;
}

void matching_free(struct matching *m)
{
    free(m->starts);
    free(m->stations);
    free(m->relay_of);
    free(m->station_of);
    free(m->joined);
    free(m->queue);
    free(m->before);
    free(m->seen);
    *m = (struct matching){ 0 };
}

void matching_start(struct matching *m, const uint64_t *set)
{
    for (uint32_t i = 0; i < m->n; i++) {
        m->relay_of[m->station_of[m->joined[i]]] = 0;
        m->station_of[m->joined[i]] = 0;
    }
    m->n = 0;
    m->set = set;
}

/* Flips the augmenting path: the station is matched with the relay it was reached from, that
 * relay's old station with the relay before, and so on up to the new relay. */
static void shift(struct matching *m, uint32_t station, uint32_t relay)
{
    for (;;) {
        uint32_t via = m->before[station], left = m->station_of[via];

        m->relay_of[station] = via;
        m->station_of[via] = station;
        if (via == relay)
            return;
        station = left;
    }
}

bool matching_join(struct matching *m, uint32_t relay)
{
    size_t head = 0, tail = 0;

    m->mark++;
    m->queue[tail++] = relay;
    while (head < tail) {
        uint32_t at = m->queue[head++];

        for (uint32_t i = m->starts[at - 1]; i < m->starts[at]; i++) {
            uint32_t s = m->stations[i];

            if (m->seen[s] == m->mark || !set_has(m->set, s) ||
                (m->bound && m->bound[s] > 0 && m->bound[s] != at))
                continue;
            m->seen[s] = m->mark;
            m->before[s] = at;
            if (m->relay_of[s] == 0) {
                shift(m, s, relay);
                m->joined[m->n++] = relay;
                return true;
            }
            m->queue[tail++] = m->relay_of[s];
        }
    }
    return false;
}

/* Follows links from an unmatched station to all its relays, from these to their matched stations,
 * and so on. All these relays are matched, otherwise one more could have joined. So there is one
 * station more than relays. */
bool matching_shortage(struct matching *m, uint64_t *crowd, uint32_t *n_relays)
{
    const struct topology *t = m->t;
    size_t n_words = (t->n_stations + 63) / 64, head = 0, tail = 0;
    uint32_t first = 1;

    memset(crowd, 0, n_words * sizeof *crowd);
    *n_relays = 0;
    while (first <= t->n_stations && (!set_has(m->set, first) || m->relay_of[first] > 0))
        first++;
    if (first > t->n_stations)
        return false;
    m->queue[tail++] = first;
    set_put(crowd, first);
    while (head < tail) {
        const struct topology_list *via = &t->station_via[m->queue[head++] - 1];

        for (size_t i = 0; i < via->n; i++) {
            uint32_t s = m->station_of[via->numbers[i]];

            if (s == 0 || set_has(crowd, s))
                continue;
            set_put(crowd, s);
            m->queue[tail++] = s;
            ++*n_relays;
        }
    }
    return true;
}
