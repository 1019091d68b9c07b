/*
 * client_remember.h - enters the vector that a client shares into the state.
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

/* Makes the entry before any share is written. Returns 1 and sets seed, for the random vectors in
 * the shares, so that sharing the same vector again gives the same shares; the seed is secret.
 * Returns 0 if nothing is remembered, and -1 on failure: HAGG_E_PRIVACY if the client has shared
 * another vector in this round, or used another key; or this vector in another round, unless the
 * options allow that. The options must have a plan. */
int client_remember(const struct client_options *o, const struct client_use *u,
                    uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err);

/* Makes a seed for stochastic rounding that is the same when the client shares the vector again in
 * the round. The state must remember something. */
int client_rounding_seed(const struct client_options *o, const struct vector *v,
                         uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err);

#endif
