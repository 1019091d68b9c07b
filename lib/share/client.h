/*
 * client.h - a client's whole step: quantise, pad, share, address. And sharing without a plan.
 */
#ifndef HAGG_CLIENT_H
#define HAGG_CLIENT_H

#include "records/outfiles.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "vector/vector.h"

struct client_options {
    const struct plan *plan; /* NULL: shared as the next members say, unpadded */
    struct field *field;
    const struct scheme *scheme;
    uint32_t n, k, z;
    struct header_quant quant;

    uint32_t client; /* 0: not said; with a plan it always is */
    bool has_round;
    uint64_t round;
    const char *key; /* the file of the key, with a plan whose clients pad; "-" is standard input */
    bool has_samples;
    uint64_t samples;          /* how many samples the vector was made from */
    bool unsafe_plan;          /* full collusion: take sets that are known not to be private */
    bool clip;                 /* cut values to the clip instead of refusing them */
    const char *random_source; /* NULL: the generator */
    struct parallel *pool;     /* NULL: one thread */
    struct progress *progress; /* NULL: nobody looks */
};

/* What a client is told about its own vector. */
struct client_report {
    uint64_t n_clipped;
};

/* Shares the vector and writes every share to its station; likewise the key, which under partial
 * collusion goes to one station as it is. */
int client_share(const struct client_options *options, const struct vector *v, struct outfiles *out,
                 struct client_report *report, struct hagg_err *err);

#endif
