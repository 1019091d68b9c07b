/*
 * toy_seal.h - a seal without cryptography, to test everything around it: a sealed chunk is the
 * chunk with every bit inverted, and a tag with its number, its length and whether it is the last.
 */
#ifndef HAGG_TOY_SEAL_H
#define HAGG_TOY_SEAL_H

#include "seal.h"

/* What happened to the seals of a test, all of which share it. */
struct toy_log {
    uint64_t n_chunks;  /* sealed or opened */
    uint64_t n_bytes;   /* of elements in them */
    unsigned n_freed;   /* seals */
    uint64_t fail_at;   /* number of the chunk at which it fails, from 1; 0: none */
    int fail_with;      /* 0: not authentic, -1: failure */
    bool last;          /* of the last call */
    const uint8_t *out; /* of the last call */
    /* called before each chunk; may be NULL */
    void (*watch)(struct toy_log *log, void *arg);
    void *arg;
};

/* A seal that seals or opens; NULL if out of memory. */
struct seal *toy_seal_new(bool opens, struct toy_log *log);

/* Seals n bytes to seal_length(n) bytes at once. */
void toy_seal_all(uint8_t *to, const uint8_t *from, uint64_t n);

/* Makes a sealed record without the writer, from the encoded header and the bytes of elements of
 * this width. The key ids are 8 times f1 and f2, enc is 32 times f3. Malloc'ed for the caller. */
uint8_t *toy_seal_record(const void *header, size_t n_header, unsigned width, const uint8_t *plain,
                         size_t n, size_t *len_bytes);

/* A sealer and an opener of all records, unless refuse is set to the message of a refusal. */
struct toy_sealer {
    struct sealer base;
    struct toy_log log;
    const char *refuse;
    bool leave; /* True to leave records without a seal, or closed. */
    const uint8_t *seed;
    struct seal_head head; /* of the last record */
    bool had_head;
};
struct toy_opener {
    struct opener base;
    struct toy_log log;
    const char *refuse;
    bool leave;
    struct seal_head head;
    bool had_head;
};
void toy_seal_sealer(struct toy_sealer *s);
void toy_seal_opener(struct toy_opener *o);

#endif
