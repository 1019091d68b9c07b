/*
 * assignment.h - a set of open patterns, what each reach class pays, and what it would change to
 * open one more or close one.
 *
 * A reach class uses the cheapest open pattern within its reach, or else has its whole reach for
 * itself, which costs it the fee of that pattern besides.
 */
#ifndef HAGG_PLANNER_ASSIGNMENT_H
#define HAGG_PLANNER_ASSIGNMENT_H

#include "planner/cover/reachers.h"

#define ASSIGNMENT_NONE  UINT32_MAX
#define ASSIGNMENT_KNOWN 8 /* of the open patterns within a reach, so many are remembered */

/* What a reach class may use: slots, cheapest first. */
struct assignment_user {
    double best, next; /* what it pays, and what it would if its pattern were closed */
    double own;        /* what its whole reach costs when nobody shares it */
    uint32_t slots[ASSIGNMENT_KNOWN];
    uint32_t n_slots;
    bool more; /* there are others, none cheaper */
};

struct assignment {
    const struct instance *in;
    struct reachers reachers;
    struct assignment_user *users;
    double cost;

    uint32_t n_slots; /* in use at some time; those with fee 0 are free again */
    uint32_t n_open;
    uint64_t *sets;
    double *fee;  /* of each slot: its rate */
    double *loss; /* what its users would pay more without it */

    uint32_t n_free;
    uint32_t *free_slots;

    /* What the last assignment_try found. */
    uint32_t n_reach_classes, n_touched;
    uint32_t *reach_classes; /* that reach the set */
    uint32_t *touched;       /* slots that lose users to it */
    double *spared;          /* of each slot: so much less is its loss then; all 0 between calls */
};

/* With no pattern open. */
int assignment_new(struct assignment *a, const struct instance *in, struct hagg_err *err);

void assignment_free(struct assignment *a);

/* How the cost would change if the set were opened and what is no longer worth its fee were closed;
 * INFINITY when no sharing fits in the set. First makes the set as large as those who would use it
 * allow. Nearly exact: patterns that spare each other are both counted as closed. */
double assignment_try(struct assignment *a, uint64_t *set);

/* Does that, for the set that was tried last. */
void assignment_apply(struct assignment *a, const uint64_t *set);

/* There is room for as many patterns as there are reach classes, and one more. */
void assignment_open(struct assignment *a, const uint64_t *set);
void assignment_close(struct assignment *a, uint32_t slot);
void assignment_close_all(struct assignment *a);

/* The slot that a reach class uses, or ASSIGNMENT_NONE. */
static inline uint32_t assignment_of(const struct assignment *a, uint32_t reach_class)
{
    return a->users[reach_class].n_slots > 0 ? a->users[reach_class].slots[0] : ASSIGNMENT_NONE;
}

static inline const uint64_t *assignment_set(const struct assignment *a, uint32_t slot)
{
    return a->sets + slot * a->in->n_words;
}

#endif
