/*
 * cost_records.h - the options of hagg-cost about records: --round, --type and --shape.
 */
#ifndef HAGG_COST_RECORDS_CLI_H
#define HAGG_COST_RECORDS_CLI_H

#include <argp.h>

#include "cost/count/record_sizes.h"
#include "cost/count/parameters.h"
#include "cli_options.h"

struct cost_records {
    uint64_t shape[LIMIT_DIMENSIONS];
    size_t n_shape;
    bool has_shape;
};

/* Parses the value of --shape. A usage error exits. */
void cost_records_parse_shape(const struct argp_state *state, const char *arg,
                              struct cost_records *r);

/* True if any of the options was given. */
bool cost_records_given(const struct cost_records *r, const struct cli_options *common);

/* Sets what records show, and with --shape the length. A usage error exits. */
void cost_records_settle(const struct argp_state *state, const struct cost_records *r,
                         const struct cli_options *common, struct parameters *parameters,
                         struct bytes_options *records);

#endif
