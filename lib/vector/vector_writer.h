/*
 * vector_writer.h - writes a vector block by block, as .npy, raw or text, in few large calls.
 */
#ifndef HAGG_VECTOR_WRITER_H
#define HAGG_VECTOR_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct vector_writer;

/* Begins a vector at fd, which stays the caller's to sync and close; what is not standard
 * output is taken for a new file, on its way to disk as it grows. Messages call it name, which must
 * outlive the writer. Format and type are those of vector.h, and none is NULL. raw and text do not
 * keep the shape. */
struct vector_writer *vector_writer_new(int fd, const char *name, const char *format,
                                        const char *type, const uint64_t *shape, size_t n_shape,
                                        struct hagg_err *err);

/* NULL is fine. Wipes what was buffered. */
void vector_writer_free(struct vector_writer *w);

/* The next n elements in C order, packed, in the machine's byte order and aligned for their type.
 * All calls together give as many as the shape has. */
int vector_writer_elems(struct vector_writer *w, const void *elems, size_t n, struct hagg_err *err);

/* Writes what is still buffered. */
int vector_writer_end(struct vector_writer *w, struct hagg_err *err);

#endif
