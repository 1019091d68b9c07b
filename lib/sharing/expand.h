/*
 * expand.h - the elements of a field that a seed stands for, made by its holder as well.
 *
 * Elements are made in pieces of EXPAND_PIECE. Piece j is what the field's sampling rule takes from
 * the key stream of AES-256 under the seed that begins with the counter block j || 0:
 * random_stream. So a piece can be made without those before it. FORMAT.md has the rule, which must
 * not change.
 *
 * Separate from field.h, so that a command that needs none is not linked with libcrypto.
 */
#ifndef HAGG_EXPAND_H
#define HAGG_EXPAND_H

#include "sharing/field.h"

#define EXPAND_SEED_BYTES 32
#define EXPAND_PIECE      4096

struct expand;

/* The seed is secret, and is not used after the call. The field must outlive the result. */
struct expand *expand_new(const struct field *f, const unsigned char seed[EXPAND_SEED_BYTES],
                          struct hagg_err *err);

/* Writes elements at .. at + n - 1 of the expansion. Elements in order, in any portions, are made
 * once; before another place, a piece is made again. */
int expand_elems(struct expand *e, uint64_t at, void *out, size_t n, struct hagg_err *err);

/* Wipes the seed and the elements. e may be NULL. */
void expand_free(struct expand *e);

#endif
