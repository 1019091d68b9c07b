/*
 * protocol.h - from a plan to its model: each part of a protocol says what its nodes send.
 *
 * Matrices, patterns and routes are those that the commands share, add up and decode by.
 */
#ifndef HAGG_PROTOCOL_H
#define HAGG_PROTOCOL_H

#include "model.h"
#include "plan.h"
#include "plan_patterns.h"

/* The whole model of a plan, whose sets need not be private. The plan must outlive it. */
int protocol_model(struct model *m, const struct plan *p, struct hagg_err *err);

/* One sharing of a class under way: where its random vectors stand in the model. */
struct protocol_sharing {
    struct sharing sharing;
    uint32_t class;
    uint32_t first_draw; /* block of the first random vector; the others follow */
    /* where relays hold a sharing of their own */
    struct sharing relayed;
    struct matrix inverse;   /* the parts, from the shares of the first k stations */
    uint32_t first_reshared; /* what these stations draw, relayed.shape.randoms blocks each */
};

/* Stations share what they have added up with the relays: the first k of them, as hagg-transform
 * has it unless it is told otherwise. */
int protocol_contribute(struct model *m, const struct plan *p, struct protocol_sharing *s,
                        const struct topology_list *stations, const struct topology_list *relays,
                        struct hagg_err *err);

/* Relays make their shares of that, add up those of all these sharings, and send the sums on. */
void protocol_finish(struct model *m, const struct protocol_sharing *const *sharings, size_t n,
                     const struct topology_list *relays);

/* Sharings of all clients' vectors or keys over stations, and relays if there are any, to the
 * federator. Members of class_of_pattern's classes are for the caller to add; it has a place for
 * each pattern. */
int protocol_shares(struct model *m, const struct plan *p, enum plan_what what,
                    const struct plan_patterns *patterns, uint32_t *class_of_pattern,
                    struct hagg_err *err);

/* Keys as they are, each to one station, summed up from station to station: class_of_station has
 * n_stations + 1 places. */
void protocol_chain(struct model *m, const struct plan *p, uint32_t *class_of_station);

#endif
