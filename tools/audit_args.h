/*
 * audit_args.h - the command line of hagg-audit.
 */
#ifndef HAGG_AUDIT_ARGS_H
#define HAGG_AUDIT_ARGS_H

#include "audit/model_build.h"
#include "audit_output.h"
#include "cli_options.h"

/* The coalition given on the command line. */
struct audit_colluders {
    bool given, federator;
    struct rangeset clients, stations, relays, missing;
};

/* Initialise to AUDIT_ARGS. */
struct audit_args {
    struct cli_options common;
    struct audit_colluders colluders;
    struct audit_options audit;
    struct audit_output output;
    struct require required;
    struct cli_progress progress;
    bool max;
    uint32_t beyond; /* more colluders than the plan allows; 0: none */
    size_t max_terms;
    double time_limit;
    const char *file;
};

#define AUDIT_ARGS                                                                                 \
    {                                                                                              \
        .max_terms = MODEL_BUILD_TERMS, .audit = {                                                 \
            .max_leaks = 20,                                                                       \
            .max_columns = LEARNT_COLUMNS,                                                         \
            .n_verify = 8                                                                          \
        }                                                                                          \
    }

extern const struct argp audit_argp;

void audit_args_free(struct audit_args *args);

#endif
