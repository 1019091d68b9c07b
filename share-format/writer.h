/*
 * writer.h - writes records to a file descriptor, piece by piece, in large calls at even offsets.
 */
#ifndef HAGG_WRITER_H
#define HAGG_WRITER_H

#include "header.h"

struct writer;

/* Writes to fd, which stays the caller's. name is for messages and must outlive the writer. */
struct writer *writer_new(int fd, const char *name, struct hagg_err *err);

/* NULL is fine. Does not flush: what was not ended by writer_end is not a record. Wipes the buffer.
 */
void writer_free(struct writer *w);

/* Begins a record whose payload will have n_elems elements of elem_size bytes. */
int writer_begin(struct writer *w, const struct header *h, size_t elem_size, uint64_t n_elems,
                 struct hagg_err *err);

/* Bytes that the record begun will have, all told. */
uint64_t writer_size(const struct writer *w);

/* The next elements of the payload, packed. */
int writer_elems(struct writer *w, const void *elems, size_t n_elems, struct hagg_err *err);

/* Adds the digest and hands everything to the kernel. All elements announced must have come. */
int writer_end(struct writer *w, struct hagg_err *err);

#endif
