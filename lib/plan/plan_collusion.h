/*
 * plan_collusion.h - whether the sets of a plan keep full collusion from telling more than the sum.
 */
#ifndef HAGG_PLAN_COLLUSION_H
#define HAGG_PLAN_COLLUSION_H

#include "plan/collusion.h"
#include "plan/plan.h"
#include "base/rangeset.h"

/* The graph of collusion.h, and whose edge is whose. */
struct plan_graph {
    struct collusion_edge *edges;
    uint32_t *clients; /* the number of the client of each edge */
    size_t n_edges;
    uint32_t n_y, n_x;
};

/* For the clients of the plan, or for those of them that are in the set, which may be NULL; with
 * the sets that the plan has chosen or, when whole is true, all stations that each client reaches.
 */
int plan_graph_new(struct plan_graph *graph, const struct plan *p, bool whole,
                   const struct rangeset *among, struct hagg_err *err);

void plan_graph_free(struct plan_graph *graph);

/* That in all that relays add up every station has the same place, if stations may collude under
 * full collusion: docs/theory.md section 6. HAGG_E_PRIVACY names a station that has not, and
 * clients. */
int plan_collusion_check_relays(const struct plan *p, struct hagg_err *err);

/* That, and that the federator with as many clients as may collude learns no more than the sum over
 * the set, or over all clients when it is NULL. HAGG_E_PRIVACY says who would learn whose sum.
 * Nothing to check under partial collusion. */
int plan_collusion_check(const struct plan *p, const struct rangeset *among, struct hagg_err *err);

/* That for all clients, and the condition, which may be more than is needed. */
int plan_collusion_check_condition(const struct plan *p, enum collusion_condition condition,
                                   struct hagg_err *err);

#endif
