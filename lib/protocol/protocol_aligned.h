/*
 * protocol_aligned.h - the messages of protocol aligned, for protocol_aligned.c, which lists them,
 * and protocol_aligned_find.c, which finds them.
 */
#ifndef HAGG_PROTOCOL_ALIGNED_H
#define HAGG_PROTOCOL_ALIGNED_H

#include "protocol/protocol_state.h"

/* Sets the message with the share of a client for the station with this index in its class. */
void protocol_aligned_share(const struct protocol *p, uint32_t class, uint32_t client, size_t index,
                            struct message *s);

/* Sets the message with the mask of a dealer, an index in the plan's list, for a holder. */
void protocol_aligned_mask(const struct protocol *p, size_t dealer, uint32_t holder, bool seed,
                           struct message *s);

/* Sets the message with the sum of a holder. Without relays, relay is 0; otherwise it is the relay
 * that receives the sum or, if passed_on is true, sends it. */
void protocol_aligned_sum(const struct protocol *p, uint32_t holder, uint32_t relay, bool passed_on,
                          struct message *s);

/* Sets the message with the summand of a relay. */
void protocol_aligned_summand(const struct protocol *p, uint32_t relay, struct message *s);

/* Finds the station among those of the class; returns their number if it is not one of them. */
size_t protocol_aligned_index(const struct protocol *p, size_t class, uint32_t station);

/* Returns true if some client that takes part shares over this station. */
bool protocol_aligned_has_clients(const struct protocol *p, uint32_t station);

/* A member of struct protocol_table. */
bool protocol_aligned_find(const struct protocol *p, const struct header *h, unsigned ignoring,
                           struct message *s);

#endif
