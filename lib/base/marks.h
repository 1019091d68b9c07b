/*
 * marks.h - marks such as "{}" or "{to}" in a text of the user, and their replacement.
 */
#ifndef HAGG_MARKS_H
#define HAGG_MARKS_H

#include "base/text.h"

struct marks_value {
    const char *mark; /* begins with "{" */
    const char *value;
};

/* Appends the text, with each mark replaced by its value. What is in a value is not replaced
 * again. */
void marks_replace(struct text *out, const char *text, const struct marks_value *values, size_t n);

#endif
