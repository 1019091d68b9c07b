/*
 * dot_lines.h - the lines of the picture of a round: what goes from one node to another in all.
 */
#ifndef HAGG_PLANNER_DOT_LINES_H
#define HAGG_PLANNER_DOT_LINES_H

#include "flow.h"
#include "plan.h"
#include "sheet.h"

struct dot_line {
    struct flow flow; /* a transfer is what it is a share of; a client is the first of its node */
    struct sheet_line sent;
};

struct dot_lines {
    struct dot_line **lines; /* in the order of flow_compare */
    size_t n, capacity;
    mpq_t total;
    struct flow_tiers tiers;
    size_t n_client_nodes;
    size_t *node; /* by index of the client in the topology: that of the first one of its node */
};

/* From the messages of a round. If too many lines would leave the clients, those become one node
 * whose shares and keys go to the same stations; if that is not enough, those whose shares do; if
 * that is not, all. The plan is one of plan_load, or one that was chosen. */
int dot_lines_new(struct dot_lines *d, const struct plan *p, struct hagg_err *err);

void dot_lines_free(struct dot_lines *d);

#endif
