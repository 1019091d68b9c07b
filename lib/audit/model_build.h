/*
 * model_build.h - builds the model of a round from its statement in lib/protocol.
 */
#ifndef HAGG_MODEL_BUILD_H
#define HAGG_MODEL_BUILD_H

#include "audit/model.h"
#include "plan/plan.h"

/* The default for most_terms below: a model with that many terms needs about 1.2 GB. */
#define MODEL_BUILD_TERMS (1u << 25)

/* The model of a round of the plan, which need not be private. The plan must outlive the model.
 * HAGG_E_USAGE if it would have more than most_terms terms; 0 means no limit. */
int model_build(struct model *m, const struct plan *plan, size_t most_terms, struct hagg_err *err);

/* The same without messages: enough to count coalitions. */
int model_build_clients(struct model *m, const struct plan *plan, struct hagg_err *err);

#endif
