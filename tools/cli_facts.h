/*
 * cli_facts.h - facts that several commands report with --json. Without it, nothing is done.
 */
#ifndef HAGG_CLI_FACTS_H
#define HAGG_CLI_FACTS_H

#include "cli_options.h"

/* What is known from the start, so that it is reported on failure too: "plan", "round" and
 * "client", as far as they are given. plan may be NULL. */
void cli_facts_given(const struct plan *plan, const struct cli_options *o);

/* The round of the records, unless cli_facts_given has reported it. */
void cli_facts_round(const struct cli_options *o, bool has_round, uint64_t round);

/* "output": the name as it was given; "-" is standard output. */
void cli_facts_output(const struct cli_options *o);

/* [[1,3],[5,5]] under this name. */
void cli_facts_set(const char *name, const struct rangeset *set);

#endif
