/*
 * client_seeds.h - the shares that a client sends as seeds, and those that its courier passes on.
 * For lib/share only.
 */
#ifndef HAGG_CLIENT_SEEDS_H
#define HAGG_CLIENT_SEEDS_H

#include "topology/topology.h"

/* By share; both are NULL if the client sends no seeds. Initialise to all zero. */
struct client_seeds {
    bool *are_seeds;
    uint32_t *outputs; /* the station that the client sends the record to: addressee or courier */
};

/* Of a sharing over these stations that hides its secret from z of them. missing stations, which
 * may be NULL, are no couriers. */
int client_seeds_new(struct client_seeds *s, const struct topology_group *g,
                     const struct topology_list *stations, uint32_t z,
                     const struct rangeset *missing, struct hagg_err *err);

void client_seeds_free(struct client_seeds *s);

#endif
