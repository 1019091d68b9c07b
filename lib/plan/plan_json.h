/*
 * plan_json.h - the contents of a plan as JSON, for programs that use it: hagg-plan(1), "JSON".
 */
#ifndef HAGG_PLAN_JSON_H
#define HAGG_PLAN_JSON_H

#include "base/text.h"
#include "plan/plan.h"

/* Appends one object, on one line. */
void plan_json(const struct plan *p, struct text *text);

#endif
