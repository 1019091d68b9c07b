/*
 * joint_parts.h - the parts of a choice's graph that are yet to be joined to each other.
 *
 * A part is a set of groups that no z clients separate and that have a client between them, or,
 * where no groups are so, a whole component of the graph.
 */
#ifndef HAGG_PLANNER_JOINT_PARTS_H
#define HAGG_PLANNER_JOINT_PARTS_H

#include "choice.h"

#define JOINT_PARTS_NONE UINT32_MAX

struct joint_part {
    uint32_t n_clients; /* with both groups in it, counted by joint_offers_collect */
    bool dense;         /* of the first sort */
};

struct joint_parts {
    const struct choice *c;
    uint32_t *of; /* the part of each vertex (choice_vertex), or JOINT_PARTS_NONE */
    struct joint_part *parts;
    uint32_t n;
    uint32_t *parent;        /* scratch, with room for each vertex; free for use between calls */
    uint32_t *label, *inner; /* scratch */
};

/* The choice must outlive it. */
int joint_parts_new(struct joint_parts *p, const struct choice *c, struct hagg_err *err);
void joint_parts_free(struct joint_parts *p);

/* Finds the parts afresh. With fewer than two there is nothing to join. */
int joint_parts_find(struct joint_parts *p, struct hagg_err *err);

/* The root of v in a union-find forest. */
static inline uint32_t joint_parts_root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

#endif
