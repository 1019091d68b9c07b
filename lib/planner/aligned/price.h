/*
 * price.h - the exact cost of a plan with protocol aligned: what lib/protocol states, as a formula,
 * because a search compares thousands of plans. docs/aligned.md, "Cost".
 */
#ifndef HAGG_PLANNER_PRICE_H
#define HAGG_PLANNER_PRICE_H

#include "planner/aligned/network.h"

/* amount / unit multiples of the price of the vector, or the price of symbols if the length is
 * known. */
struct price {
    unsigned __int128 amount;
    uint64_t unit;
};

/* Less than, equal to or greater than 0. */
int price_compare(struct price a, struct price b);

/* True if a is at most a 100000th more than b. */
bool price_is_near(struct price a, struct price b);

/* Who deals masks: of the ranked stations, the first n_bare get no masks, and the next n_dealers
 * deal. */
struct price_masks {
    uint32_t n_dealers; /* 0 if no masks are needed */
    uint32_t n_bare;
    uint32_t chunks;
};

/* plain: the price of everything but masks. masked: that of rows of masks, which are cut into
 * chunks. */
struct price price_new(const struct network *net, uint32_t n_segments, struct network_sent plain,
                       network_amount masked, uint32_t chunks);

/* The sums of the stations in use, those with the most rows first. */
struct price_sums {
    const uint32_t *stations, *rows;
    uint32_t n;
};

/* others: the price of all clients' shares, and of what relays send. masked: false if all clients
 * use the same stations. Finds the cheapest masks; of several with the same price those with the
 * fewest dealers. If stations pay differently, see dealing.h. No mask is a seed, so with privacy
 * computational this is more than the price. ranks, if it is not NULL, is set to the indices of the
 * stations: those without masks, then dealers, then the others. */
struct price price_of_rows(const struct network *net, uint32_t n_segments,
                           struct network_sent others, const struct price_sums *sums, bool masked,
                           struct price_masks *masks, uint32_t *ranks);

/* The price of rows of sums, without masks. */
network_amount price_of_sums(const struct network *net, const struct price_sums *sums);

/* Returns a price that is not more than that of any masks. rows: of n stations together. most: no
 * station has more. */
network_amount price_least_masks(const struct network *net, uint64_t rows, uint64_t most,
                                 uint32_t n);

/* Like price_of_rows, for dealers and stations without masks that are chosen by their rows alone,
 * with the lowest price that a mask can have: not more than the price of any masks. */
struct price price_at_least(const struct network *net, uint32_t n_segments,
                            struct network_sent others, const struct price_sums *sums);

/* Dealers whose masks may be known or missing. */
uint32_t price_lost_dealers(const struct network *net);

/* The price of a row of each station's sum with its masks: row_price, by number. ranked: the
 * stations without masks, then dealers, then others, n in all; other stations are like the last.
 * passed_on: relays pass it on. */
void price_rows(const struct network *net, uint32_t n_segments, const struct price_masks *masks,
                const uint32_t *ranked, bool passed_on, double *row_price);

#endif
