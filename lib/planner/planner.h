/*
 * planner.h - chooses a protocol, and the station sets and relays of a plan, so that the plan is
 * private and as cheap as the search finds.
 */
#ifndef HAGG_PLANNER_PLANNER_H
#define HAGG_PLANNER_PLANNER_H

#include "cost/count/plan_cost.h"
#include "plan/collusion.h"
#include "planner/effort.h"
#include "plan/plan.h"

/* Whether stations transform their sharings, so that relays have sharings of their own. */
enum planner_transform {
    PLANNER_TRANSFORM_AUTO, /* if the topology states it; otherwise the cheaper of both */
    PLANNER_TRANSFORM_NEVER,
    PLANNER_TRANSFORM_ALWAYS,
};

enum planner_protocol {
    PLANNER_STATED, /* by the topology; if it states none, the cheapest */
    PLANNER_AUTO,   /* the cheapest */
    PLANNER_KEYS,
    PLANNER_ALIGNED,
};

struct planner_options {
    enum planner_protocol protocol;
    enum collusion_condition condition; /* protocol keys under full collusion only */
    enum planner_transform transform;   /* protocol keys with relays only */
};

/* What the search knows about other choices of sets. */
struct planner_certainty {
    double cost;  /* of the sharings and sums that depend on the chosen sets */
    double bound; /* no private choice of sets costs less; 0: unknown */
    bool proved;  /* true if cost is proved minimal */
};

/* A protocol that was tried. */
struct planner_attempt {
    const char *name; /* such as "keys with transform" */
    enum {
        PLANNER_FOUND,
        PLANNER_AT_LEAST, /* not searched, because every plan costs at least cost.total */
        PLANNER_NOT_POSSIBLE,
    } outcome;
    struct plan_cost cost;    /* unless it is not possible */
    uint64_t n_computational; /* if found: clients with computational privacy */
    struct hagg_err why;      /* if it is not possible */
};

#define PLANNER_MOST_ATTEMPTS 7
/* Instead of promises about more stations, all of these stations learn nothing. */
#define PLANNER_STRICT "aligned, strict"

struct planner_result {
    struct planner_attempt attempts[PLANNER_MOST_ATTEMPTS];
    size_t n_attempts;
    size_t chosen;                      /* the attempt that the plan is from */
    struct planner_certainty certainty; /* for the scheme of the plan */
    bool schemes;                       /* several schemes were tried */
};

/* Makes p the cheapest private plan for the topology in the text; earlier choices are discarded.
 * Protocol keys needs more stations for a client than protocol aligned; a plan in which fewer
 * clients have to fall back to computational privacy is preferred to a cheaper one.
 * name is used in messages. HAGG_E_PRIVACY, with a suggestion in *err, if no private choice was
 * found. On success, p and result are for the caller to free. */
int planner_choose(struct plan *p, const char *name, const struct text *topology,
                   const struct planner_options *options, struct effort *effort,
                   struct planner_result *result, struct hagg_err *err);

void planner_result_free(struct planner_result *result);

#endif
