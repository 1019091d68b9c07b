/*
 * options.h - what the user wants of a round.
 */
#ifndef HAGG_ROUND_OPTIONS_H
#define HAGG_ROUND_OPTIONS_H

#include "protocol/protocol.h"

/* File names are passed to the commands as they are; in vectors and samples "{}" is replaced by the
 * number of the client. NULL or 0: not given. */
struct round_options {
    const struct plan *plan;
    const char *plan_path;
    uint64_t number;
    size_t batch;        /* clients of a job; 0: one, in directories of its own */
    uint64_t length;     /* of the vectors; 0: that of the plan, or of the first vector */
    const char *vectors; /* files */
    const char *samples; /* files with the number of samples, for a plan with samples */
    const char *directory;
    const char *result;
    const char *type, *format; /* of the vectors */
    const char *state;         /* directory for the commands; NULL for the default one */
    const char *identity;      /* private keys of the nodes, with "{tier}" and "{}" */
    const struct node *node;   /* write only the part of this node; NULL: the whole round */
    const char *send;          /* for the part of a node: the command of sending.h */
    int64_t deadline;          /* for the part of a node: seconds since 1970 */
    bool has_deadline;
    bool clip, again, mean, unsafe_plan;
    struct protocol_presence presence; /* missing: stations and relays that are not available */
};

/* HAGG_E_USAGE for names that cannot be passed to a command, and for options that the plan
 * contradicts; HAGG_E_MISMATCH for another length than that of the plan; HAGG_E_PRIVACY for a plan
 * that is not private. */
int options_check(const struct round_options *o, struct hagg_err *err);

#endif
