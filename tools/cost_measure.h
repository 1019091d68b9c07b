/*
 * cost_measure.h - hagg-cost --measure: options of its own, and the whole run.
 *
 *   hagg-cost --measure [--plan PLAN] [--clients SET] [--without stations=SET]... [FILE...]
 */
#ifndef HAGG_COST_MEASURE_CLI_H
#define HAGG_COST_MEASURE_CLI_H

#include <argp.h>

#include "plan/plan.h"
#include "base/rangeset.h"

enum cost_measure_format { COST_MEASURE_TABLE, COST_MEASURE_TSV, COST_MEASURE_JSON };

/* Begins all zero. */
struct cost_measure {
    struct rangeset clients;             /* that take part; empty: all */
    struct rangeset without[PLAN_TIERS]; /* stations and relays that broke down */
    enum cost_measure_format format;
    const char *plan; /* NULL: count only */
    const char *const *paths;
    size_t n_paths; /* 0: standard input */
};

/* Reads, compares and prints. What differs from the plan is an error, told after the report. */
int cost_measure_run(const struct cost_measure *m, struct hagg_err *err);

void cost_measure_free(struct cost_measure *m);

#endif
