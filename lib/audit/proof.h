/*
 * proof.h - many sets of colluders at once: when nobody learns more of any component than its sum,
 * it is a question of graphs which clients may collude.
 */
#ifndef HAGG_PROOF_H
#define HAGG_PROOF_H

#include "audit/sets.h"

/* 1: no set of the side learns anything that it may not. 0: *who, for coalition_free, does. -1: an
 * error. 2: not decided by these means. */
enum { PROOF_ERROR = -1, PROOF_LEAKS = 0, PROOF_PRIVATE = 1, PROOF_OPEN = 2 };

int proof_decide(const struct model *m, const struct sets_side *s, struct coalition *who,
                 struct hagg_err *err);

#endif
