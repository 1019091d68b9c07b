/*
 * reader.h - reads a stream of records, a head at a time, from a file or a pipe.
 *
 * Memory is the header plus a small buffer, whatever the stream declares. The payload goes from the
 * kernel straight into the caller's buffer.
 */
#ifndef HAGG_READER_H
#define HAGG_READER_H

#include "header.h"
#include "payload.h"

struct reader;

/* Opens path; "-" is standard input. NULL on failure. Messages name path, or "standard input". */
struct reader *reader_open(const char *path, struct hagg_err *err);

/* NULL is fine. */
void reader_free(struct reader *r);

/* Moves to the next record. 1: there is one, reader_header and the functions below speak of it.
 * 0: the stream ended cleanly. -1: failure, the reader is of no further use. What was left of the
 * record before is read and its digest verified first. */
int reader_next(struct reader *r, struct hagg_err *err);

/* Valid until the next reader_next. */
const struct header *reader_header(const struct reader *r);

/* Bytes of one element, and how many elements the payload has. */
size_t reader_elem_size(const struct reader *r);
uint64_t reader_n_elems(const struct reader *r);

/* The record's number in the stream, from 1, and the offset of its first byte. */
uint64_t reader_record(const struct reader *r);
uint64_t reader_offset(const struct reader *r);

/* The digest as it stands in the file; known once the payload was read to its end. */
const uint8_t *reader_digest(const struct reader *r);

/* Bytes of the whole record, from its tag to its digest; known at the same time. */
uint64_t reader_len_bytes(const struct reader *r);

/* The stream's name for messages. */
const char *reader_name(const struct reader *r);

/* Reads up to max_elems further elements of the payload; fewer only at its end, where the digest
 * has been verified. *n_elems = 0: the end. Nothing that came before may be trusted until then. */
int reader_read(struct reader *r, void *buf, size_t max_elems, size_t *n_elems,
                struct hagg_err *err);

/* Jumps over what is left of the record, unread where the stream can seek, and so unverified. */
int reader_skip(struct reader *r, struct hagg_err *err);

/* Jumps over the record, nothing of whose payload was read, and hands out its payload to be read
 * later. NULL with err->status still 0 when the stream is no regular file: nothing happened then.
 */
struct payload *reader_detach(struct reader *r, struct hagg_err *err);

/* A message about the current record: "NAME: record 3 (byte 512): ..." Returns -1. */
int reader_fail(const struct reader *r, struct hagg_err *err, enum hagg_status status,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
