/*
 * vector.h - a vector of numbers as a user has it, whole in memory: from a .npy file, from raw
 * little-endian numbers, or from text with one number a line.
 *
 * A type is f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8: NumPy's letter and the bytes of an element.
 * A format is "npy", "raw" or "text".
 */
#ifndef HAGG_VECTOR_H
#define HAGG_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"

/* The elements are secret. */
struct vector {
    char *name; /* of the file, as messages have it */
    char type[LIMIT_TYPE + 1];
    uint64_t shape[LIMIT_DIMENSIONS];
    size_t n_shape; /* 0 for a single number */
    size_t n_elems; /* the product of the shape */
    void *data;     /* packed, in C order, in the machine's byte order, aligned for its type */
};

/* Bytes of an element; 0 for what is no type. */
size_t vector_type_size(const char *type);

/* Whether these are a format and a type; NULL passes for either. The functions below ask this
 * themselves; a command asks while it parses its line. The error is HAGG_E_USAGE. */
int vector_check_names(const char *format, const char *type, struct hagg_err *err);

/* The product of the shape: 1 without dimensions, 0 as soon as one of them is 0. False when it is
 * over LIMIT_LENGTH. */
bool vector_count(const uint64_t *shape, size_t n_shape, size_t *n_elems);

/*
 * Reads all of a file, or of standard input when the path is "-", into v, which vector_free must
 * free when this succeeds.
 *
 * Without a format (NULL) a file that begins with NumPy's magic bytes or whose name ends in .npy is
 * npy; another is raw when a type is given, and text when none is. raw needs a type; the type of
 * text is f8 unless given; the type of a .npy file is its own, and one that is given must agree.
 *
 * NaN and infinity are numbers here. What a file declares is checked before memory is taken, and
 * what follows the last number is an error. Messages name file and line and never show a value.
 */
int vector_load(struct vector *v, const char *path, const char *format, const char *type,
                struct hagg_err *err);

/* Wipes the elements, frees all that v owns and leaves it all zero. */
void vector_free(struct vector *v);

/* Elements at .. at + n as doubles. Those of i8 and u8 beyond 2^53 are rounded to nearest. */
void vector_to_double(const struct vector *v, size_t at, size_t n, double *out);

/* The same as integers. An element of u8 over INT64_MAX is an error that names its index, and out
 * is then of no use; so is a vector of f4 or f8. */
int vector_to_int(const struct vector *v, size_t at, size_t n, int64_t *out, struct hagg_err *err);

#endif
