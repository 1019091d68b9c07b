/*
 * client_remember.h - what the state remembers of the vector that a client shares. For client.c
 * only.
 */
#ifndef HAGG_CLIENT_REMEMBER_H
#define HAGG_CLIENT_REMEMBER_H

#include "crypto/random.h"
#include "share/client.h"

/* What a client shares: the vector, and its elements and the key, of n_bytes each. key may be
 * NULL. */
struct client_use {
    const struct vector *vector;
    const void *elems, *key;
    size_t n_bytes;
};

/* Sets the mark of what is shared, and seed, for the random vectors in the shares, so that sharing
 * the same vector again gives the same shares; the seed is secret. Leaves the mark unset, and seed
 * undefined, if nothing is remembered. The options must have a plan. */
int client_mark_use(const struct client_options *o, const struct client_use *u,
                    struct client_mark *mark, uint8_t seed[RANDOM_SEED_BYTES],
                    struct hagg_err *err);

/* Makes a seed for stochastic rounding that is the same when the client shares the vector again in
 * the round. The state must remember something. */
int client_rounding_seed(const struct client_options *o, const struct vector *v,
                         uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err);

#endif
