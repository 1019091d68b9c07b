/*
 * title.h - describes a network in one line.
 */
#ifndef HAGG_COST_TITLE_H
#define HAGG_COST_TITLE_H

#include "plan/plan.h"

/* "6 clients, 5 stations, full collusion of 1 client and 2 stations, field m31". The caller frees
 * *title. length 0: unknown. */
int title_of_plan(char **title, const struct plan *p, uint64_t length, struct hagg_err *err);

#endif
