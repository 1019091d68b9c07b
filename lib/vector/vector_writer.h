/*
 * vector_writer.h - writes a vector block by block, as .npy, raw or text, in few large calls.
 */
#ifndef HAGG_VECTOR_WRITER_H
#define HAGG_VECTOR_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct vector_writer;

/* Starts a vector at fd, which the caller syncs and closes. Unless fd is standard output, it is
 * assumed to be a new file, and the kernel gets hints to write it to disk early. Messages begin
 * with name, which must outlive the writer. format and type are as in vector.h, but not NULL. raw
 * and text do not preserve the shape. */
struct vector_writer *vector_writer_new(int fd, const char *name, const char *format,
                                        const char *type, const uint64_t *shape, size_t n_shape,
                                        struct hagg_err *err);

/* Wipes the buffer. w may be NULL. */
void vector_writer_free(struct vector_writer *w);

/* Writes the next n elements in C order, packed, in host byte order and aligned for their type. All
 * calls together must write exactly the elements of the shape. */
int vector_writer_elems(struct vector_writer *w, const void *elems, size_t n, struct hagg_err *err);

/* Writes the rest of the buffer. */
int vector_writer_end(struct vector_writer *w, struct hagg_err *err);

#endif
