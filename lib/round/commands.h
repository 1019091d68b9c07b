/*
 * commands.h - the commands of every node in a round, in the order of the layers.
 */
#ifndef HAGG_ROUND_COMMANDS_H
#define HAGG_ROUND_COMMANDS_H

#include "round/batches.h"
#include "round/node_name.h"
#include "round/round.h"

/* The files that a node sends to others; see sending.h. */
struct commands_send {
    uint32_t node;
    struct node_name what;
    size_t n_files;        /* so far */
    struct node_name note; /* in which the node notes that it has sent the files of the step */
};

/* The input of the layers, and the layer that they fill. */
struct commands {
    const struct round_options *o;
    const struct topology *topology;
    const char *base, *result; /* of the round */
    uint64_t length;           /* of the vectors, if the plan does not state it */
    struct deliveries deliveries;
    struct batches batches;
    char *clients; /* for --clients, or NULL for all */
    char *sources; /* for --from: the stations present, or NULL for all */
    char *missing; /* for --missing, or NULL */
    /* for --present of stations and relays: those present; NULL for whole shares */
    char *present[PLAN_TIERS];
    /* Ends the names of files with sums and transfers: empty, or if the nodes that are missing
     * determine what is in the files, these nodes. Otherwise files that were made before a node was
     * missing would be taken for those of the others. */
    struct node_name suffix;
    struct node_name relay_suffix; /* the same for what stations send to relays */
    char *dealers;                 /* for --dealers: the dealers present, or NULL for all */
    struct step_layer *layer;      /* the layer being filled */
    struct commands_send send;
};

/* A layer. add adds the step of one node of its tier, or none. */
struct commands_layer {
    const char *name, *what;
    enum step_tier tier;
    enum step_run run;
    void (*add)(struct commands *c, uint32_t node);
};

extern const struct commands_layer commands_layers[ROUND_MAX_LAYERS];

/* The tier of the steps of clients: with batches, STEP_BATCH. */
enum step_tier commands_client_tier(const struct commands *c);

/* Adds a step to the layer, which needs the directories of its node. */
void commands_add_step(struct commands *c, uint32_t node);

#endif
