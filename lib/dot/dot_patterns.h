/*
 * dot_patterns.h - what privacy depends on as a picture: patterns and the clients that use them,
 * for Graphviz.
 */
#ifndef HAGG_DOT_PATTERNS_H
#define HAGG_DOT_PATTERNS_H

#include "plan/plan.h"
#include "base/text.h"

/* Full collusion: patterns of vectors on the left, of keys on the right, an edge for the clients
 * that use both. Partial collusion: clients on the left, patterns on the right. */
int dot_patterns_print(const struct plan *p, struct text *text, struct hagg_err *err);

#endif
