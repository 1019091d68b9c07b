/*
 * reader.h - reads a stream of records from a file or a pipe, one head at a time.
 *
 * The reader needs memory for the header and a small buffer, whatever sizes the stream declares.
 * Large payloads are read directly into the caller's buffer.
 */
#ifndef HAGG_READER_H
#define HAGG_READER_H

#include "header.h"
#include "payload.h"
#include "seal.h"

struct reader;

/* Messages about sealed records, also of payload.c. */
#define READER_SEALED "give the private key of its receiver with --identity (or HAGG_IDENTITY)"
#define READER_NOT_AUTHENTIC                                                                       \
    "is not what its sender sealed: it was damaged or changed: get it again from its sender"

/* Opens path; "-" is standard input. Returns NULL on failure. Messages contain path, or "standard
 * input". The opener decides about every record and opens those that are sealed; it must outlive
 * the reader. With NULL, the elements of sealed records cannot be read. */
struct reader *reader_open(const char *path, struct opener *opener, struct hagg_err *err);

/* HAGG_E_PRIVACY if the file has permissions for group or others; see infile.h. */
int reader_check_private(const struct reader *r, struct hagg_err *err);

/* r may be NULL. */
void reader_free(struct reader *r);

/* Moves to the next record, after reading the rest of the current one and verifying its digest. If
 * the opener opens the record, its first chunk has been opened, so its header is authentic.
 * Returns 1 if there is a next record, to which reader_header and the functions below then refer; 0
 * if the stream ended cleanly; -1 on failure, after which the reader can only be freed. */
int reader_next(struct reader *r, struct hagg_err *err);

/* Valid until the next reader_next. */
const struct header *reader_header(const struct reader *r);

/* Bytes per element, and number of elements in the payload. */
size_t reader_elem_size(const struct reader *r);
uint64_t reader_n_elems(const struct reader *r);

bool reader_is_sealed(const struct reader *r);

/* Returns true if the record is sealed and was not opened, so that its elements cannot be read. */
bool reader_is_closed(const struct reader *r);

/* The number of the record in the stream, from 1, and the offset of its first byte. */
uint64_t reader_record(const struct reader *r);
uint64_t reader_offset(const struct reader *r);

/* The digest in the file; valid after the whole payload has been read. */
const uint8_t *reader_digest(const struct reader *r);

/* Size of the record in bytes, from its tag to its digest; valid at the same time. */
uint64_t reader_len_bytes(const struct reader *r);

/* The name of the stream, for messages. */
const char *reader_name(const struct reader *r);

/* Reads up to max_elems elements of the payload; fewer only at its end, when the digest has been
 * verified. *n_elems = 0 at the end. Do not trust any element before that. The elements of a sealed
 * record are authentic. */
int reader_read(struct reader *r, void *buf, size_t max_elems, size_t *n_elems,
                struct hagg_err *err);

/* Returns what precedes the chunks of a sealed record; NULL if it is not sealed. Valid until the
 * next reader_next. */
const struct seal_head *reader_seal(const struct reader *r);

/* Reads up to max_bytes bytes of the chunks of a record that is closed, as they are; fewer only at
 * their end, when the digest has been verified. *n_bytes = 0 at the end. */
int reader_read_closed(struct reader *r, void *buf, size_t max_bytes, size_t *n_bytes,
                       struct hagg_err *err);

/* Reads the rest of the record, sealed or not, and verifies its digest, but opens nothing. */
int reader_finish(struct reader *r, struct hagg_err *err);

/* Skips the rest of the record. If the stream is a regular file, it is not read and not verified.
 */
int reader_skip(struct reader *r, struct hagg_err *err);

/* Skips the record, of whose payload nothing has been read, and returns the payload for reading
 * later. Returns NULL with err->status still 0 if the stream is not a regular file; the reader is
 * then unchanged. */
struct payload *reader_detach(struct reader *r, struct hagg_err *err);

/* Sets a message about the current record, "NAME: record 3 (byte 512): ...", and returns -1. */
int reader_fail(const struct reader *r, struct hagg_err *err, enum hagg_status status,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
