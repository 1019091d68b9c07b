/*
 * overpaid.h - finds patterns that are offered more than their fee, among all sets of stations.
 *
 * Every reach class has a credit: the amount it would pay, beyond the price of its whole reach, to
 * use some pattern. To each pattern within its reach it offers its credit less the amount by which
 * the pattern costs it more than its whole reach, or nothing if that is negative. If no pattern is
 * offered more than its fee, the prices of all whole reaches plus all credits are a lower bound on
 * the cost of any cover. This is the dual of facility location.
 */
#ifndef HAGG_PLANNER_OVERPAID_H
#define HAGG_PLANNER_OVERPAID_H

#include "planner/effort.h"
#include "planner/cover/reachers.h"

struct overpaid {
    struct reachers *reachers;
    double *credit;     /* of each reach class */
    const double *rate; /* of each reach class's whole reach */

    /* Called for each pattern found; set is valid only during the call. */
    void (*found)(void *arg, const uint64_t *set);
    void *arg;
};

/* The offer of reach class k to a pattern with this rate within its reach. */
static inline double overpaid_offer(const struct overpaid *o, uint32_t k, double rate)
{
    double left = o->credit[k] - o->reachers->in->weight[k] * (rate - o->rate[k]);

    return left > 0 ? left : 0;
}

/* Lowers credits until no set of stations is offered more than its fee. False if this takes more
 * than the given work, the time limit is reached or memory is short; then some sets may still be
 * overpaid. */
bool overpaid_settle(struct overpaid *o, struct effort *e, uint64_t work);

/* After overpaid_settle: finds every intersection of reaches that can be used by a cover that costs
 * at most `more` beyond the bound of the credits, and possibly others. False if some may be
 * missing. */
bool overpaid_list(struct overpaid *o, double more, struct effort *e, uint64_t work);

#endif
