/*
 * aligned_proof.h - proves a plan with protocol aligned private against all coalitions at once, at
 * any size: docs/aligned.md and docs/audit.md.
 */
#ifndef HAGG_ALIGNED_PROOF_H
#define HAGG_ALIGNED_PROOF_H

#include "audit/model.h"
#include "base/progress.h"
#include "plan/plan.h"

/* Checks the premises of the proof on the matrices that the commands use. Returns 1 if coalitions
 * with as many stations as the collude line allows, and any clients, learn at most the total, and
 * nothing without the federator; 0 if a premise does not hold, so that nothing is proved; -1 on
 * failure. The plan has protocol aligned. The deadline is that of m; progress may be NULL. */
int aligned_proof(const struct plan *p, const struct model *m, struct progress *progress,
                  struct hagg_err *err);

#endif
