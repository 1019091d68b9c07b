/*
 * identities.h - the public keys of the nodes of a plan: hagg-identities(5).
 */
#ifndef HAGG_IDENTITIES_H
#define HAGG_IDENTITIES_H

#include "crypto/x25519.h"
#include "plan/plan.h"
#include "protocol/node.h"
#include "seal.h"

struct identities;

/* A public key of a node. */
struct identity {
    struct node node;
    uint8_t key[X25519_BYTES];
    uint8_t id[SEAL_KEY_ID_BYTES];
    size_t line; /* of the file */
};

/* Loads the file of the plan, which must name one. Every node of the plan must have a key, and no
 * key may appear twice. Lines of nodes that are not in the plan have no effect. */
struct identities *identities_load(const struct plan *plan, struct hagg_err *err);

/* The same for a text. name is for messages. */
struct identities *identities_parse(const struct plan *plan, const char *name, const char *text,
                                    size_t n, struct hagg_err *err);

/* i may be NULL. */
void identities_free(struct identities *i);

/* The name of the file, for messages. */
const char *identities_name(const struct identities *i);

/* Returns the key with which others seal to a node, the first of its keys; NULL if it has none. */
const struct identity *identities_of(const struct identities *i, struct node node);

/* Returns the key of a node with this id; NULL if it has none. */
const struct identity *identities_find(const struct identities *i, struct node node,
                                       const uint8_t id[SEAL_KEY_ID_BYTES]);

/* Returns the identity with this public key; NULL if no node has it. */
const struct identity *identities_owner(const struct identities *i,
                                        const uint8_t key[X25519_BYTES]);

/* The id of a public key: the first bytes of its SHA-256. */
int identities_key_id(uint8_t id[SEAL_KEY_ID_BYTES], const uint8_t key[X25519_BYTES],
                      struct hagg_err *err);

/* Appends the line of a node: "client 3 KEY # key id". */
int identities_print(struct text *t, struct node node, const uint8_t key[X25519_BYTES],
                     struct hagg_err *err);

#endif
