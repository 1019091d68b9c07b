/*
 * transform_remember.h - enters the sums that a node transforms into the state.
 */
#ifndef HAGG_TRANSFORM_REMEMBER_H
#define HAGG_TRANSFORM_REMEMBER_H

#include "crypto/random.h"
#include "header.h"
#include "state/state.h"

/* Enters into the state that the node transforms the sum with this header and these n_bytes bytes
 * of elements. number is that of the node, or 0 for the holder in the header; symbols are those
 * that are transformed, as in a header. HAGG_E_PRIVACY if it
 * has transformed the same sum with other records. Returns 1 and the seed for the transfers, so
 * that the same sum gives the same transfers; 0 if nothing is remembered; -1 on failure. */
int transform_remember(struct state *s, const struct header *h, uint32_t number,
                       const struct header_symbols *symbols, const void *elems, size_t n_bytes,
                       uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err);

#endif
