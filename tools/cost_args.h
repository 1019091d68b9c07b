/*
 * cost_args.h - the command line of hagg-cost.
 */
#ifndef HAGG_COST_ARGS_H
#define HAGG_COST_ARGS_H

#include "cli_options.h"
#include "cost_measure.h"
#include "cost_records.h"
#include "cost/report/scenario.h"

enum cost_format { FORMAT_TABLE, FORMAT_TSV, FORMAT_JSON, FORMAT_GNUPLOT };

/* Initialise to all zero. */
struct cost_args {
    struct scenario scenario;
    struct sweep sweep;
    bool has_sweep, topology, measure;
    enum sweep_unit unit;
    const char *clients; /* a number or, with --measure, a set */
    enum cost_format format;
    struct cost_records records;
    struct cli_options common;
    struct cost_measure measured; /* its paths are all arguments; without --measure, the plan */
};

extern const struct argp cost_argp;

#endif
