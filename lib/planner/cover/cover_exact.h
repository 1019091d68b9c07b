/*
 * cover_exact.h - finds the cheapest cover of few reach classes by trying every way to group them.
 */
#ifndef HAGG_PLANNER_COVER_EXACT_H
#define HAGG_PLANNER_COVER_EXACT_H

#include "planner/instance.h"

#define COVER_EXACT_MOST 16 /* reach classes: tries 3^15 groupings and stores 2^16 numbers */

/* in has at most COVER_EXACT_MOST reach classes. Writes the group of each reach class, numbered
 * from 0. All reach classes of a group share over the intersection of their reaches. Returns the
 * number of groups, or 0 on error. */
uint32_t cover_exact(const struct instance *in, uint32_t *group, struct hagg_err *err);

#endif
