/*
 * topology_resolve.h - from lines that were parsed to a topology that holds together. For
 * topology_parse.c only.
 */
#ifndef HAGG_TOPOLOGY_RESOLVE_H
#define HAGG_TOPOLOGY_RESOLVE_H

#include "topology/topology.h"

/* A line "station IDS via RELAYS". */
struct topology_station {
    struct topology_list stations, via;
    size_t line;
};

/* Ascending. */
void topology_sort(struct topology_list *list);

/* Gives minimum its default where it is 0, checks numbers against each other, gives every station
 * its relays, sorts the clients and melts equal groups into one. */
int topology_resolve(struct topology *t, const char *name, const struct topology_station *stations,
                     size_t n_stations, struct hagg_err *err);

#endif
