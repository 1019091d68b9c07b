/*
 * messages_walk.h - an enumeration of messages under way, for messages.c and messages_sums.c.
 */
#ifndef HAGG_COST_MESSAGES_WALK_H
#define HAGG_COST_MESSAGES_WALK_H

#include "messages.h"

/* What one share among so many holders costs. */
struct messages_rate {
    uint64_t n_symbols;
    uint64_t num, den; /* den is 0 while nobody has asked */
};

struct messages_walk {
    const struct plan *p;
    const struct plan_presence *presence;
    uint64_t length;
    plan_message_fn *fn;
    void *arg;
    struct messages_rate *rates; /* by number of stations */
    bool *takes_part;            /* by group of the topology: some client of it does */
    uint32_t first_keys;         /* the first station that gets a whole key, or 0 */
    struct hagg_err *err;
};

/* Whether the station, of tier 0, or relay is out. */
bool messages_is_out(const struct messages_walk *w, size_t tier, uint32_t number);

/* Over which link a tier sends on. */
enum plan_link messages_link_from(const struct messages_walk *w, size_t tier);

/* The secret as it is over the link. */
struct plan_message messages_begin(const struct messages_walk *w, enum plan_link link,
                                   enum header_secret secret);

/* Makes it one share at that rate. */
void messages_set_share(struct plan_message *m, const struct messages_rate *rate);

/* Of a share among n holders that clients have shared with; NULL on failure. */
const struct messages_rate *messages_client_rate(const struct messages_walk *w, size_t n);

/* Hands it out, between these two. */
int messages_send(const struct messages_walk *w, struct plan_message *m, uint32_t from, uint32_t to,
                  bool may_lack);

/* What the tier sends on of what clients have shared: a sum for every pattern. */
int messages_sums(const struct messages_walk *w, enum plan_what what, size_t tier);

#endif
