/*
 * search.h - examines sets of colluders one by one, or a random sample of them.
 */
#ifndef HAGG_SEARCH_H
#define HAGG_SEARCH_H

#include "audit/sets.h"

/* Examines all sets of the side, of equivalent ones only one, and adds the leaks found to *r. If
 * there are too many and m has a deadline, examines random ones until then. Sets r->timed_out when
 * the time is up, and *n_examined to the number of sets examined until then. */
int search_all(struct audit_result *r, const struct model *m, const struct audit_side *s,
               const struct audit_options *options, uint64_t *n_examined, struct hagg_err *err);

/* Examines n random sets of the side, or as many as the time allows. */
int search_some(struct audit_result *r, const struct model *m, const struct audit_side *s,
                uint64_t n, const struct audit_options *options, uint64_t *n_examined,
                struct hagg_err *err);

/* Makes a random set of the side: the largest numbers of stations, relays, colluding and missing
 * clients. With groups, these clients are all those of some profiles, as far as possible. */
int search_choose(struct coalition *c, const struct model *m, const struct audit_side *s,
                  bool groups, uint64_t *state, struct hagg_err *err);

/* who learns too much. Unless it is known to be minimal, removes all members that are not needed
 * for that, whatever time it takes. Adds the result to *r unless it is there already. */
int search_add_leak(struct audit_result *r, const struct model *m, const struct coalition *who,
                    bool minimal, struct hagg_err *err);

#endif
