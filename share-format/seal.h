/*
 * seal.h - the payloads of sealed records: what the format fixes, and the interface to the
 * cryptography, which is not part of share-format.
 */
#ifndef HAGG_SEAL_H
#define HAGG_SEAL_H

#include "header.h"

#define SEAL_CHUNK_BYTES  65536u /* of elements, in every chunk but the last */
#define SEAL_TAG_BYTES    16     /* that a sealed chunk has in addition */
#define SEAL_ENC_BYTES    32
#define SEAL_KEY_ID_BYTES 8

/* A secret that determines how a record is sealed. */
#define SEAL_SEED_BYTES 32

/* The items of a sealed payload before the chunks, and the number of bytes of all elements. */
struct seal_head {
    size_t width; /* bytes of an element */
    uint64_t n_bytes;
    uint8_t from_key[SEAL_KEY_ID_BYTES], to_key[SEAL_KEY_ID_BYTES];
    uint8_t enc[SEAL_ENC_BYTES];
};

/* The seal of one record, which seals or opens its chunks in order. */
struct seal {
    /* Seals n bytes to n + SEAL_TAG_BYTES, or opens n + SEAL_TAG_BYTES bytes to n. in and out may
     * be the same buffer. Returns 1; 0 if the chunk is not authentic; -1 on failure. */
    int (*chunk)(struct seal *s, bool last, const void *in, size_t n, void *out,
                 struct hagg_err *err);
    /* Of a seal that opens: begins again with the first chunk. */
    void (*rewind)(struct seal *s);
    void (*free)(struct seal *s);
};

/* Seals the records of a writer. */
struct sealer {
    /* Decides about a record. head has width and n_bytes. Returns 1 with the rest of head and *seal
     * set; 0 if the record is not to be sealed; -1 on failure, also if it must not be written.
     *
     * With a seed, the same record is sealed to the same bytes. The seed must not have been used
     * for a record with the same header but another payload. With NULL the seal is a new one. */
    int (*begin)(struct sealer *s, const struct header *h, const uint8_t *seed,
                 struct seal_head *head, struct seal **seal, struct hagg_err *err);
};

/* Opens the records of a reader. */
struct opener {
    /* Decides about a record; head is NULL if it is not sealed. Returns 0 with *seal set, or NULL
     * for a record that is not sealed; -1 if the record is refused. The message is about the record
     * only; the caller adds the file. */
    int (*begin)(struct opener *o, const struct header *h, const struct seal_head *head,
                 struct seal **seal, struct hagg_err *err);
};

/* Returns the length of the string of chunks for n bytes of elements. */
uint64_t seal_length(uint64_t n_bytes);

/* The inverse. Returns -1 if no number of bytes has this length. */
int seal_content(uint64_t length, uint64_t *n_bytes);

/* Checks what a sealed record needs: a sender, a receiver and a plan. */
int seal_check(const struct header *h, struct hagg_err *err);

/* Checks that the format allows a record with this header that is not sealed. */
int seal_check_open(const struct header *h, struct hagg_err *err);

/* s may be NULL. */
void seal_free(struct seal *s);

#endif
