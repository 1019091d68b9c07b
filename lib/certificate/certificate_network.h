/*
 * certificate_network.h - who sends what to whom, as the picture of a small network shows it. Used
 * by certificate_drawing.c only.
 */
#ifndef HAGG_CERTIFICATE_NETWORK_H
#define HAGG_CERTIFICATE_NETWORK_H

#include "protocol/protocol.h"

/* A network with more nodes in a row than this is not drawn node by node. */
#define NETWORK_NODES   16
#define NETWORK_CLASSES 12

/* What is sent over a link. */
enum { NETWORK_SHARES = 1, NETWORK_KEYS = 2, NETWORK_MASKS = 4 };

struct network {
    bool classes; /* a box is all clients that use the same stations, not one client */
    size_t n_boxes, n_stations, n_relays;
    uint32_t numbers[NETWORK_NODES]; /* of the client of a box; or how many clients it has */
    uint8_t up[NETWORK_NODES][NETWORK_NODES];      /* box to station */
    uint8_t across[NETWORK_NODES][NETWORK_NODES];  /* station to station */
    uint8_t relayed[NETWORK_NODES][NETWORK_NODES]; /* station to relay */
    uint8_t stations_down[NETWORK_NODES];          /* station to federator */
    uint8_t relays_down[NETWORK_NODES];            /* relay to federator */
};

/* Sets *fits to false, and nothing else, if the network is too large to draw every node. */
int network_new(struct network *n, bool *fits, const struct plan *p, struct hagg_err *err);

#endif
