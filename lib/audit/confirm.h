/*
 * confirm.h - checks a proof by elimination on random sets: docs/audit.md, "Verification".
 */
#ifndef HAGG_CONFIRM_H
#define HAGG_CONFIRM_H

#include "audit/audit.h"

/* Examines n random sets of the sides of r that are proved, with the messages of the whole plan if
 * these are few and otherwise with those of a random part of the network, and sets the members of
 * *r about verification. m is from model_build_sums. HAGG_E_PRIVACY if a set learns anything that
 * the proof excludes. If the time is up, fewer sets are examined. */
int confirm_proof(struct audit_result *r, const struct model *m, uint64_t n, uint64_t seed,
                  struct progress *progress, struct hagg_err *err);

#endif
