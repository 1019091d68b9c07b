/*
 * vector_rows.h - reads many vectors from one .npy file: each row of its first dimension is one.
 */
#ifndef HAGG_VECTOR_ROWS_H
#define HAGG_VECTOR_ROWS_H

#include "vector/vector.h"

struct vector_rows;

/* Opens a file, or standard input if path is "-", which must be a .npy file and, unless type is
 * NULL, of this type. The path must outlive the result, which is NULL on failure. */
struct vector_rows *vector_rows_open(const char *path, const char *type, struct hagg_err *err);

/* r may be NULL. */
void vector_rows_free(struct vector_rows *r);

/* Returns how many rows the file declares. */
uint64_t vector_rows_count(const struct vector_rows *r);

/* Reads the next row into v, for which the caller must call vector_free. Bytes after the last row
 * are an error of that row. Do not call it after the last row. */
int vector_rows_next(struct vector_rows *r, struct vector *v, struct hagg_err *err);

#endif
