/*
 * choice.h - a choice of two groups for each client, one for its padded vector and one for its key,
 * and its cost. The searches of joint.h work on it.
 *
 * A group has a set of stations within the reach of each of its clients. A larger set never costs
 * more, so the best set of a group is the intersection of its clients' reaches. Two groups of one
 * side with the same set should be merged: that saves a fee and makes no cut of the graph smaller.
 */
#ifndef HAGG_PLANNER_CHOICE_H
#define HAGG_PLANNER_CHOICE_H

#include "planner/cover/cover.h"
#include "planner/joint/linkage.h"

#define CHOICE_LEAST 1e-9 /* smaller differences of costs are rounding errors */

struct choice_side {
    uint64_t *sets;     /* of each group */
    double *rate, *fee; /* of each group: see struct instance */
    uint32_t *clients;  /* number in each group; 0: the group is unused and its set is undefined */
    uint32_t *of;       /* the group of each client */
};

struct choice {
    const struct instance *in;
    enum collusion_condition condition;
    uint32_t z;                 /* number of clients that may be removed */
    uint32_t room;              /* maximum number of groups per side */
    struct choice_side side[2]; /* padded vectors, keys */
    double cost;
    struct linkage links;
};

/* With room for this many groups per side. Every client is in group 0 until choice_place or
 * choice_assign. The instance must outlive it. */
int choice_new(struct choice *c, const struct instance *in, enum collusion_condition condition,
               uint32_t room, struct hagg_err *err);
void choice_free(struct choice *c);

/* Uses the groups of the cover on both sides. c must have room for them. */
void choice_place(struct choice *c, const struct cover *cover);

/* Sets the group of each client: y for padded vectors, x for keys, all below c->room. The sets of
 * the groups are computed. */
int choice_assign(struct choice *c, const uint32_t *y, const uint32_t *x, struct hagg_err *err);

/* Both have the same room and the same instance. */
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

/* True if the set of the group is within the client's reach. */
static inline bool choice_fits(const struct choice *c, uint32_t client, unsigned side,
                               uint32_t group)
{
    return set_within(choice_set(c, side, group), choice_reach(c, client), c->in->n_words);
}

/* Sets rate and fee of the group to those of its set. */
void choice_set_rates(struct choice *c, unsigned side, uint32_t group);

/* The change of the cost if the client moves to the group. */
double choice_price(const struct choice *c, uint32_t client, unsigned side, uint32_t group);

/* Moves the client without checking privacy. */
void choice_move(struct choice *c, uint32_t client, unsigned side, uint32_t group);

/* c is private. Moves the client only if c then is still known to be private, and returns whether
 * it moved. Under the paper's condition the group must not be empty. */
bool choice_try(struct choice *c, uint32_t client, unsigned side, uint32_t group);

/* Copies the set to an unused group of that side and returns the group, or LINKAGE_END if there is
 * no room. */
uint32_t choice_open(struct choice *c, unsigned side, const uint64_t *set);

/* The cost of groups a and b merged, less their cost as two groups. The merged group has the
 * intersection of their sets. INFINITY if that is too small for a sharing. */
double choice_merge_price(const struct choice *c, unsigned side, uint32_t a, uint32_t b);

/* Moves all clients of b to a. choice_merge_price must be finite. */
void choice_merge(struct choice *c, unsigned side, uint32_t a, uint32_t b);

/* Sets each group's set to the intersection of its clients' reaches, merges groups with equal sets,
 * and recomputes the cost. */
int choice_tighten(struct choice *c, struct hagg_err *err);

/* Checks the whole choice with collusion_private: 1 or 0, or -1 on error. cut may be NULL. */
int choice_private(const struct choice *c, struct collusion_cut *cut, struct hagg_err *err);

/* Comparison for qsort_r: sorts group numbers by rate, cheapest first. rates is the side's rate
 * array. */
int choice_cheaper_group(const void *a, const void *b, void *rates);

#endif
