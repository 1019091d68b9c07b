/*
 * marks.h - marks such as "{to}" in a text of the user, and their replacement.
 */
#ifndef HAGG_ROUND_MARKS_H
#define HAGG_ROUND_MARKS_H

#include "base/text.h"
#include "round/step.h"

struct marks_value {
    const char *mark, *value;
};

/* Appends the text, with each mark replaced by its value. What is in a value is not replaced
 * again. */
void marks_replace(struct text *out, const char *text, const struct marks_value *values, size_t n);

/* Appends the name of a node's private key: in the pattern, "{tier}" is the tier of the node, and
 * "{}" its number, except that it stays for the clients of a batch. */
void marks_identity(struct text *out, const char *pattern, enum step_tier tier, uint32_t node);

#endif
