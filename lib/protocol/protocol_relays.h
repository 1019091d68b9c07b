/*
 * protocol_relays.h - protocol aligned with relays: which relay each station sends its sum to, and
 * which relays combine the sums. docs/aligned.md has the rules.
 */
#ifndef HAGG_PROTOCOL_RELAYS_H
#define HAGG_PROTOCOL_RELAYS_H

#include "protocol/protocol.h"
#include "sharing/lagrange.h"

/* Initialise to all zero. */
struct protocol_relays {
    uint32_t *of;   /* by holder: its relay; 0 if none that it reaches is present */
    bool *combines; /* by relay */
    bool has_factors;
    uint32_t *places; /* by holder: its place among the points of basis */
    struct lagrange basis;
    uint32_t segment;       /* whose factors these are */
    unsigned char *factors; /* by place: packed elements */
};

/* Chooses a relay for every station that is present. */
int protocol_relays_new(struct protocol *p, struct hagg_err *err);

void protocol_relays_free(struct protocol_relays *r);

/* Returns the factor with which the value of a holder counts in a segment of the total, valid until
 * the next call; NULL on failure. A relay combines. */
const void *protocol_relays_factor(struct protocol *p, uint32_t segment, uint32_t holder,
                                   struct hagg_err *err);

#endif
