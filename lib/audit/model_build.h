/*
 * model_build.h - builds the model of a round from its statement in lib/protocol.
 */
#ifndef HAGG_MODEL_BUILD_H
#define HAGG_MODEL_BUILD_H

#include "audit/model.h"
#include "plan/plan.h"

/* The model of a round of the plan, which need not be private. The plan must outlive the model. */
int model_build(struct model *m, const struct plan *plan, struct hagg_err *err);

/* The same without messages: enough to count coalitions. */
int model_build_clients(struct model *m, const struct plan *plan, struct hagg_err *err);

#endif
