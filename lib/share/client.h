/*
 * client.h - a client's step: quantises, pads, shares and addresses a vector. Also shares a vector
 * without a plan.
 */
#ifndef HAGG_CLIENT_H
#define HAGG_CLIENT_H

#include "records/outfiles.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "state/state.h"
#include "vector/vector.h"

struct keyfile_key;
struct sharings;

struct client_options {
    const struct plan *plan; /* NULL to share without padding, with the next members */
    struct field *field;
    const struct scheme *scheme;
    uint32_t n, k, z;
    struct header_quant quant;

    uint32_t client; /* 0 if not given; required with a plan */
    bool has_round;
    uint64_t round;
    const char *key; /* with protocol keys, the file of the key; "-" is standard input */
    const struct keyfile_key *loaded_key; /* if it was loaded already, by keyfile.h */
    const struct rangeset *missing;       /* stations that pass on nothing as couriers, or NULL */
    const struct sharings *sharings;      /* that have the client; NULL to make them */
    struct state *state; /* with a plan: what was shared before; NULL to remember nothing */
    bool again;          /* True to share a vector that was shared in another round. */
    bool has_samples;
    uint64_t samples;          /* the sample count */
    bool no_seeds;             /* True to refuse a plan under which the client sends seeds. */
    bool unsafe_plan;          /* True to accept a plan that is not private. */
    bool clip;                 /* True to clip values instead of refusing them. */
    struct sealer *sealer;     /* of the records; NULL for a plan without identities */
    const char *random_source; /* NULL for the generator */
    struct parallel *pool;     /* NULL for one thread */
    struct progress *progress; /* may be NULL */
};

/* Facts about the vector, to be reported to the client. */
struct client_report {
    uint64_t n_clipped;
    /* Protocol aligned: elements of all shares that only fill up segments and blocks, per cent of
     * the others; 0 if there are few, or if the plan was made for this length. */
    uint64_t percent_filling;
    uint64_t n_computational; /* clients that send seeds: 0 or 1, or how many of several */
};

/* Shares the vector and writes one record per station. With protocol keys, also shares the key or,
 * under partial collusion, writes the key in the clear to one station; before that, the vector is
 * entered into the state. */
int client_share(const struct client_options *options, const struct vector *v, struct outfiles *out,
                 struct client_report *report, struct hagg_err *err);

/* The part of client_share that is the same for all clients of a plan: checks that the plan is
 * private, or that the options accept it. */
int client_accept(const struct client_options *options, struct hagg_err *err);

/* What the state remembers of a vector. It is secret. */
struct client_mark {
    bool is_set; /* False if nothing is to be remembered. */
    uint8_t vector[MAC_BYTES], use[MAC_BYTES];
};

/* The rest of client_share, without the entry in the state: call client_enter and state_commit
 * before anybody can see a record. Several threads may do this at the same time for different
 * clients, once state_mac was called. */
int client_share_unentered(const struct client_options *options, const struct vector *v,
                           struct outfiles *out, struct client_mark *mark,
                           struct client_report *report, struct hagg_err *err);

/* Claims the entry of a vector. name is its file, for messages. Does nothing if the mark is not
 * set. */
int client_enter(const struct client_options *options, const struct client_mark *mark,
                 const char *name, struct hagg_err *err);

#endif
