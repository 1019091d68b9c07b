/*
 * dot_lines.h - the lines of the picture of a round: what goes from one node to another in all.
 */
#ifndef HAGG_DOT_LINES_H
#define HAGG_DOT_LINES_H

#include "cost/count/sheet.h"

struct dot_line {
    struct node from, to; /* a client is the first of those that are one node */
    bool is_keys;
    struct sheet_line sent;
};

struct dot_lines {
    struct dot_line **lines; /* by kind of link, what it carries, and nodes */
    size_t n, capacity;
    mpq_t total;
    size_t n_client_nodes;
    size_t *node; /* by index of the client in the topology: that of the first one of its node */
};

/* From the messages of a round. If too many lines would leave the clients, those become one node
 * whose shares and keys go to the same stations; if that is not enough, those whose shares do; if
 * that is not, all. The plan is one of plan_load, or one that was chosen; presence may be NULL. */
int dot_lines_new(struct dot_lines *d, const struct plan *p,
                  const struct protocol_presence *presence, struct hagg_err *err);

void dot_lines_free(struct dot_lines *d);

#endif
