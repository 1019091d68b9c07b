/*
 * plan_output.h - what hagg-plan writes: the plan, a graph, a digest or JSON, and notes.
 */
#ifndef HAGG_PLAN_OUTPUT_H
#define HAGG_PLAN_OUTPUT_H

#include "planner/planner.h"

/* The plan itself, if all are false. */
struct plan_output {
    bool digest, json;
    bool dot, patterns; /* patterns: the graph of patterns instead of that of a round */
};

/* Writes to the file; NULL is standard output. */
int plan_output_write(const struct plan_output *o, const struct plan *plan, const char *file,
                      struct hagg_err *err);

/* Prints the lines of summary_print as notes. */
int plan_output_summary(const struct plan *plan, const struct planner_result *result,
                        enum collusion_condition condition, struct hagg_err *err);

#endif
