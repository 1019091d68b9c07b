/*
 * opening.h - opens the records that others send to a node, and refuses everything else.
 */
#ifndef HAGG_OPENING_H
#define HAGG_OPENING_H

#include "identity/keyring.h"

struct opening {
    struct opener base; /* for a reader */
    struct keyring *keyring;
    bool has_round;
    uint64_t round;
    uint32_t courier; /* the station that the process acts as, or 0: see below */
};

/* Accepts only records that are sealed by a node of the plan to a node of the keyring, under the
 * plan, all of one round: that of round or, if that is NULL, that of the first record with a
 * vector. Everything else is HAGG_E_PRIVACY. Only a roster for another node is accepted, but not
 * opened, and, if courier is set afterwards, a client's record that this station may pass on as its
 * courier. The keyring must outlive the result. */
void opening_init(struct opening *o, struct keyring *keyring, const uint64_t *round);

#endif
