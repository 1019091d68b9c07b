/*
 * decode_state.h - internals shared by decode.c, which collects and decodes the records, and
 * decode_check.c, which checks that they belong together.
 */
#ifndef HAGG_DECODE_STATE_H
#define HAGG_DECODE_STATE_H

#include "decode/decode.h"
#include "protocol/protocol.h"

/* A sharing, or a vector in the clear, which is treated as a sharing with one share. */
struct piece {
    struct pattern pattern;
    struct piece *next;
};

struct decode {
    const struct decode_options *options;
    struct protocol *round;  /* of the plan, with all clients; NULL without one */
    struct protocol *summed; /* with the clients in the total: see idle.h */
    struct filecache files;
    struct field *field;
    struct scheme *scheme;
    struct piece *pieces, **last; /* in order of arrival */
    void *tree;                   /* of pieces, by pattern */
    const struct piece
        *anchors[2];              /* the first vector and the first key: all must agree with both */
    struct rangeset values, keys; /* clients whose vectors, and whose keys, arrived */
    unsigned char *total;
};

static inline bool decode_is_value(const struct header *h)
{
    return h->secret != HEADER_KEY;
}

static inline const struct header *decode_header_of(const struct piece *p)
{
    return &p->pattern.shares[0].header;
}

static inline const char *decode_file_of(const struct decode *d, const struct piece *p)
{
    return filecache_name(&d->files, p->pattern.shares[0].stored.file);
}

/* Opens the scheme of a piece, unless it is already open. */
int decode_use_scheme(struct decode *d, const struct piece *p, struct hagg_err *err);

/* Adds a vector in the clear, or a summand, to the total, or subtracts it. */
int decode_add_vector(struct decode *d, struct stored *stored, bool subtract, struct hagg_err *err);

/* Checks that the records can be decoded, and that the total may be revealed. */
int decode_check(struct decode *d, struct hagg_err *err);

#endif
