/*
 * writer.h - writes records to a file descriptor, piece by piece, in large aligned calls.
 */
#ifndef HAGG_WRITER_H
#define HAGG_WRITER_H

#include "seal.h"

struct writer;

/* Writes to fd, which the caller still owns. name is for messages and must outlive the writer. */
struct writer *writer_new(int fd, const char *name, struct hagg_err *err);

/* The same, but collects the records in memory, for writer_move. */
struct writer *writer_new_memory(const char *name, struct hagg_err *err);

/* Seals the following records if the sealer decides so; NULL: seals none. The sealer and the seed,
 * which may be NULL, must outlive the writer. */
void writer_set_sealer(struct writer *w, struct sealer *sealer, const uint8_t *seed);

/* w may be NULL. Does not flush: without writer_end the record is incomplete. Wipes the buffer. */
void writer_free(struct writer *w);

/* Begins a record whose payload will have n_elems elements of elem_size bytes. A roster has 0
 * elements of 1 byte, a record with a seed HEADER_SEED_BYTES. Fails if the format does not allow
 * the header, or allows it in a sealed record only, and the sealer does not seal it. */
int writer_begin(struct writer *w, const struct header *h, size_t elem_size, uint64_t n_elems,
                 struct hagg_err *err);

/* Begins a record that is sealed already, with the header and the seal of reader_header and
 * reader_seal. The sealer is not asked. Its chunks follow with writer_elems, as elements of 1 byte;
 * the record then has the same bytes as the one that was read. */
int writer_begin_closed(struct writer *w, const struct header *h, const struct seal_head *seal,
                        struct hagg_err *err);

/* The total size in bytes of the record that was begun. */
uint64_t writer_size(const struct writer *w);

/* Writes the next elements of the payload, packed. */
int writer_elems(struct writer *w, const void *elems, size_t n_elems, struct hagg_err *err);

/* Adds the digest and flushes the buffer. All n_elems elements must have been written. */
int writer_end(struct writer *w, struct hagg_err *err);

/* Returns the bytes of the records that a writer in memory has collected. */
size_t writer_collected(const struct writer *w);

/* Appends the records that a writer in memory has collected, which are then wiped there. They may
 * stay in the buffer of the other writer until writer_flush or the end of its next record. */
int writer_move(struct writer *to, struct writer *from, struct hagg_err *err);

int writer_flush(struct writer *w, struct hagg_err *err);

/* Ends the output with the beginning of a record, so that its reader refuses it. */
int writer_cut(struct writer *w, struct hagg_err *err);

#endif
