/*
 * bytes.h - the exact bytes of all records of a round of a plan: elements and seeds, heads,
 * headers, digests and, if the plan has identities, seals. share-format/size.h has the arithmetic,
 * and lib/protocol/protocol_header.h the headers.
 */
#ifndef HAGG_COST_BYTES_H
#define HAGG_COST_BYTES_H

#include <gmp.h>

#include "protocol/protocol_header.h"

/* What the records of a round show that is not in the plan. Initialise to all zero. */
struct bytes_options {
    uint64_t length; /* of the vectors, without the sample count; 0: that of the plan */
    uint64_t round;
    const uint64_t *shape; /* NULL: one dimension */
    size_t n_shape;
    const char *type; /* as in records; NULL: f4 if the plan quantises, otherwise i8 */
};

struct bytes {
    mpz_t links[N_LINKS];
    mpz_t total;
};

/* All zero. */
void bytes_init(struct bytes *b);
void bytes_clear(struct bytes *b);

/* Adds the records of a round in which all nodes take part, and shares are sent in part if the
 * scheme allows it. Random sources are not given, so records have identifiers. What a courier
 * passes on is sent twice. The length must be known. b is from bytes_init.
 * HAGG_E_USAGE if the type needs quantisation, which the plan lacks. */
int bytes_of_round(const struct plan *p, const struct bytes_options *o, struct bytes *b,
                   struct hagg_err *err);

/* Returns the bytes of the record that contains the message and has this header. */
uint64_t bytes_of_record(const struct plan *p, const struct message *s, const struct header *h);

#endif
