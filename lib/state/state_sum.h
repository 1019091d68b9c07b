/*
 * state_sum.h - describes a sum of records, so that the state can recognise it.
 */
#ifndef HAGG_STATE_SUM_H
#define HAGG_STATE_SUM_H

#include "header.h"
#include "state/state.h"

/* Clients in a sum whose shares are from the same record. */
struct state_part {
    struct header_range clients;
    uint8_t id[16]; /* of the run that made their shares; all zero if unknown */
};

/* Describes a sum. header is that of any of its records: it identifies the sum among all sums of
 * its holder. parts are ascending. */
int state_sum_describe(struct mac *mac, const struct header *header, const struct state_part *parts,
                       size_t n_parts, struct state_sum *sum, struct hagg_err *err);

/* Returns the entry of a node that sends a sum of records with this header. The key points into the
 * header. */
struct state_key state_sum_key(const struct header *header, struct header_node node);

/* Returns true if records with this header belong to a round of a plan, which is remembered. */
bool state_sum_counts(const struct header *header);

#endif
