/*
 * uniform.h - exactly uniform random elements of a field.
 *
 * Separate from field.h, so that a command that needs no randomness is not linked with libcrypto.
 */
#ifndef HAGG_UNIFORM_H
#define HAGG_UNIFORM_H

#include "sharing/field.h"
#include "crypto/random.h"

/* Fills out with n elements. Reads elem_size bytes per try from the source, in order and no
 * more. */
int uniform_elems(const struct field *f, struct random *source, void *out, size_t n,
                  struct hagg_err *err);

#endif
