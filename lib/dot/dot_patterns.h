/*
 * dot_patterns.h - draws the graph that privacy depends on for Graphviz: patterns and the clients
 * that use them.
 */
#ifndef HAGG_DOT_PATTERNS_H
#define HAGG_DOT_PATTERNS_H

#include "plan/plan.h"
#include "base/text.h"

/* Full collusion: patterns of vectors on the left, patterns of keys on the right, and an edge for
 * the clients that use both. Partial collusion: clients on the left, patterns on the right. */
int dot_patterns_print(const struct plan *p, struct text *text, struct hagg_err *err);

#endif
