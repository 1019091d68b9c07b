/*
 * sample.h - records whose bytes came from another encoder (Python's cbor2 and xxhash), and the
 * headers that belong to them.
 */
#ifndef HAGG_SAMPLE_H
#define HAGG_SAMPLE_H

#include "header.h"

#define SAMPLE_VECTOR_BYTES          74
#define SAMPLE_SHARE_BYTES           356
#define SAMPLE_SHARE_HEADER_BYTES    310
#define SAMPLE_TRANSFER_BYTES        249
#define SAMPLE_TRANSFER_HEADER_BYTES 211

/* gf256, the elements 1, 2 and 255, and no field of the header that may be absent. */
extern const uint8_t sample_vector[SAMPLE_VECTOR_BYTES];

/* m31, the elements 1, 2, 3, 2^31 - 2 and 0, and every field that the header of a share has but
 * layout and mix. */
extern const uint8_t sample_share[SAMPLE_SHARE_BYTES];

/* The header of sample_share alone, which begins at byte 6 of it. */
#define sample_share_header_bytes (sample_share + 6)

/* m31, the elements 7, 0 and 2^31 - 2: a piece of a share of a share on its way to a carrier, with
 * a layout and a mix. */
extern const uint8_t sample_transfer[SAMPLE_TRANSFER_BYTES];
#define sample_transfer_header_bytes (sample_transfer + 6)

/* Fill h, which was cleared; header_clear frees what it then owns. */
void sample_vector_header(struct header *h);
void sample_share_header(struct header *h);
void sample_transfer_header(struct header *h);

/* Whether two headers say the same. */
bool sample_equal(const struct header *a, const struct header *b);

/* A record put together without the writer: header as it is, a typed array with this tag, and the
 * digest. Malloc'ed for the caller. */
uint8_t *sample_record(const void *header, size_t n_header, unsigned tag, const void *payload,
                       size_t n_payload, size_t *len_bytes);

/* The encoding of a vector's header with so many elements of a field whose name has less than 24
 * characters. Returns its length; bytes has room for 128. */
size_t sample_plain_header(uint8_t *bytes, const char *field, uint64_t length);

#endif
