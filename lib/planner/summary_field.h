/*
 * summary_field.h - how many bytes an element of the field has, and how other bits would change it.
 */
#ifndef HAGG_PLANNER_SUMMARY_FIELD_H
#define HAGG_PLANNER_SUMMARY_FIELD_H

#include "plan/plan.h"

/* Appends a line, after a newline, if the plan quantises or declares integers. */
int summary_field_print(const struct plan *p, struct text *text, struct hagg_err *err);

#endif
