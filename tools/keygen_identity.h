/*
 * keygen_identity.h - hagg-keygen --identity without a round: makes the key pair of a node.
 */
#ifndef HAGG_KEYGEN_IDENTITY_H
#define HAGG_KEYGEN_IDENTITY_H

#include "keygen_args.h"

/* Makes the private key of each node that the options name, unless its file exists, and prints its
 * line for the file of identities. */
int keygen_identity(struct keygen_args *args, struct hagg_err *err);

#endif
