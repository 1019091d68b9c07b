/*
 * scenario.h - the input of hagg-cost: a plan, or a network given in numbers, uniform or random.
 */
#ifndef HAGG_COST_SCENARIO_H
#define HAGG_COST_SCENARIO_H

#include "cost/report/sweep.h"

/* Initially all zero. */
struct scenario {
    struct plan plan; /* if has_plan */
    bool has_plan;
    bool is_random;
    struct parameters parameters;
    struct bytes_options records; /* of a plan or a random network */
    const char *only;             /* the rows to keep, as in report_keep; NULL: all */
};

/* Reads the plan or topology. A topology whose relays are not chosen yet is accepted. */
int scenario_load(struct scenario *s, const char *path, struct hagg_err *err);

void scenario_free(struct scenario *s);

int scenario_report(struct scenario *s, struct report *r, struct hagg_err *err);

/* Prints the topology of a random network. */
int scenario_print_topology(const struct scenario *s, struct text *text, struct hagg_err *err);

typedef int scenario_point_fn(void *arg, uint64_t value, const struct report *r,
                              struct hagg_err *err);

/* Calls fn for every point of the sweep. An error message states the value. */
int scenario_sweep(struct scenario *s, const struct sweep *sweep, scenario_point_fn *fn, void *arg,
                   struct hagg_err *err);

#endif
