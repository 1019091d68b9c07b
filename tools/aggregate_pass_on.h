/*
 * aggregate_pass_on.h - hagg-aggregate --pass-on: the step of a courier.
 */
#ifndef HAGG_AGGREGATE_PASS_ON_H
#define HAGG_AGGREGATE_PASS_ON_H

#include "aggregate/aggregate.h"
#include "cli_options.h"

/* Exits with a usage error if --plan or --station is missing, or an option is given that is only
 * for adding up. */
void aggregate_pass_on_check(const struct argp_state *state, const struct cli_options *common,
                             const struct aggregate_options *o);

/* Copies the records for other stations to the output. */
int aggregate_pass_on(const struct cli_options *o, uint32_t station, struct hagg_err *err);

#endif
