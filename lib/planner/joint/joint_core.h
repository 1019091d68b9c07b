/*
 * joint_core.h - the core of a choice that grows (joint_grow.h): groups that no z clients separate.
 *
 * A client is in when no z clients separate it from the core, because one of its groups is in the
 * core or both together are held firmly enough; for the paper's condition both its groups must be
 * in the core. When all clients are in, the choice is private: a cut of at most z clients leaves
 * the core whole, and nobody who is in on its other side.
 */
#ifndef HAGG_PLANNER_JOINT_CORE_H
#define HAGG_PLANNER_JOINT_CORE_H

#include "planner/joint/choice.h"

struct joint_core_move {
    uint32_t client, group; /* where it was before */
    unsigned side;
};

struct joint_core {
    struct choice *c;
    bool *in;          /* of each vertex */
    uint32_t *outside; /* clients that are not in yet, as of the last joint_core_update */
    uint32_t n_outside;
    struct joint_core_move *done; /* moves since n_done was last 0 */
    uint32_t n_done;
};

/* With no group in it. The choice must outlive it. */
int joint_core_new(struct joint_core *k, struct choice *c, struct hagg_err *err);
void joint_core_free(struct joint_core *k);

/* Whether the client's group on that side is in the core. */
static inline bool joint_core_has(const struct joint_core *k, uint32_t client, unsigned side)
{
    return k->in[choice_vertex(side, k->c->side[side].of[client])];
}

/* How many clients hold the group to the core. */
uint32_t joint_core_links(const struct joint_core *k, unsigned side, uint32_t group);

/* Whether the client is not in. */
bool joint_core_is_outside(const struct joint_core *k, uint32_t client);

/* Takes in the groups that more than z clients hold already, and lists who is left outside. */
void joint_core_update(struct joint_core *k);

/* Moves a client that is not in, so that joint_core_undo can bring it back. */
void joint_core_move(struct joint_core *k, uint32_t client, unsigned side, uint32_t group);

/* The same for a client that the core holds by its other group, unless that would loosen the core.
 * A group that is empty then is just no more. */
bool joint_core_reassign(struct joint_core *k, uint32_t client, unsigned side, uint32_t group);

void joint_core_undo(struct joint_core *k);

/* A new group outside the core, or LINKAGE_END. */
uint32_t joint_core_open(struct joint_core *k, unsigned side, const uint64_t *set);

#endif
