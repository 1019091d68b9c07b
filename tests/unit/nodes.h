/*
 * nodes.h - a plan whose nodes have identities, with a private key for each, in the scratch
 * directory.
 */
#ifndef HAGG_NODES_H
#define HAGG_NODES_H

#include "crypto/x25519.h"
#include "identity/keyring.h"
#include "plan/plan.h"
#include "protocol/node.h"

/* Files of private keys: TIER-NUMBER.pem, as in NODES_KEYS. */
#define NODES_KEYS "{tier}-{}.pem"

/* The other key of station 2, after its first one in the file of identities. */
#define NODES_OTHER_KEY "other.pem"

#define NODES_PLAN       "p.topo"
#define NODES_IDENTITIES "ids.txt"

/* Writes a plan with 3 clients, 3 stations, 2 relays, their keys and identities, and loads it. Ends
 * the program on failure. */
void nodes_load(struct plan *plan);

/* A keyring with the private keys of this name in the scratch directory. Ends the program on
 * failure. */
struct keyring *nodes_keyring(const struct plan *plan, const char *name);

/* The private key of a node, always the same; other is for the other key of a node. */
void nodes_private(uint8_t key[X25519_BYTES], struct node node, bool other);

/* The line of a node in the file of identities, with this key. Valid until the next call. */
const char *nodes_line(struct node node, const uint8_t public_key[X25519_BYTES]);

/* The public key that belongs to nodes_private. */
void nodes_public(uint8_t key[X25519_BYTES], struct node node, bool other);

/* Writes a private key in PEM, with this mode. */
void nodes_write_key(const char *path, const uint8_t private_key[X25519_BYTES], unsigned mode);

#endif
