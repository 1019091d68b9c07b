/*
 * batches.h - the clients of a round, and how they are divided into batches, each of which is one
 * job.
 */
#ifndef HAGG_ROUND_BATCHES_H
#define HAGG_ROUND_BATCHES_H

#include "round/deliveries.h"

/* Initially all zero. Batches are numbered from 1. */
struct batches {
    uint32_t *clients; /* that are present, ascending */
    size_t n_clients;
    size_t size; /* clients of a batch; 0 without batches */
};

/* With batches, what clients send in the deliveries becomes what the batches send. */
int batches_new(struct batches *b, struct deliveries *d, size_t size, struct hagg_err *err);

/* Returns the number of batches, or of clients without batches. */
size_t batches_count(const struct batches *b);

/* Returns the number of the batch or client that is the i-th job. */
uint32_t batches_node(const struct batches *b, size_t i);

/* Returns the clients of a batch, or the client itself. */
const uint32_t *batches_of(const struct batches *b, uint32_t node, size_t *n);

void batches_free(struct batches *b);

#endif
