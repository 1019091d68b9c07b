/*
 * choice.h - two groups for each client, one for its padded vector and one for its key, and what
 * they cost. What the searches of joint.h work on.
 *
 * A group has a set of stations within the reach of each of its clients. Larger sets are never
 * dearer, so the best set of a group is the meet of its clients' reaches; and two groups of one
 * side with the same set are better one: merging makes no cut of the graph narrower.
 */
#ifndef HAGG_PLANNER_CHOICE_H
#define HAGG_PLANNER_CHOICE_H

#include "planner/cover/cover.h"
#include "planner/joint/linkage.h"

#define CHOICE_LEAST 1e-9 /* a smaller difference of costs is rounding */

struct choice_side {
    uint64_t *sets; /* of each group */
    double *rate;
    uint32_t *clients; /* in each group; 0: it is not used, and its set means nothing */
    uint32_t *of;      /* the group of each client */
};

struct choice {
    const struct instance *in;
    enum collusion_condition condition;
    uint32_t z;    /* clients that may be cut out */
    uint32_t room; /* for groups on each side */
    struct choice_side side[2];
    double cost;
    struct linkage links;
};

/* Room for so many groups a side; every client is in group 0 until it is placed. */
int choice_new(struct choice *c, const struct instance *in, enum collusion_condition condition,
               uint32_t room, struct hagg_err *err);
void choice_free(struct choice *c);

/* The groups of a cover, on both sides. c has room for them. */
void choice_place(struct choice *c, const struct cover *cover);

/* The groups of each client on each side, below c's room; their sets follow. */
int choice_assign(struct choice *c, const uint32_t *y, const uint32_t *x, struct hagg_err *err);

/* c = from, which has the same room. */
void choice_copy(struct choice *c, const struct choice *from);

static inline uint32_t choice_vertex(unsigned side, uint32_t group)
{
    return group * 2 + side;
}

static inline uint64_t *choice_set(const struct choice *c, unsigned side, uint32_t group)
{
    return c->side[side].sets + group * c->in->n_words;
}

static inline const uint64_t *choice_reach(const struct choice *c, uint32_t client)
{
    return instance_reach(c->in, c->in->reach_class[client]);
}

/* Whether the client can use the set of that group. */
static inline bool choice_fits(const struct choice *c, uint32_t client, unsigned side,
                               uint32_t group)
{
    return set_within(choice_set(c, side, group), choice_reach(c, client), c->in->n_words);
}

/* What moving the client there adds to the cost. */
double choice_price(const struct choice *c, uint32_t client, unsigned side, uint32_t group);

/* Moves the client, whatever follows for privacy. */
void choice_move(struct choice *c, uint32_t client, unsigned side, uint32_t group);

/* Moves the client if a private choice stays private by it. For the paper's condition the group is
 * not empty. */
bool choice_try(struct choice *c, uint32_t client, unsigned side, uint32_t group);

/* Gives an unused group of that side a set and returns it, or LINKAGE_END when there is no room. */
uint32_t choice_open(struct choice *c, unsigned side, const uint64_t *set);

/* The cost of a joined group less that of the two, with the meet of their sets as its set. INFINITY
 * when that is too small. */
double choice_merge_price(const struct choice *c, unsigned side, uint32_t a, uint32_t b);

/* Puts the clients of b into a. */
void choice_merge(struct choice *c, unsigned side, uint32_t a, uint32_t b);

/* Gives each group the meet of its clients' reaches, merges groups whose sets have become equal,
 * and adds up the cost afresh. */
int choice_tighten(struct choice *c, struct hagg_err *err);

/* collusion_private of all of it: 1 or 0, or -1. */
int choice_private(const struct choice *c, struct collusion_cut *cut, struct hagg_err *err);

/* For qsort_r on numbers of groups, with the rates of their side: cheapest first. */
int choice_cheaper_group(const void *a, const void *b, void *rates);

#endif
