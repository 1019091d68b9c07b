/*
 * topology_resolve.h - turns parsed lines into a consistent topology. For topology_parse.c only.
 */
#ifndef HAGG_TOPOLOGY_RESOLVE_H
#define HAGG_TOPOLOGY_RESOLVE_H

#include "topology/topology.h"

/* A line "station IDS via RELAYS". */
struct topology_station {
    struct topology_list stations, via;
    size_t line;
};

/* Sorts the numbers in ascending order. */
void topology_sort(struct topology_list *list);

/* Sets minimum to its default if it is 0, checks the numbers for consistency, sets the relays of
 * every station, sorts the clients and merges equal groups. to_choose: discards choices first.
 */
int topology_resolve(struct topology *t, const char *name, const struct topology_station *stations,
                     size_t n_stations, bool to_choose, struct hagg_err *err);

/* In topology_groups.c: discards what a planner chooses, the sets of the clients, segments and
 * dealers. */
void topology_discard_choices(struct topology *t);

/* Merges equal groups, and orders groups by their first clients. Returns -1 without memory. */
int topology_merge_groups(struct topology *t);

#endif
