/*
 * plan_collusion.h - checks that under full collusion the sets of a plan reveal no more than the
 * sum.
 */
#ifndef HAGG_PLAN_COLLUSION_H
#define HAGG_PLAN_COLLUSION_H

#include "plan/collusion.h"
#include "plan/plan.h"
#include "base/rangeset.h"

/* The graph of collusion.h, and the client of each edge. */
struct plan_graph {
    struct collusion_edge *edges;
    uint32_t *clients; /* the number of the client of each edge */
    size_t n_edges;
    uint32_t n_y, n_x;
};

/* Makes the graph of the plan's clients; only of those in among, unless it is NULL. If whole is
 * true, uses all stations that each client reaches instead of the chosen sets. */
int plan_graph_new(struct plan_graph *graph, const struct plan *p, bool whole,
                   const struct rangeset *among, struct hagg_err *err);

void plan_graph_free(struct plan_graph *graph);

/* If stations may collude under full collusion, checks that in all shares that relays add up each
 * station has the same share index: docs/theory.md section 6. HAGG_E_PRIVACY names a station for
 * which this fails, and clients. */
int plan_collusion_check_relays(const struct plan *p, struct hagg_err *err);

/* Also checks that the federator and all clients that may collude learn no more than the sum over
 * the clients in among, or over all clients if it is NULL. HAGG_E_PRIVACY names the colluders and
 * the clients whose sum they would learn. Under partial collusion there is nothing to check. */
int plan_collusion_check(const struct plan *p, const struct rangeset *among, struct hagg_err *err);

/* The decision of every command that has --unsafe-plan. Unless unsafe is true, HAGG_E_PRIVACY if a
 * single station or relay may learn vectors or parts of them, if the minimum is too low for the
 * colluding clients, or if plan_collusion_check fails. */
int plan_collusion_accept(const struct plan *p, const struct rangeset *among, bool unsafe,
                          struct hagg_err *err);

/* plan_collusion_check for all clients, which also checks the given condition, which may be
 * stricter than necessary. */
int plan_collusion_check_condition(const struct plan *p, enum collusion_condition condition,
                                   struct hagg_err *err);

#endif
