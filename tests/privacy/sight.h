/*
 * sight.h - what colluders see of the other clients in a round with relays, element by element.
 *
 * Everything that a node sees is a sum over clients of elements that they send: of a share to one
 * station, or of a key. A sight is a list of such sums.
 */
#ifndef PRIVACY_SIGHT_H
#define PRIVACY_SIGHT_H

#include "instance.h"

#define SIGHT_RELAYS INSTANCE_STATIONS
/* Sums at stations, relays and the federator, and of keys. */
#define SIGHT_MOST (4 * INSTANCE_CLIENTS * INSTANCE_SECRETS * INSTANCE_STATIONS * INSTANCE_LENGTH)

/* The colluders, one bit each, starting with station, relay and client 1. */
struct sight_observer {
    unsigned stations, relays, clients;
    bool federator;
};

struct sight_sum {
    bool whole_key; /* true: of keys in the clear; false: of shares */
    enum instance_secret secret;
    size_t e;                      /* index of the element */
    bool has[INSTANCE_CLIENTS];    /* by client: true if in the sum */
    size_t from[INSTANCE_CLIENTS]; /* for shares, by client: the station */
};

struct sight {
    size_t n;
    struct sight_sum sums[SIGHT_MOST];
};

/* Collects what they see of clients that do not collude. */
void sight_collect(const struct instance *in, const struct sight_observer *who, struct sight *s);

/* The client's term of the sum, given everything that it sends. */
uint8_t sight_term(const struct sight_sum *sum, size_t client, const struct instance_cell *cell);

#endif
