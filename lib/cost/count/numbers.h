/*
 * numbers.h - a round of a network in numbers: all clients share over sets of one size.
 *
 * The stages are those of protocol.h. How many messages each has follows from the numbers.
 */
#ifndef HAGG_COST_NUMBERS_H
#define HAGG_COST_NUMBERS_H

#include "cost/count/sheet.h"

struct uniform {
    const struct plan *plan; /* one of parameters_plan: numbers of clients and nodes, the scheme,
                                and who may collude and be missing */
    uint32_t n_stations;     /* in each set */
    uint32_t n_relays;       /* in the one set that all go on to */
    uint64_t n_patterns;     /* different sets of stations, those of keys the same */
};

/* Whether the sets have more members than may collude or be missing. */
bool numbers_suffice(const struct uniform *u);

/* All messages of the round; length and counts as of sheet_add_round. The first station has a key.
 */
int numbers_add_round(struct sheet *sheet, const struct uniform *u, uint64_t length,
                      sheet_counts_fn *counts, struct hagg_err *err);

#endif
