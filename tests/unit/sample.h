/*
 * sample.h - records that were encoded by Python's cbor2 and xxhash, and their headers.
 */
#ifndef HAGG_SAMPLE_H
#define HAGG_SAMPLE_H

#include "header.h"

#define SAMPLE_VECTOR_BYTES          74
#define SAMPLE_SHARE_BYTES           356
#define SAMPLE_SHARE_HEADER_BYTES    310
#define SAMPLE_TRANSFER_BYTES        249
#define SAMPLE_TRANSFER_HEADER_BYTES 211

/* gf256, the elements 1, 2 and 255, and no optional header field. */
extern const uint8_t sample_vector[SAMPLE_VECTOR_BYTES];

/* m31, the elements 1, 2, 3, 2^31 - 2 and 0, and every header field of a share except layout and
 * mix. */
extern const uint8_t sample_share[SAMPLE_SHARE_BYTES];

/* The header of sample_share, which begins at its byte 6. */
#define sample_share_header_bytes (sample_share + 6)

/* m31, the elements 7, 0 and 2^31 - 2: a transfer to a carrier, with a layout and a mix. */
extern const uint8_t sample_transfer[SAMPLE_TRANSFER_BYTES];
#define sample_transfer_header_bytes (sample_transfer + 6)

/* Fill h, which must be all zero; header_clear frees it. */
void sample_vector_header(struct header *h);
void sample_share_header(struct header *h);
void sample_transfer_header(struct header *h);

/* Returns true if two headers are equal. */
bool sample_equal(const struct header *a, const struct header *b);

/* Makes a record without the writer, from the encoded header, a typed array with this tag, and the
 * digest. Malloc'ed for the caller. */
uint8_t *sample_record(const void *header, size_t n_header, unsigned tag, const void *payload,
                       size_t n_payload, size_t *len_bytes);

/* The same with any bytes between the header and the payload. */
uint8_t *sample_join(const void *header, size_t n_header, const void *heads, size_t n_heads,
                     const void *payload, size_t n_payload, size_t *len_bytes);

/* Writes a CBOR head in its shortest form, and returns its length. p has room for 9 bytes. */
size_t sample_head(uint8_t *p, unsigned major, uint64_t value);

/* Encodes the header of a vector with this many elements of a field whose name has fewer than 24
 * characters. Returns its length; bytes has room for 128. */
size_t sample_plain_header(uint8_t *bytes, const char *field, uint64_t length);

#endif
