/*
 * model.h - a protocol as linear algebra: what everybody sends, in terms of what is unknown.
 *
 * Clients that do the same in everything are of one profile. What is sent in one way, the padded
 * vectors of all clients that share over the same stations, say, is a class. The model has one
 * client of each profile and one sharing of each class, whose secret is the sum of those of its
 * members; docs/audit.md says why nothing is lost by that.
 *
 * Everything unknown is a block: the secret of a class, as long as a vector, or something drawn at
 * random, as long as a vector cut into so many parts. A message is a vector of that profile, too: a
 * combination of segments of blocks, all of its own length.
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
#define MODEL_CLIENT    UINT32_MAX /* whichever client it is */

struct model_block {
    uint32_t cut;       /* its length is that of a vector, divided by this */
    uint32_t owner;     /* the node that has drawn it, or MODEL_CLIENT */
    uint32_t class;     /* with MODEL_CLIENT: of this class */
    uint32_t component; /* what is linked by messages, directly or not */
    uint32_t place;     /* among the blocks of its component */
    bool secret;
};

/* Segments of a message's length. */
struct model_term {
    uint32_t block, segment;
    unsigned char factor[8];
};

/* From a client it is what each member of the class sends by itself. */
struct model_message {
    uint32_t from, to;
    uint32_t cut;
    size_t first, n; /* of its terms */
};

/* The vector of a profile, or its key, is part of the secret of a class. */
struct model_member {
    uint32_t profile;
    bool vector, key;
};

struct model_class {
    uint32_t secret; /* block */
    uint32_t place;  /* among the classes of its component */
    struct model_member *members;
    size_t n_members, max_members;
};

struct model_profile {
    uint32_t *clients; /* their numbers, ascending */
    size_t n_clients, max_clients;
    size_t first; /* clients of profiles before it */
};

/* Indices of what belongs to it. */
struct model_component {
    uint32_t *blocks, *messages, *classes;
    size_t n_blocks, n_messages, n_classes;
    bool has_vectors; /* some secret has more than keys in it */
};

/* Begins all zero but for field, n_stations and n_relays. Functions that add give the index of what
 * was added; when memory runs out they give 0, and model_finish fails. */
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
    size_t max_profiles, max_classes, max_blocks, max_messages, max_terms;
    bool failed;
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

/* Something that a client of the class, or a node, draws. */
uint32_t model_add_draw(struct model *m, uint32_t owner, uint32_t class, uint32_t cut);

/* Terms that follow are of this message. */
void model_add_message(struct model *m, uint32_t from, uint32_t to, uint32_t cut);
void model_add_term(struct model *m, uint32_t block, uint32_t segment, const void *factor);

/* When all is there: finds the components. */
int model_finish(struct model *m, struct hagg_err *err);

void model_free(struct model *m);

#endif
