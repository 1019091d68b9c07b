/*
 * header.h - what a record says about its payload. FORMAT.md has the meaning of each field.
 */
#ifndef HAGG_HEADER_H
#define HAGG_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"

enum header_kind { HEADER_VECTOR, HEADER_SHARE, HEADER_TRANSFER };
enum header_secret { HEADER_PLAIN, HEADER_PADDED, HEADER_KEY };
enum header_rounding { HEADER_NEAREST, HEADER_STOCHASTIC };

/* A place in the network: a tier by name and a number in it. tier[0] == 0 means absent. */
struct header_node {
    char tier[LIMIT_TIER + 1];
    uint32_t number;
};

/* The holders of a sharing in one tier, by share index. */
struct header_tier {
    char name[LIMIT_TIER + 1];
    uint32_t *numbers;
    size_t n_numbers;
};

struct header_range {
    uint32_t first, last;
};

struct header_scheme {
    char name[LIMIT_NAME + 1]; /* empty for a record that is no share */
    uint32_t n, k, z;
    uint32_t index; /* which share, from 0; its holder is number [index] of a tier */
    bool has_point;
    uint64_t point; /* the packed element as an integer */
};

struct header_quant {
    uint32_t bits; /* 0: not quantised */
    double clip;
    enum header_rounding rounding;
};

/* A field "x-..." that this version does not know and a reader may ignore. The value is its
 * encoding. */
struct header_extension {
    char name[LIMIT_NAME + 1];
    uint8_t *value;
    size_t len_bytes;
};

struct header {
    enum header_kind kind;
    enum header_secret secret;
    char field[LIMIT_FIELD_SPEC + 1];
    struct header_scheme scheme;
    struct header_tier *route; /* present holders first, then the tiers still to come */
    size_t n_route;
    uint32_t *layout; /* numbers of parts the vector was cut into before the scheme cuts it */
    size_t n_layout;
    struct header_scheme source; /* of a transfer: the share that is shared, or without a name */
    bool has_carrier;
    uint32_t carrier; /* of a transfer: index of the holder who passes it on */
    struct header_node from, to;
    bool has_round;
    uint64_t round;
    uint64_t length; /* elements of the secret vector, the sample count included */
    bool has_shape;
    uint64_t *shape;
    size_t n_shape;
    char type[LIMIT_TYPE + 1]; /* f4, f8, i1 .. u8; empty: field elements as they are */
    bool samples;              /* the last element is the client's sample count */
    struct header_quant quant;
    struct header_range *clients; /* ascending, neither touching nor overlapping */
    size_t n_clients;             /* ranges, not clients */
    bool has_plan, has_id, has_mix;
    uint8_t plan[16], id[16];
    uint8_t mix[16]; /* which transfers it was made from: the XOR of a number for each */
    struct header_extension *extensions;
    size_t n_extensions;
};

/* Frees what the header owns and leaves it all zero, ready for use again. */
void header_clear(struct header *h);

/* How many clients the set holds. */
uint64_t header_count_clients(const struct header *h);

/* The names of enum values, as they stand in a file. */
const char *header_kind_name(enum header_kind kind);
const char *header_secret_name(enum header_secret secret);
const char *header_rounding_name(enum header_rounding rounding);

/* Whether the fields fit each other and the limits, apart from field arithmetic. Both the decoder
 * and the encoder ask. The message speaks of the header alone; the caller knows the file. */
int header_check(const struct header *h, struct hagg_err *err);

/* The deterministic encoding. *bytes is malloc'ed for the caller. */
int header_encode(const struct header *h, uint8_t **bytes, size_t *len_bytes, struct hagg_err *err);

/* Reads the one map that begins at bytes into h, which was cleared. 1 with its length in *used; 0
 * when n bytes do not hold all of it yet, so that the caller may read on and try again; -1 when it
 * is wrong, however it goes on. Memory taken is proportional to bytes present, whatever they
 * declare. */
int header_decode(struct header *h, const uint8_t *bytes, size_t n, size_t *used,
                  struct hagg_err *err);

#endif
