/*
 * keys_proof.h - proves for a plan with protocol keys, at any size, that coalitions learn at most
 * the sums that the federator decodes: docs/audit.md.
 */
#ifndef HAGG_KEYS_PROOF_H
#define HAGG_KEYS_PROOF_H

#include "audit/audit.h"

/* Checks the premises of the proof on the routes and matrices of the plan. Returns 1 if any
 * coalition of the side learns at most combinations of the sums of components, and nothing without
 * the federator; 0 if a premise does not hold, so that nothing is proved; -1 on failure. */
int keys_proof(const struct plan *p, const struct audit_side *s, struct hagg_err *err);

#endif
