#include "cost/count/clusters.h"

#include <stdlib.h>

/* A maximum flow from groups of clients to stations, found in phases: each phase moves clients
 * along shortest paths only, and so makes them longer. */

#define UNREACHED UINT32_MAX

/* A station that a group reaches, and the clients of the group that it has. */
struct place {
    uint32_t group, station; /* the station is an index */
    uint64_t n;
};

struct spread {
    uint32_t n_groups, n_stations;
    uint64_t room;          /* clients that each station gets */
    struct place *places;   /* group by group */
    size_t *group_begins;   /* in places, and its end */
    size_t *by_station;     /* places, station by station */
    size_t *station_begins; /* in by_station, and its end */
    uint64_t *waiting;      /* by group: clients without a station */
    uint64_t *load;         /* by station */
    uint32_t *group_level, *station_level;
    uint32_t *queue; /* groups */
};

static void spread_free(struct spread *s)
{
    free(s->places);
    free(s->group_begins);
    free(s->by_station);
    free(s->station_begins);
    free(s->waiting);
    free(s->load);
    free(s->group_level);
    free(s->station_level);
    free(s->queue);
}

static void list_places(struct spread *s, const struct topology *t)
{
    size_t n = 0;

    for (uint32_t g = 0; g < s->n_groups; g++) {
        s->group_begins[g] = n;
        for (size_t i = 0; i < t->groups[g].via.n; i++)
            s->places[n++] = (struct place){ g, t->groups[g].via.numbers[i] - 1, 0 };
    }
    s->group_begins[s->n_groups] = n;
    for (size_t i = 0; i < n; i++)
        s->station_begins[s->places[i].station + 1]++;
    for (uint32_t u = 0; u < s->n_stations; u++)
        s->station_begins[u + 1] += s->station_begins[u];
    for (size_t i = n; i-- > 0;) /* the end of a station moves to its beginning */
        s->by_station[--s->station_begins[s->places[i].station + 1]] = i;
    for (uint32_t u = 0; u < s->n_stations; u++)
        s->station_begins[u] = s->station_begins[u + 1];
    s->station_begins[s->n_stations] = n;
    for (size_t i = 0; i < t->n_clients; i++)
        s->waiting[t->clients[i].group]++;
}

static int spread_new(struct spread *s, const struct topology *t, struct hagg_err *err)
{
    size_t n_places = 0;

    *s = (struct spread){
        .n_groups = (uint32_t)t->n_groups,
        .n_stations = t->n_stations,
        .room = t->n_clients / t->n_stations,
    };
    for (size_t g = 0; g < t->n_groups; g++)
        n_places += t->groups[g].via.n;
    s->places = calloc(n_places + 1, sizeof *s->places);
    s->by_station = calloc(n_places + 1, sizeof *s->by_station);
    s->group_begins = calloc(t->n_groups + 1, sizeof *s->group_begins);
    s->waiting = calloc(t->n_groups, sizeof *s->waiting);
    s->group_level = calloc(t->n_groups, sizeof *s->group_level);
    s->queue = calloc(t->n_groups, sizeof *s->queue);
    s->station_begins = calloc((size_t)t->n_stations + 1, sizeof *s->station_begins);
    s->load = calloc(t->n_stations, sizeof *s->load);
    s->station_level = calloc(t->n_stations, sizeof *s->station_level);
    if (!s->places || !s->by_station || !s->group_begins || !s->waiting || !s->group_level ||
        !s->queue || !s->station_begins || !s->load || !s->station_level)
        return err_errno(err, "clusters");
    list_places(s, t);
    return 0;
}

/* Gives a level to all groups and stations, from the groups that wait. Returns true if a station
 * with room is reached. */
static bool find_levels(struct spread *s)
{
    uint32_t n = 0;
    bool found = false;

    for (uint32_t u = 0; u < s->n_stations; u++)
        s->station_level[u] = UNREACHED;
    for (uint32_t g = 0; g < s->n_groups; g++) {
        s->group_level[g] = s->waiting[g] > 0 ? 0 : UNREACHED;
        if (s->waiting[g] > 0)
            s->queue[n++] = g;
    }
    for (uint32_t at = 0; at < n; at++) {
        uint32_t g = s->queue[at], level = s->group_level[g] + 1;

        for (size_t i = s->group_begins[g]; i < s->group_begins[g + 1]; i++) {
            uint32_t u = s->places[i].station;

            if (s->station_level[u] != UNREACHED)
                continue;
            s->station_level[u] = level;
            found = found || s->load[u] < s->room;
            for (size_t j = s->station_begins[u]; j < s->station_begins[u + 1]; j++) {
                const struct place *p = &s->places[s->by_station[j]];

                if (p->n > 0 && s->group_level[p->group] == UNREACHED) {
                    s->group_level[p->group] = level;
                    s->queue[n++] = p->group;
                }
            }
        }
    }
    return found;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t place_group(struct spread *s, uint32_t g, uint64_t n);

/* Makes room for up to n clients at a station, and returns for how many. */
static uint64_t make_room(struct spread *s, uint32_t u, uint64_t n)
{
    uint64_t done = least(n, s->room - s->load[u]);

    s->load[u] += done;
    for (size_t j = s->station_begins[u]; j < s->station_begins[u + 1] && done < n; j++) {
        struct place *p = &s->places[s->by_station[j]];

        if (p->n > 0 && s->group_level[p->group] == s->station_level[u]) {
            uint64_t moved = place_group(s, p->group, least(n - done, p->n));

            p->n -= moved;
            done += moved;
        }
    }
    if (done < n)
        s->station_level[u] = UNREACHED; /* in this phase */
    return done;
}

/* Gives stations to up to n clients of the group, and returns to how many. */
static uint64_t place_group(struct spread *s, uint32_t g, uint64_t n)
{
    uint64_t done = 0;

    for (size_t i = s->group_begins[g]; i < s->group_begins[g + 1] && done < n; i++) {
        struct place *p = &s->places[i];

        if (s->station_level[p->station] == s->group_level[g] + 1) {
            uint64_t placed = make_room(s, p->station, n - done);

            p->n += placed;
            done += placed;
        }
    }
    if (done < n)
        s->group_level[g] = UNREACHED;
    return done;
}

static bool spread_all(struct spread *s)
{
    bool waits = true;

    while (waits && find_levels(s)) {
        waits = false;
        for (uint32_t g = 0; g < s->n_groups; g++) {
            if (s->waiting[g] > 0)
                s->waiting[g] -= place_group(s, g, s->waiting[g]);
            waits = waits || s->waiting[g] > 0;
        }
    }
    return !waits;
}

int clusters_count(const struct topology *t, uint64_t *n, struct hagg_err *err)
{
    struct spread s;
    int status;

    *n = 0;
    if (t->n_stations == 0 || t->n_clients % t->n_stations != 0)
        return 0;
    if (t->n_groups == 0) {
        *n = t->n_stations;
        return 0;
    }
    status = spread_new(&s, t, err);
    if (status == 0 && spread_all(&s))
        *n = t->n_stations;
    spread_free(&s);
    return status;
}
