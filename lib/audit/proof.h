/*
 * proof.h - decides many sets of colluders at once: if no allowed set of nodes learns more about a
 * component than its sum, a condition on a graph decides which clients may collude.
 */
#ifndef HAGG_PROOF_H
#define HAGG_PROOF_H

#include "audit/sets.h"

/* PRIVATE: no set of the side learns more than it may. LEAKS: *who does; the caller frees it with
 * coalition_free. OPEN: not decided by this method. */
enum { PROOF_ERROR = -1, PROOF_LEAKS = 0, PROOF_PRIVATE = 1, PROOF_OPEN = 2 };

/* The same if it is known that at most the sums of components are learnt: structure.h. */
int proof_decide_sums(const struct model *m, const struct audit_side *s, struct coalition *who,
                      struct hagg_err *err);

int proof_decide(const struct model *m, const struct audit_side *s, struct progress *progress,
                 struct coalition *who, struct hagg_err *err);

#endif
