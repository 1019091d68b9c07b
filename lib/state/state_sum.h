/*
 * state_sum.h - describes a sum of records, so that the state can recognise it.
 */
#ifndef HAGG_STATE_SUM_H
#define HAGG_STATE_SUM_H

#include "header.h"
#include "state/state.h"

/* Everything in a sum, in any order, without memory for each: the clients and dealers, and the runs
 * that their shares and masks are from. It is the sum of the digests of all parts, under the secret
 * of the state. Initially all zero. */
struct state_parts {
    uint64_t words[4];
};

/* Adds clients, or dealers, whose shares or masks are from the same record. id is that of the run
 * that made them; NULL if it is unknown. mac is from state_mac. */
int state_parts_add(struct state_parts *p, struct mac *mac, bool dealers, struct header_range range,
                    const uint8_t id[16], struct hagg_err *err);

/* Adds all parts of another sum, which has no part in common. */
void state_parts_join(struct state_parts *p, const struct state_parts *other);

/* Describes a sum. header is that of any of its records: it identifies the sum among all sums of
 * its holder. */
int state_sum_describe(struct mac *mac, const struct header *header,
                       const struct state_parts *parts, struct state_sum *sum,
                       struct hagg_err *err);

/* Returns the entry of a node that sends a sum of records with this header. The key points into the
 * header. */
struct state_key state_sum_key(const struct header *header, struct header_node node);

/* Returns true if records with this header belong to a round of a plan, which is remembered. */
bool state_sum_counts(const struct header *header);

#endif
