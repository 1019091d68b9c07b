/*
 * view.h - computes what a set of nodes that pool their messages learns about the secrets of a
 * component.
 */
#ifndef HAGG_VIEW_H
#define HAGG_VIEW_H

#include "audit/echelon.h"
#include "audit/model.h"

/* A basis of all combinations of secrets that are learnt, in reduced echelon form. Secrets are cut
 * into `cut` segments; with cut 1 the combinations are of whole vectors. The column of a segment is
 * segment * n_secrets + the place of the secret. */
struct view_forms {
    uint32_t cut;
    size_t n_secrets;
    struct echelon rows;
};

/* The nodes, and the secrets that are unknown to them. */
struct view_of {
    const bool *nodes;   /* by node: true if in the set */
    const bool *present; /* by class of the model: has an honest member that is in the sums */
};

/* The caller frees *forms. HAGG_E_USAGE if the system is too large. */
int view_learn(const struct model *m, size_t component, const struct view_of *of,
               struct view_forms *forms, struct hagg_err *err);

/* What the nodes learn about the secret of one member of the class from the messages of this
 * member. */
int view_alone(const struct model *m, size_t class, const bool *nodes, struct view_forms *forms,
               struct hagg_err *err);

void view_forms_free(struct view_forms *forms);

/* The least common multiple of two cuts; 0 if it exceeds the limit. */
uint32_t view_common_cut(uint32_t a, uint32_t b);

#endif
