/*
 * joint_core.h - the core of a growing choice (joint_grow.h): groups that removing any z clients
 * does not separate.
 *
 * A client is inside if no z other clients separate it from the core: one of its groups is in the
 * core, or its two groups together are linked to the core by more than z clients. Under the paper's
 * condition both its groups must be in the core. Once all clients are inside, the choice is
 * private: a cut of at most z clients leaves the core connected, and every client that is not
 * removed on the side of the core.
 */
#ifndef HAGG_PLANNER_JOINT_CORE_H
#define HAGG_PLANNER_JOINT_CORE_H

#include "planner/joint/choice.h"

struct joint_core_move {
    uint32_t client, group; /* group: the one it left */
    unsigned side;
};

struct joint_core {
    struct choice *c;
    bool *in;          /* of each vertex: true if in the core */
    uint32_t *outside; /* clients not inside, as of the last joint_core_update */
    uint32_t n_outside;
    struct joint_core_move *done; /* moves to undo; the caller resets n_done */
    uint32_t n_done;
};

/* The core is empty. The choice must outlive it. */
int joint_core_new(struct joint_core *k, struct choice *c, struct hagg_err *err);
void joint_core_free(struct joint_core *k);

/* True if the client's group on that side is in the core. */
static inline bool joint_core_has(const struct joint_core *k, uint32_t client, unsigned side)
{
    return k->in[choice_vertex(side, k->c->side[side].of[client])];
}

/* The number of clients that link the group to groups of the core. */
uint32_t joint_core_links(const struct joint_core *k, unsigned side, uint32_t group);

/* True if the client is not inside. */
bool joint_core_is_outside(const struct joint_core *k, uint32_t client);

/* Adds the groups that more than z clients link to the core, and lists the clients still
 * outside. */
void joint_core_update(struct joint_core *k);

/* Moves a client that is outside. joint_core_undo reverts it. */
void joint_core_move(struct joint_core *k, uint32_t client, unsigned side, uint32_t group);

/* The same for a client whose other group is in the core. Returns false and moves nothing if z
 * clients could then separate groups of the core. A group that becomes empty no longer counts. */
bool joint_core_reassign(struct joint_core *k, uint32_t client, unsigned side, uint32_t group);

void joint_core_undo(struct joint_core *k);

/* Opens a new group outside the core; LINKAGE_END if there is no room. */
uint32_t joint_core_open(struct joint_core *k, unsigned side, const uint64_t *set);

#endif
