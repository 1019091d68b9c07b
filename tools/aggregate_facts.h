/*
 * aggregate_facts.h - what hagg-aggregate reports with --json.
 */
#ifndef HAGG_AGGREGATE_FACTS_H
#define HAGG_AGGREGATE_FACTS_H

#include "aggregate/aggregate.h"
#include "cli_options.h"

/* What is known from the start. */
void aggregate_facts_given(const struct aggregate_options *o, const struct cli_options *common);

/* The sums, once they are written. */
void aggregate_facts(const struct aggregate *a, const struct cli_options *common);

#endif
