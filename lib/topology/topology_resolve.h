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
 * every station, sorts the clients and merges equal groups. */
int topology_resolve(struct topology *t, const char *name, const struct topology_station *stations,
                     size_t n_stations, struct hagg_err *err);

#endif
