/*
 * price.h - the exact cost of a plan with protocol aligned: what lib/protocol states, as a formula,
 * because a search compares thousands of plans. docs/aligned.md, "Cost".
 */
#ifndef HAGG_PLANNER_PRICE_H
#define HAGG_PLANNER_PRICE_H

#include "planner/aligned/network.h"

/* amount / unit multiples of the vector, or symbols if the length is known. */
struct price {
    unsigned __int128 amount;
    uint64_t unit;
};

/* Less than, equal to or greater than 0. */
int price_compare(struct price a, struct price b);

/* True if a is at most a 100000th more than b. */
bool price_is_near(struct price a, struct price b);

/* Who deals masks. By rank of the stations in use, the one with the most rows first: the ranks
 * from n_bare to n_bare + n_dealers - 1 deal, and those before get no masks. */
struct price_masks {
    uint32_t n_dealers; /* 0 if no masks are needed */
    uint32_t n_bare;
    uint32_t chunks;
};

/* plain: rows of shares and sums, and whole vectors. masked: rows of masks, which are cut into
 * chunks. */
struct price price_new(const struct network *net, uint32_t n_segments, struct network_relayed plain,
                       uint64_t masked, uint32_t chunks);

/* others: rows of all clients' shares, and what relays send. rows: of the sum of each station
 * in use, descending.
 * masked: false if all clients use the same stations. Finds the cheapest masks; of several with
 * the same price those with the fewest dealers. No mask is a seed, so with privacy computational
 * this is more than the cost. */
struct price price_of_rows(const struct network *net, uint32_t n_segments,
                           struct network_relayed others, const uint32_t *rows, uint32_t n,
                           bool masked, struct price_masks *masks);

/* Returns a number of rows that is not more than the price of any masks. rows: of n stations
 * together. most: no station has more. */
uint64_t price_least_masks(const struct network *net, uint64_t rows, uint64_t most, uint32_t n);

/* The price of a row of a station's sum with its masks, relative to that of a row of a client's
 * share. passed_on: relays pass it on. */
struct price_row {
    double bare, dealer, other;
};
struct price_row price_row(const struct network *net, uint32_t n_segments,
                           const struct price_masks *masks, bool passed_on);

#endif
