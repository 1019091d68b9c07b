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

/* The same with one message per component instead of all messages: the federator receives the sum
 * of the component. Profiles, classes and components are the same, so a coalition is one of both
 * models. This is quick at any size, and all that is needed where structure_holds. */
int model_build_sums(struct model *m, const struct plan *plan, size_t most_terms,
                     struct hagg_err *err);

/* The model with all messages for coalitions of unlimited computing power: docs/audit.md. Every
 * coalition knows every seed that is sent, whoever holds it. Clients with the same classes may send
 * different shares as seeds, so profiles and classes are those of groups of the topology. */
int model_build_unlimited(struct model *m, const struct plan *plan, size_t most_terms,
                          struct hagg_err *err);

/* The model with all messages: m itself, or if m is from model_build_sums the one that belongs to
 * it, which is built on first use and freed with m. NULL on failure. Not thread-safe. */
const struct model *model_messages(const struct model *m, struct hagg_err *err);

#endif
