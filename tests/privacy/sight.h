/*
 * sight.h - what colluders see of the others in a round through relays, element by element.
 *
 * Everything that anybody sees is a sum over clients of elements that they send: of a share at one
 * station, or of a key. What is seen is a list of such sums.
 */
#ifndef PRIVACY_SIGHT_H
#define PRIVACY_SIGHT_H

#include "instance.h"

#define SIGHT_RELAYS INSTANCE_STATIONS
/* At stations, at relays and at the federator, and keys. */
#define SIGHT_MOST (4 * INSTANCE_CLIENTS * INSTANCE_SECRETS * INSTANCE_STATIONS * INSTANCE_LENGTH)

/* Those who put together what they see; a bit each, from station, relay, client 1 on. */
struct sight_observer {
    unsigned stations, relays, clients;
    bool federator;
};

struct sight_sum {
    bool whole_key; /* of keys in the clear; or of shares */
    enum instance_secret secret;
    size_t e;                      /* which element */
    bool has[INSTANCE_CLIENTS];    /* whose */
    size_t from[INSTANCE_CLIENTS]; /* of shares: at which station each of them */
};

struct sight {
    size_t n;
    struct sight_sum sums[SIGHT_MOST];
};

/* What they see of clients that are not among them. */
void sight_look(const struct instance *in, const struct sight_observer *who, struct sight *s);

/* What the client sends towards the sum, given all that it sends. */
uint8_t sight_term(const struct sight_sum *sum, size_t client, const struct instance_cell *cell);

#endif
