/*
 * decode_facts.h - what hagg-decode reports with --json.
 */
#ifndef HAGG_DECODE_FACTS_H
#define HAGG_DECODE_FACTS_H

#include "cli_options.h"
#include "decode/total.h"

/* The total, once it is written. */
void decode_facts(const struct decode *d, const struct total_report *r, bool mean,
                  const struct cli_options *common);

#endif
