/*
 * header.h - the header of a record. FORMAT.md specifies the meaning of each key.
 */
#ifndef HAGG_HEADER_H
#define HAGG_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"

/* The version of the format, and the size of a plan's digest, SHA-256. */
#define HEADER_VERSION    2
#define HEADER_PLAN_BYTES 32

enum header_kind {
    HEADER_VECTOR,
    HEADER_SHARE,
    HEADER_TRANSFER,
    HEADER_ROSTER,
    HEADER_SUMMAND,
    HEADER_DATA,
};
enum header_secret { HEADER_PLAIN, HEADER_PADDED, HEADER_KEY, HEADER_MASK };
enum header_rounding { HEADER_NEAREST, HEADER_STOCHASTIC, HEADER_SIGN };

/* A node: the name of its tier and its number in it. tier[0] == 0 means absent. */
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
    char name[LIMIT_SPEC + 1]; /* with parameters; empty if there is no scheme */
    uint32_t n, k, z;
    uint32_t index; /* of the share, from 0; its holder is numbers[index] of a tier */
    bool has_point;
    uint64_t point; /* the packed element as an integer */
};

/* Symbols first .. end - 1 of a share, counted from 0. end is 0 for all symbols. */
struct header_symbols {
    uint32_t first, end;
};

/* Of bits and levels, one is 0; if both are, there is no quantisation. */
struct header_quant {
    uint32_t bits;
    double clip;
    enum header_rounding rounding;
    uint64_t levels; /* 2 for HEADER_SIGN */
};

/* A key "x-..." that this version does not know and a reader may ignore. value is the encoded
 * item. */
struct header_extension {
    char name[LIMIT_NAME + 1];
    uint8_t *value;
    size_t len_bytes;
};

/* Of a roster only plan, round, clients, from, to and extensions are set; of data only plan, round,
 * from, to, id, part, last and extensions. */
struct header {
    enum header_kind kind;
    enum header_secret secret;
    char field[LIMIT_SPEC + 1];
    struct header_scheme scheme;
    struct header_tier *route; /* the current holders first, then the next tiers */
    size_t n_route;
    uint32_t *layout; /* numbers of parts of the cuts before the scheme's own */
    size_t n_layout;
    struct header_symbols
        symbols;         /* that the record has, of the share or, in a transfer, of its source */
    uint32_t n_segments; /* of an aligned sharing: segments of the vector; 0: not aligned */
    uint32_t *blocks;    /* of an aligned sharing: part counts, ascending */
    size_t n_blocks;
    uint32_t chunks;              /* of a mask: into which a segment is cut; otherwise 0 */
    struct header_range *dealers; /* whose masks it contains; as clients */
    size_t n_dealers;             /* ranges */
    /* of a summand: whose sums are in it, and whose sums the total is decoded from; as clients */
    struct header_range *stations, *basis;
    size_t n_stations, n_basis;  /* ranges */
    struct header_scheme source; /* of a transfer: the share that is shared; empty name: none */
    bool has_carrier;
    uint32_t carrier; /* of a transfer: index of the holder who passes it on */
    struct header_node from, to;
    bool has_round;
    uint64_t round;
    uint64_t length; /* elements of the secret vector, the sample count included */
    bool has_shape;
    uint64_t *shape;
    size_t n_shape;
    char type[LIMIT_TYPE + 1]; /* f4, f8, i1 .. u8; empty: field elements */
    bool samples;              /* the last element is the client's sample count */
    struct header_quant quant;
    struct header_range *clients; /* ascending, neither touching nor overlapping */
    size_t n_clients;             /* ranges, not clients */
    bool has_plan, has_id, has_mix;
    uint8_t plan[HEADER_PLAN_BYTES];
    uint8_t id[16];
    uint8_t mix[16]; /* identifies the transfers it was made from */
    bool has_part;   /* True for data. */
    uint64_t part;   /* its number in the file, from 0 */
    bool last;       /* True for the last part of a file. */
    bool seed;       /* The payload is a seed, whose expansion is the elements. */
    struct header_extension *extensions;
    size_t n_extensions;
};

/* Frees the memory that the header owns and sets it to zero, ready for use again. */
void header_clear(struct header *h);

/* Omits what describes vectors, which keys and masks do not have: shape, type and quantisation. */
void header_forget_vector(struct header *h);

/* Returns the number of clients in the ranges. */
uint64_t header_count_clients(const struct header *h);

/* The same for dealers. */
uint64_t header_count_dealers(const struct header *h);

/* Returns true for a share or a transfer, which have a scheme and a route. */
bool header_is_sharing(const struct header *h);

/* Returns false for a roster and for data, which describe no vector. */
bool header_has_vector(const struct header *h);

/* The payload of a roster is empty, or has this number of bytes for each client. */
#define HEADER_RUN_BYTES 16

/* The payload of a record with a seed has this number of elements of 1 byte. */
#define HEADER_SEED_BYTES 32

/* Returns true for a vector or a summand, which has as many elements as the vector. They are the
 * payload, unless the header has a seed. */
bool header_is_whole(const struct header *h);

/* The names of enum values in a file. */
const char *header_kind_name(enum header_kind kind);
const char *header_secret_name(enum header_secret secret);
const char *header_rounding_name(enum header_rounding rounding);

bool header_has_quant(const struct header_quant *q);
bool header_same_quant(const struct header_quant *a, const struct header_quant *b);

/* Checks the limits and that the values are consistent, apart from field arithmetic. Both the
 * decoder and the encoder call it. The message is about the header only; the caller adds the file.
 */
int header_check(const struct header *h, struct hagg_err *err);

/* Makes the deterministic encoding. *bytes is malloc'ed for the caller. */
int header_encode(const struct header *h, uint8_t **bytes, size_t *len_bytes, struct hagg_err *err);

/* Returns the bytes of the encoding, for a header that header_check accepts. */
size_t header_size(const struct header *h);

/* Reads the map that begins at bytes into h, which must be cleared. Returns 1 with its length in
 * *used; 0 if n bytes are only the beginning of it, so that the caller can read more and try again;
 * -1 if it is invalid, whatever follows. The memory used is proportional to the bytes present,
 * whatever sizes they declare. */
int header_decode(struct header *h, const uint8_t *bytes, size_t n, size_t *used,
                  struct hagg_err *err);

#endif
