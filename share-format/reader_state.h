/*
 * reader_state.h - the state of a reader, for reader.c and reader_payload.c.
 */
#ifndef HAGG_READER_STATE_H
#define HAGG_READER_STATE_H

#include "chunks.h"
#include "digest.h"
#include "head.h"
#include "reader.h"

struct reader {
    char *name;
    int fd;
    uint8_t *buffer; /* bytes begin .. end have been read but not used */
    size_t begin, end, capacity;
    bool at_end;
    uint64_t offset;  /* of the byte at begin */
    uint64_t start;   /* of the record */
    uint64_t record;  /* its number, 0 before the first */
    bool in_record;   /* its digest has not been verified yet */
    uint64_t left;    /* bytes of payload not yet read, as they are in the file */
    uint64_t n_elems; /* of the payload */
    uint64_t n_read;  /* elements returned */
    size_t elem_size;
    struct header header;
    bool sealed;
    struct seal_head seal; /* of a sealed record */
    struct opener *opener; /* or NULL */
    struct chunks chunks;  /* of a record that is sealed and can be opened */
    uint8_t digest[16];
    struct digest *hash;
    /* of a sealed record that was opened: before its chunks */
    uint64_t chunks_offset, chunks_left;
    struct digest *chunks_hash;
};

/* Ensures that the buffer has n unused bytes, or all remaining bytes of the stream. Does not wait
 * for more than n bytes on a pipe. */
int reader_fill(struct reader *r, size_t n, struct hagg_err *err);

/* Removes n bytes from the buffer. */
void reader_use(struct reader *r, size_t n);

/* Reads a head of the payload or the digest, and hashes it if hashed is set. */
int reader_head(struct reader *r, struct head *h, const char *where, bool hashed,
                struct hagg_err *err);

/* Fails because the stream ends in this part of the record. */
int reader_early_end(const struct reader *r, const char *where, struct hagg_err *err);

/* Reads everything before the elements, checks that it fits the header, and lets the opener decide
 * about the record. If the opener opens it, its first chunk is opened too, so that the header is
 * authentic. */
int reader_begin_payload(struct reader *r, struct hagg_err *err);

#endif
