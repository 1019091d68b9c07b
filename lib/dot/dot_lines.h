/*
 * dot_lines.h - the lines of the drawing of a round: the total sent from one node to another.
 */
#ifndef HAGG_DOT_LINES_H
#define HAGG_DOT_LINES_H

#include "cost/count/sheet.h"

struct dot_line {
    /* A client represents all clients of its node. Every dealer sends a mask to every station, so
     * masks have two lines for each station: all that it sends, to node 0, and all that it gets,
     * from node 0. */
    struct node from, to;
    bool is_keys;
    bool is_passed_on; /* by a courier */
    struct sheet_line sent;
};

struct dot_lines {
    struct dot_line **lines; /* sorted by kind of link, content, and nodes */
    size_t n, capacity;
    mpq_t total;
    size_t n_client_nodes;
    size_t *node; /* by index of the client in the topology: the first client of its node */
};

/* Adds up the messages of a round. If too many lines would start at clients, clients whose shares
 * and keys go to the same stations become one node; if that is not enough, clients whose shares do;
 * if that is not enough either, all clients. The plan is from plan_load or from the planner.
 * presence may be NULL. */
int dot_lines_new(struct dot_lines *d, const struct plan *p,
                  const struct protocol_presence *presence, struct hagg_err *err);

/* Returns true for a line of masks. */
bool dot_lines_masks(const struct dot_line *line);

void dot_lines_free(struct dot_lines *d);

#endif
