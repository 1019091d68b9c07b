/*
 * vector.h - a user's vector of numbers, completely in memory: from a .npy file, from raw
 * little-endian numbers, or from text with one number per line.
 *
 * A type, such as "f4", is NumPy's letter and the bytes per element. A format is "npy", "raw" or
 * "text".
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
    char *name; /* of the file, for messages */
    char type[LIMIT_TYPE + 1];
    uint64_t shape[LIMIT_DIMENSIONS];
    size_t n_shape; /* 0 for a single number */
    size_t n_elems; /* the product of the shape */
    void *data;     /* packed, in C order, in host byte order, aligned for its type */
};

/* The names of all formats and of all types. Each list ends with NULL. */
extern const char *const vector_formats[], *const vector_types[];

/* Returns the bytes per element; 0 if type is not a type. */
size_t vector_type_size(const char *type);

/* Checks the names of a format and a type, each of which may be NULL. The functions below do this
 * too; a command calls it while it parses its command line. The error is HAGG_E_USAGE. */
int vector_check_names(const char *format, const char *type, struct hagg_err *err);

/* Computes the product of the dimensions: 1 if there are none, 0 if any is 0. Returns false if it
 * is above LIMIT_LENGTH. */
bool vector_count(const uint64_t *shape, size_t n_shape, size_t *n_elems);

/*
 * Reads a whole file, or standard input if path is "-", into v. On success the caller must call
 * vector_free.
 *
 * If format is NULL, a file that begins with NumPy's magic bytes or whose name ends in .npy is npy;
 * one whose name ends in .txt is text; any other file is raw if a type is given, otherwise text. A
 * file that would be raw but looks like text is an error. raw needs a type. The type of text is f8
 * by default. A .npy file has its own type, which must match the given one, if any.
 *
 * NaN and infinity are accepted. Declared sizes are checked before memory is allocated, and bytes
 * after the last number are an error. Messages name file and line and never contain a value.
 */
int vector_load(struct vector *v, const char *path, const char *format, const char *type,
                struct hagg_err *err);

/* Wipes the elements, frees everything and sets v to all zero. */
void vector_free(struct vector *v);

/* Converts n elements from index at to doubles. Those of i8 and u8 beyond 2^53 are rounded to
 * nearest. */
void vector_to_double(const struct vector *v, size_t at, size_t n, double *out);

/* The same, to integers. A vector of f4 or f8 is an error, and so is an element of u8 above
 * INT64_MAX: the message names its index, and the content of out is undefined. */
int vector_to_int(const struct vector *v, size_t at, size_t n, int64_t *out, struct hagg_err *err);

#endif
