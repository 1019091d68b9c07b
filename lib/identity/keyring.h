/*
 * keyring.h - the public keys of a plan and the private keys of the nodes that a process acts as.
 */
#ifndef HAGG_KEYRING_H
#define HAGG_KEYRING_H

#include "identity/identities.h"

struct keyring;

/* Loads the identities of the plan, which must have some. path is the file of the private key; in
 * it "{tier}" stands for the tier of the node and "{}" for its number, and then the process can act
 * as several nodes. The plan and the path must outlive the result. */
struct keyring *keyring_new(const struct plan *plan, const char *path, struct hagg_err *err);

/* Wipes the private keys. k may be NULL. */
void keyring_free(struct keyring *k);

const struct identities *keyring_identities(const struct keyring *k);

const struct plan *keyring_plan(const struct keyring *k);

/* Returns true if the process acts as this node: the path has marks, or is that of its key. */
bool keyring_acts_as(const struct keyring *k, struct node node);

/* Returns the private key of a node, loaded on first use; NULL on failure: HAGG_E_PRIVACY if the
 * key is not one of the node's identities. Several threads may call it. */
const struct x25519 *keyring_private(struct keyring *k, struct node node, struct hagg_err *err);

/* Sets the only node whose private key is there. HAGG_E_USAGE if the path has marks. */
int keyring_self(const struct keyring *k, struct node *node, struct hagg_err *err);

/* Returns the path with the marks replaced for a node, malloc'ed for the caller; NULL if out of
 * memory. */
char *keyring_path(const char *path, struct node node);

/* Converts a node in a header. Returns -1 for a tier that no plan has. */
int keyring_node(const struct header_node *named, struct node *node);

#endif
