/*
 * protocol_header.h - the headers of the records that contain the messages of a round.
 */
#ifndef HAGG_PROTOCOL_HEADER_H
#define HAGG_PROTOCOL_HEADER_H

#include "protocol/protocol.h"

/* What the records of a round show of it that is not in the plan. */
struct protocol_vector {
    bool has_round;
    uint64_t round;
    uint64_t length; /* of the vectors, including the sample count */
    bool has_shape;
    uint64_t *shape;
    size_t n_shape;
    char type[LIMIT_TYPE + 1]; /* empty: field elements */
    bool has_ids;              /* False if random sources were given: hagg-format(5). */
};

struct protocol_headers;

/* The protocol and the shape must outlive the result. */
struct protocol_headers *protocol_headers_new(const struct protocol *p,
                                              const struct protocol_vector *v,
                                              struct hagg_err *err);

/* Returns the header of the record that contains the message, valid until the next call; NULL on
 * failure. Identifiers are zero. shown is the header of a record of this message, whose sets of
 * nodes and identifiers are then used; or NULL for those of the round. */
const struct header *protocol_headers_of(struct protocol_headers *hs, const struct message *s,
                                         const struct header *shown, struct hagg_err *err);

/* hs may be NULL. */
void protocol_headers_free(struct protocol_headers *hs);

#endif
