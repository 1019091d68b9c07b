/*
 * sealing.h - seals the records that a node sends to others, with the keys of a keyring.
 */
#ifndef HAGG_SEALING_H
#define HAGG_SEALING_H

#include "identity/keyring.h"

struct sealing {
    struct sealer base; /* for a writer */
    struct keyring *keyring;
};

/* Seals every record from its sender, whose private key must be in the keyring, to its addressee.
 * HAGG_E_PRIVACY for a record without them, so that nothing is written unsealed. The keyring must
 * outlive the result. */
void sealing_init(struct sealing *s, struct keyring *keyring);

#endif
