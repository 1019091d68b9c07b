/*
 * structure.h - whether the structure of a plan proves what coalitions learn at most:
 * docs/audit.md.
 */
#ifndef HAGG_STRUCTURE_H
#define HAGG_STRUCTURE_H

#include "audit/audit.h"

/* 1: the coalitions of the side learn at most what the federator learns from the sums of components
 * alone, and nothing without the federator, whichever clients collude or are missing. 0: this is
 * not proved. -1: failure. Always 0 if m is not from model_build_sums. */
int structure_holds(const struct model *m, const struct audit_side *s, struct progress *progress,
                    struct hagg_err *err);

/* Decides by structure alone, without finding out who leaks what. Answers are those of proof.h. */
int structure_decide(const struct model *m, const struct audit_bounds *bounds,
                     struct progress *progress, struct hagg_err *err);

#endif
