/*
 * overpaid.h - patterns that are offered more than their fee, among all sets of stations.
 *
 * Every reach class has a credit: what it would pay above the price of its whole reach to use some
 * pattern. It offers to a pattern within its reach the part of the credit that the pattern's higher
 * price leaves. If no pattern is offered more than its fee, the prices of whole reaches and all
 * credits together are a lower bound on the cost of any cover: the dual of facility location.
 */
#ifndef HAGG_PLANNER_OVERPAID_H
#define HAGG_PLANNER_OVERPAID_H

#include "planner/effort.h"
#include "planner/cover/reachers.h"

struct overpaid {
    struct reachers *reachers;
    double *credit;     /* of each reach class */
    const double *rate; /* of each reach class's whole reach */

    /* Called for each pattern found. */
    void (*found)(void *arg, const uint64_t *set);
    void *arg;
};

/* What reach class k offers to a pattern of this rate within its reach. */
static inline double overpaid_offer(const struct overpaid *o, uint32_t k, double rate)
{
    double left = o->credit[k] - o->reachers->in->weight[k] * (rate - o->rate[k]);

    return left > 0 ? left : 0;
}

/* Lowers credits until no set of stations at all is offered more than its fee. False when it takes
 * more than so much work, time is up or memory is short: then some may still be. */
bool overpaid_settle(struct overpaid *o, struct effort *e, uint64_t work);

/* With settled credits: finds all meets of reaches that a cover may use which costs at most so much
 * more than the bound that they give. It may find others too. False when it has not found all. */
bool overpaid_list(struct overpaid *o, double more, struct effort *e, uint64_t work);

#endif
