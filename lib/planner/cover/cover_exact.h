/*
 * cover_exact.h - the cheapest cover of few reach classes, by looking at every way to group them.
 */
#ifndef HAGG_PLANNER_COVER_EXACT_H
#define HAGG_PLANNER_COVER_EXACT_H

#include "planner/instance.h"

#define COVER_EXACT_MOST 16 /* at most: 3^15 groupings are looked at, and 2^16 numbers kept */

/* Writes the group of each reach class, numbered from 0; reach classes of a group share over the
 * meet of their reaches. Returns the number of groups, or 0 with an error. */
uint32_t cover_exact(const struct instance *in, uint32_t *group, struct hagg_err *err);

#endif
