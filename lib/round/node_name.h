/*
 * node_name.h - names of the directories of nodes, and of files in them.
 */
#ifndef HAGG_ROUND_NODE_NAME_H
#define HAGG_ROUND_NODE_NAME_H

#include "round/step.h"

/* Returned by value, so that nobody owns it. */
struct node_name {
    char text[64];
};

/* A longer name is truncated. */
struct node_name node_name_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "station" */
const char *node_name_kind(enum step_tier tier);

/* The directory of a node, below that of the round: "station-2". */
struct node_name node_name_home(enum step_tier tier, uint32_t node);

#endif
