/*
 * model_build.h - from the statement of a round to its model.
 */
#ifndef HAGG_MODEL_BUILD_H
#define HAGG_MODEL_BUILD_H

#include "audit/model.h"
#include "plan/plan.h"

/* The model of a round of the plan, whose sets need not be private. The plan must outlive it. */
int model_build(struct model *m, const struct plan *plan, struct hagg_err *err);

#endif
