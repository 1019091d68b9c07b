/*
 * search.h - goes through sets of colluders one by one, or through some of them at random.
 */
#ifndef HAGG_SEARCH_H
#define HAGG_SEARCH_H

#include "audit/sets.h"

/* All sets of the side. Adds the leaks found to the result. */
int search_all(struct audit_result *r, const struct model *m, const struct sets_side *s,
               const struct audit_options *options, struct hagg_err *err);

/* So many sets of the side, chosen at random. */
int search_some(struct audit_result *r, const struct model *m, const struct sets_side *s,
                uint64_t n, const struct audit_options *options, struct hagg_err *err);

/* Leaves out of a set that learns too much whoever is not needed for that, and adds it unless it is
 * there already. */
int search_add_leak(struct audit_result *r, const struct model *m, const struct coalition *who,
                    struct hagg_err *err);

#endif
