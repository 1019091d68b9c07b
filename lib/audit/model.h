/*
 * model.h - a round as linear algebra: all messages as linear combinations of the unknowns.
 *
 * Clients that have the same patterns for both vector and key form a profile. All sharings over the
 * same pattern form a class, for instance the padded vectors of all clients that share over the
 * same stations. The model has one client per profile and one sharing per class, whose secret is
 * the sum of the secrets of its members; docs/audit.md explains why this loses nothing.
 *
 * Each unknown is a block: the secret of a class, which has the length of a vector, or a random
 * vector, which has the length of a vector divided by its cut. The length of a message is also that
 * of a vector divided by a cut; it is a combination of segments of blocks, each of the message's
 * length.
 */
#ifndef HAGG_MODEL_H
#define HAGG_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "sharing/field.h"
#include "sharing/sharing.h"

/* Nodes are numbered: the federator, then stations, then relays. */
#define MODEL_FEDERATOR 0u
#define MODEL_CLIENT    UINT32_MAX /* any client */

struct model_block {
    uint32_t cut;       /* its length is the length of a vector divided by this */
    uint32_t owner;     /* the node that drew it, or MODEL_CLIENT */
    uint32_t class;     /* if owner is MODEL_CLIENT: its class */
    uint32_t component; /* blocks connected by messages, directly or not, have the same */
    uint32_t place;     /* index among the blocks of its component */
    bool secret;
};

/* A factor times a segment of a block; the segment has the message's length. */
struct model_term {
    uint32_t block, segment;
    unsigned char factor[8];
};

/* A message from MODEL_CLIENT is sent by each member of the class separately. */
struct model_message {
    uint32_t from, to;
    uint32_t cut;
    bool open;       /* every coalition knows it: see model_build_unlimited */
    size_t first, n; /* its terms */
};

/* The vector of a profile, its key or their sum is part of the secret of a class. */
struct model_member {
    uint32_t profile;
    bool vector, key;
};

struct model_class {
    uint32_t secret; /* block */
    uint32_t place;  /* index among the classes of its component */
    struct model_member *members;
    size_t n_members, max_members;
};

struct model_profile {
    uint32_t *clients; /* their numbers, ascending */
    size_t n_clients, max_clients;
    size_t first; /* number of clients in the profiles before it */
};

/* Indices of its blocks, messages and classes. */
struct model_component {
    uint32_t *blocks, *messages, *classes;
    size_t n_blocks, n_messages, n_classes;
    bool has_vectors; /* some secret contains vectors */
};

struct plan;

/* For a model that has only the sums of components: see model_build_sums. */
struct model_rest {
    const struct plan *plan;
    size_t most_terms;
    struct model *messages; /* the model with all messages; NULL: not built yet */
    int aligned;            /* answer of aligned_proof; -1: not computed yet */
};

/* Initially all zero except field, n_stations and n_relays. Functions that add something return its
 * index; if memory runs out they return 0, and model_finish fails. */
struct model {
    const struct field *field;
    uint32_t n_stations, n_relays;
    struct model_profile *profiles;
    struct model_class *classes;
    struct model_block *blocks;
    struct model_message *messages;
    struct model_term *terms;
    struct model_component *components;
    size_t n_clients;
    size_t n_profiles, n_classes, n_blocks, n_messages, n_terms, n_components;
    size_t most_terms; /* limit for n_terms, so that memory is bounded; 0: none */
    size_t max_profiles, max_classes, max_blocks, max_messages, max_terms;
    bool failed;
    bool too_large;          /* there would be more than most_terms */
    struct model_rest *rest; /* NULL: the model has all messages */
    double deadline;         /* on the monotonic clock; 0: none. See model_check_time. */
};

static inline uint32_t model_station(uint32_t number)
{
    return number;
}

static inline uint32_t model_relay(const struct model *m, uint32_t number)
{
    return m->n_stations + number;
}

static inline size_t model_n_nodes(const struct model *m)
{
    return 1 + (size_t)m->n_stations + m->n_relays;
}

uint32_t model_add_profile(struct model *m);
void model_add_client(struct model *m, uint32_t profile, uint32_t number);
uint32_t model_add_class(struct model *m);
void model_add_member(struct model *m, uint32_t class, struct model_member member);

/* Adds a random vector that a client of the class, or a node, draws. */
uint32_t model_add_draw(struct model *m, uint32_t owner, uint32_t class, uint32_t cut);

/* The terms added next belong to this message. */
void model_add_message(struct model *m, uint32_t from, uint32_t to, uint32_t cut, bool open);
void model_add_term(struct model *m, uint32_t block, uint32_t segment, const void *factor);

/* To be called after everything was added: finds the components. HAGG_E_USAGE if there are too many
 * terms. */
int model_finish(struct model *m, struct hagg_err *err);

/* Fails with HAGG_E_TOO_FEW, not enough time, after the deadline. Everything that takes long calls
 * it, so functions that examine a model fail in this way when the time is up. */
int model_check_time(const struct model *m, struct hagg_err *err);

void model_free(struct model *m);

#endif
