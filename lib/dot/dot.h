/*
 * dot.h - draws a round of a plan for Graphviz: who sends how much to whom.
 */
#ifndef HAGG_DOT_H
#define HAGG_DOT_H

#include "protocol/protocol.h"
#include "base/text.h"

/* Draws a node for each client, station and relay, by tier, and for the federator. Between two
 * nodes it draws a line for all shares of vectors and their sums, and one for all keys, their
 * shares and sums. The label of a line is the amount as an exact multiple of the vector. If too
 * many lines would start at clients, similar clients become one node. presence may be NULL: all
 * nodes are present. */
int dot_print(const struct plan *p, const struct protocol_presence *presence, struct text *text,
              struct hagg_err *err);

#endif
