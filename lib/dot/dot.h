/*
 * dot.h - a round of a plan as a picture: who sends how much to whom, for Graphviz.
 */
#ifndef HAGG_DOT_H
#define HAGG_DOT_H

#include "protocol/protocol.h"
#include "base/text.h"

/* A node for each client, station and relay, by tier, and for the federator. A line for what goes
 * from one node to another in all messages of a round: shares of vectors or their sums, and keys or
 * theirs. Its label is the amount, as an exact multiple of the vector. Where too many lines would
 * leave the clients, those that are alike are one node. presence may be NULL: everybody is there.
 */
int dot_print(const struct plan *p, const struct protocol_presence *presence, struct text *text,
              struct hagg_err *err);

#endif
