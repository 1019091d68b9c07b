/*
 * table.h - prints all protocols that the planner tried.
 */
#ifndef HAGG_PLANNER_TABLE_H
#define HAGG_PLANNER_TABLE_H

#include "planner/planner.h"

/* Appends a heading and one line for each attempt. p is the plan that was chosen. */
void table_print(const struct planner_result *result, const struct plan *p, struct text *text);

#endif
