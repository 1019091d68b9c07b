/*
 * selection.h - the stations that each class uses, and what this costs.
 */
#ifndef HAGG_PLANNER_SELECTION_H
#define HAGG_PLANNER_SELECTION_H

#include "planner/aligned/price.h"

struct selection {
    const struct network *net;
    uint32_t *parts;    /* by class */
    size_t *begins;     /* by class: index of its first station */
    uint32_t *stations; /* with room for all that a class reaches; parts + hidden are in use */
    /* What selection_settle finds: */
    uint32_t n_segments;
    struct price price;
    struct price_masks masks;
    bool passed_on;   /* true if relays pass sums on, at least as long as those that they combine */
    uint32_t *ranked; /* the stations in use, in the order of price_masks */
    uint32_t n_ranked;
};

/* All classes use all stations that they reach, or fewer where a sum would otherwise have more
 * different part counts than a record may have. net must outlive s. */
int selection_new(struct selection *s, const struct network *net, struct hagg_err *err);

void selection_free(struct selection *s);

/* Copies the stations of another selection of the same network. */
void selection_copy(struct selection *to, const struct selection *from);

static inline uint32_t *selection_stations(const struct selection *s, uint32_t class)
{
    return s->stations + s->begins[class];
}

/* Chooses the number of segments, up to net->most_segments, and the dealers: those with the lowest
 * price and, of several with nearly the same price, the smallest numbers. With privacy
 * computational it chooses them as if no mask were a seed, but sets the price with the seeds.
 * Returns 0 if too few stations are in use, 1 if the selection can be used, -1 on failure. */
int selection_settle(struct selection *s, struct hagg_err *err);

#endif
