/*
 * view.h - what nodes that put together what they see learn of the secrets of a component.
 */
#ifndef HAGG_VIEW_H
#define HAGG_VIEW_H

#include "audit/echelon.h"
#include "audit/model.h"

/* Combinations of secrets, all that there are, in their one reduced form. Secrets are cut into so
 * many segments; with cut 1 a combination of whole vectors is known. The column of a segment is
 * segment * n + the place of the secret, of n in all. */
struct view_forms {
    uint32_t cut;
    size_t n_secrets;
    struct echelon rows;
};

/* Who looks, and at what. */
struct view_of {
    const bool *nodes;   /* who is among them, by node */
    const bool *present; /* by class of the model: has a member that is unknown and in the sums */
};

/* HAGG_E_USAGE when the system is too large. */
int view_learn(const struct model *m, size_t component, const struct view_of *of,
               struct view_forms *forms, struct hagg_err *err);

/* What they learn of a secret of one member of the class from what this member sends. */
int view_alone(const struct model *m, size_t class, const bool *nodes, struct view_forms *forms,
               struct hagg_err *err);

void view_forms_free(struct view_forms *forms);

/* The least common multiple; 0 when it is above the limit. */
uint32_t view_common_cut(uint32_t a, uint32_t b);

#endif
