/*
 * plan_identities.h - the file with the public keys of the nodes of a plan. The plan names the file
 * and its SHA-256, so that the digest of the plan covers who everybody is.
 */
#ifndef HAGG_PLAN_IDENTITIES_H
#define HAGG_PLAN_IDENTITIES_H

#include "base/text.h"
#include "plan/plan.h"

/* Returns true if the records of the plan are sealed. */
bool plan_identities_given(const struct plan *p);

/* If the topology names a file without its digest, computes the digest. */
int plan_identities_settle(struct plan *p, struct hagg_err *err);

/* Reads the file, which must have the digest of the plan; otherwise HAGG_E_PRIVACY. *path is its
 * name, malloc'ed for the caller, also after a failure; it may be NULL then. */
int plan_identities_read(const struct plan *p, struct text *text, char **path,
                         struct hagg_err *err);

#endif
