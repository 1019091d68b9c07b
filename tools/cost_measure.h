/*
 * cost_measure.h - hagg-cost --measure: its options, and the run.
 *
 *   hagg-cost --measure [--plan PLAN] [--clients CLIENTS] [--without stations=SET]... [RECORDS...]
 */
#ifndef HAGG_COST_MEASURE_CLI_H
#define HAGG_COST_MEASURE_CLI_H

#include <argp.h>

#include "plan/plan.h"
#include "base/rangeset.h"

enum cost_measure_format { COST_MEASURE_TABLE, COST_MEASURE_TSV, COST_MEASURE_JSON };

/* Initialise to all zero. */
struct cost_measure {
    struct rangeset clients;             /* that take part; empty for all */
    struct rangeset without[PLAN_TIERS]; /* missing stations and relays */
    enum cost_measure_format format;
    const char *plan; /* NULL to count only */
    const char *const *paths;
    size_t n_paths; /* 0 for standard input */
};

/* Reads, compares and prints. A difference from the plan is an error, reported after the report. */
int cost_measure_run(const struct cost_measure *m, struct hagg_err *err);

void cost_measure_free(struct cost_measure *m);

#endif
