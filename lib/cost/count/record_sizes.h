/*
 * record_sizes.h - the exact bytes of each record of a round of a plan: its elements or seed,
 * heads, header, digest and, if the plan has identities, seal. share-format/size.h has the
 * arithmetic, and lib/protocol/protocol_header.h the headers.
 */
#ifndef HAGG_COST_RECORD_SIZES_H
#define HAGG_COST_RECORD_SIZES_H

#include "protocol/protocol_header.h"

/* What the records of a round show that is not in the plan. Initialise to all zero. */
struct bytes_options {
    uint64_t length; /* of the vectors, without the sample count; 0: that of the plan */
    uint64_t round;
    const uint64_t *shape; /* NULL: one dimension */
    size_t n_shape;
    const char *type; /* as in records; NULL: record_sizes_type */
};

/* The type of vectors that a plan is for: f4 if it quantises, otherwise i8. All types of integers
 * give records of the same size, and so do all of floating-point numbers. */
const char *record_sizes_type(const struct plan *p);

struct record_sizes;

/* For messages of this open round, in which all clients take part. The length must be known, and a
 * shape must have it. Random sources are not given, so records have identifiers. The round and the
 * options must outlive the result. NULL on failure: HAGG_E_USAGE if the type needs quantisation,
 * which the plan lacks. */
struct record_sizes *record_sizes_new(const struct protocol *round, const struct bytes_options *o,
                                      struct hagg_err *err);

/* r may be NULL. */
void record_sizes_free(struct record_sizes *r);

/* Sets *size to that of the record that contains the message. */
int record_sizes_of(struct record_sizes *r, const struct message *s, uint64_t *size,
                    struct hagg_err *err);

/* Records of the clients of a group differ only in the number of the client, and so in size. */
#define RECORD_SIZES_MOST 4
struct record_sizes_group {
    uint64_t n[RECORD_SIZES_MOST], size[RECORD_SIZES_MOST];
    size_t n_sizes;
};

/* The sizes of the n records that a message from protocol_each_group stands for. */
int record_sizes_of_group(struct record_sizes *r, const struct message *s, uint64_t n,
                          struct record_sizes_group *group, struct hagg_err *err);

/* Returns the bytes of the record that contains the message and has this header. */
uint64_t record_size(const struct plan *p, const struct message *s, const struct header *h);

#endif
