/*
 * dive.h - a cover from the bound: patterns are opened and closed as the credits suggest, the
 * clearest cases first, and the credits adapt to that.
 */
#ifndef HAGG_PLANNER_DIVE_H
#define HAGG_PLANNER_DIVE_H

#include "planner/cover/relax.h"

/* Keeps the best of what it passes, and leaves the last in a. Stops after about so much work. The
 * credits are first changed at random, by at most this part: another spread ends elsewhere. */
int dive(struct credit *c, struct cover_best *b, struct assignment *a, struct effort *e,
         double spread, uint64_t work, struct hagg_err *err);

#endif
