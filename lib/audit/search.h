/*
 * search.h - examines sets of colluders one by one, or a random sample of them.
 */
#ifndef HAGG_SEARCH_H
#define HAGG_SEARCH_H

#include "audit/sets.h"

/* Examines all sets of the side and adds the leaks found to *r. */
int search_all(struct audit_result *r, const struct model *m, const struct audit_side *s,
               const struct audit_options *options, struct hagg_err *err);

/* Examines n random sets of the side. */
int search_some(struct audit_result *r, const struct model *m, const struct audit_side *s,
                uint64_t n, const struct audit_options *options, struct hagg_err *err);

/* who learns too much. Removes all members that are not needed for that and adds the result to *r
 * unless it is there already. */
int search_add_leak(struct audit_result *r, const struct model *m, const struct coalition *who,
                    struct hagg_err *err);

#endif
