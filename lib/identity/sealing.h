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

/* Seals every record that has an addressee, from its sender, whose private key must be in the
 * keyring. Records without an addressee stay with their maker. The keyring must outlive the
 * result. */
void sealing_init(struct sealing *s, struct keyring *keyring);

#endif
