/*
 * commands.h - what every node does in a round: its commands, in the order of the layers.
 */
#ifndef HAGG_ROUND_COMMANDS_H
#define HAGG_ROUND_COMMANDS_H

#include "round/round.h"

/* What the commands depend on. */
struct commands {
    const struct round_options *o;
    const struct topology *topology;
    const char *base, *result; /* of the round */
    uint64_t length;           /* of the vectors, where the plan does not say it */
    struct deliveries deliveries;
    char *clients;            /* for --clients, or NULL for all */
    char *members;            /* the clients that take part, also if they are all */
    char *sources;            /* for --from: the stations that are there, or NULL for all */
    char *gone;               /* for --missing, or NULL */
    struct step_layer *layer; /* that is being filled */
};

/* A layer, and what a node of its tier does in it: adds a step, or none. */
struct commands_layer {
    const char *name, *what;
    enum step_tier tier;
    enum step_run run;
    void (*add)(struct commands *c, uint32_t node);
};

extern const struct commands_layer commands_layers[ROUND_MAX_LAYERS];

#endif
