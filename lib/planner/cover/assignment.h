/*
 * assignment.h - a set of open patterns, the price that each reach class pays, and the effect on
 * the cost of opening or closing a pattern.
 *
 * A reach class uses the cheapest open pattern within its reach. If its whole reach as a pattern of
 * its own is cheaper, including the fee, it uses that.
 */
#ifndef HAGG_PLANNER_ASSIGNMENT_H
#define HAGG_PLANNER_ASSIGNMENT_H

#include "planner/cover/reachers.h"

#define ASSIGNMENT_NONE  UINT32_MAX
#define ASSIGNMENT_KNOWN 8 /* open patterns remembered per reach class */

/* The patterns that a reach class can use. */
struct assignment_user {
    double best, next;                /* its price now, and if its pattern were closed */
    double own;                       /* its price for its whole reach, including the fee */
    uint32_t slots[ASSIGNMENT_KNOWN]; /* cheapest first */
    uint32_t n_slots;
    bool more; /* there may be further patterns, none of them cheaper */
};

struct assignment {
    const struct instance *in;
    struct reachers reachers;
    struct assignment_user *users;
    double cost;

    uint32_t n_slots; /* used so far; slots with fee 0 are free again */
    uint32_t n_open;
    uint64_t *sets;
    double *rate, *fee; /* of each slot: those of its pattern */
    double *loss;       /* of each slot: how much more its users would pay without it */

    uint32_t n_free;
    uint32_t *free_slots;

    /* The result of the last assignment_try. */
    uint32_t n_reach_classes, n_touched;
    uint32_t *reach_classes; /* those that reach the whole set */
    uint32_t *touched;       /* slots that lose users to the set and would be closed */
    double *spared;          /* of each slot: reduction of its loss; all 0 between calls */
};

/* No pattern is open. The instance must outlive it. */
int assignment_new(struct assignment *a, const struct instance *in, struct hagg_err *err);

void assignment_free(struct assignment *a);

/* First enlarges *set to the intersection of the reaches of those who would use it. Returns the
 * change of the cost if the set were opened and every pattern that is then not worth its fee were
 * closed; INFINITY if no sharing fits in the set or nobody would use it. Nearly exact: of two
 * patterns that can replace each other, both are counted as closed. */
double assignment_try(struct assignment *a, uint64_t *set);

/* Makes this change. set must be the last argument of assignment_try, as changed by it. */
void assignment_apply(struct assignment *a, const uint64_t *set);

/* At most n_reach_classes + 1 patterns can be open. */
void assignment_open(struct assignment *a, const uint64_t *set);
void assignment_close(struct assignment *a, uint32_t slot);
void assignment_close_all(struct assignment *a);

/* The slot that a reach class uses, or ASSIGNMENT_NONE if it uses its whole reach. */
static inline uint32_t assignment_of(const struct assignment *a, uint32_t reach_class)
{
    return a->users[reach_class].n_slots > 0 ? a->users[reach_class].slots[0] : ASSIGNMENT_NONE;
}

static inline const uint64_t *assignment_set(const struct assignment *a, uint32_t slot)
{
    return a->sets + slot * a->in->n_words;
}

#endif
