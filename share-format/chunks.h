/*
 * chunks.h - the sealed chunks of a payload, opened one after the other. No byte of a chunk is
 * returned before the chunk is known to be authentic.
 */
#ifndef HAGG_CHUNKS_H
#define HAGG_CHUNKS_H

#include "seal.h"

/* All zero for a payload that is not sealed. */
struct chunks {
    struct seal *seal;
    uint64_t left; /* bytes of elements in chunks that were not yet opened */
    bool is_open;  /* True once a chunk was opened. */
    uint8_t *rest; /* of the last chunk opened: the bytes at .. end - 1 were not yet returned */
    size_t at, end;
};

/* Reads the next n bytes of the string of chunks. */
typedef int chunks_fetch(void *arg, void *to, size_t n, struct hagg_err *err);

/* Takes over the seal. n_bytes is the number of bytes of all elements. */
void chunks_begin(struct chunks *c, struct seal *seal, uint64_t n_bytes);

/* Opens the next chunk and keeps it in the buffer, which must be empty. Returns as chunks_read. */
int chunks_open(struct chunks *c, chunks_fetch *fetch, void *arg, struct hagg_err *err);

/* Begins again with the first chunk, before any byte of it was returned. Does nothing if nothing is
 * sealed. */
void chunks_rewind(struct chunks *c, uint64_t n_bytes);

/* Returns the next n bytes of elements, which must exist, in to. Once all bytes were returned, all
 * chunks have been opened; if there are no elements, the first call opens the only chunk. A buffer
 * of one chunk is kept only if n does not end with a chunk. Returns 1; 0 if a chunk is not
 * authentic; -1 on failure. */
int chunks_read(struct chunks *c, chunks_fetch *fetch, void *arg, void *to, size_t n,
                struct hagg_err *err);

/* Wipes the buffer, frees the seal and sets everything to zero. */
void chunks_end(struct chunks *c);

#endif
