/*
 * reshared.h - the choices of one side if relays have sharings of their own, and what they cost
 * together.
 *
 * A pattern is a set of stations and a set of relays that all of them reach. A class of clients
 * that uses it pays for its shares, a pattern in use for the transfers from its stations to its
 * relays, and a group for what its relays send. A group is all patterns with the same relays and
 * the same number of parts, which relays add up. Patterns with the same stations have the same
 * relays.
 */
#ifndef HAGG_PLANNER_RESHARED_H
#define HAGG_PLANNER_RESHARED_H

#include "planner/relays/side.h"

struct reshared_pattern {
    const uint64_t *stations;
    uint32_t relays; /* index of the set */
    uint32_t group;
    uint32_t twin;    /* the number of the set of stations */
    double rate, fee; /* of a client's shares, of the transfers */
};

struct reshared {
    const struct instance *in;
    size_t n_relay_words;
    uint32_t n_relays;
    uint64_t *relay_sets;
    uint64_t *sets; /* of stations */
    struct reshared_pattern *patterns;
    uint32_t n_patterns, n_twins;
    struct reshared_group {
        uint32_t relays, parts;
        double fee;
    } * groups;
    uint32_t n_groups;
    uint32_t *begins; /* of each reach class: its first entry in options, and the end of the last */
    uint32_t *options; /* patterns that it can use */
    bool complete;     /* the patterns are all that can be useful */
};

/* Lists the patterns: all of a small network, and otherwise those that seem most useful. 1: done,
 * to be freed with reshared_free; 0: there are too many, or a client can use none; -1: error. p and
 * in must outlive it. */
int reshared_new(struct reshared *r, const struct plan *p, const struct instance *in,
                 struct hagg_err *err);
void reshared_free(struct reshared *r);

/* Makes the side in which each reach class uses this pattern. */
int reshared_side(const struct reshared *r, const uint32_t *of, struct side *side,
                  struct hagg_err *err);

#endif
