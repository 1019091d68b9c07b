/*
 * numbers.h - a round of a network given in numbers: all clients share over sets of the same size.
 *
 * The stages are those of protocol.h. The number of messages in each stage follows from the
 * numbers.
 */
#ifndef HAGG_COST_NUMBERS_H
#define HAGG_COST_NUMBERS_H

#include "cost/count/sheet.h"

struct uniform {
    const struct plan *plan; /* from parameters_plan: numbers of clients and nodes, the scheme,
                                and how many may collude or be missing */
    uint32_t n_stations;     /* in each set */
    uint32_t n_relays;       /* in the one set of relays that all patterns use */
    uint64_t n_patterns;     /* different sets of stations; the same number for keys */
};

/* True if the sets have more members than may collude or be missing. */
bool numbers_suffice(const struct uniform *u);

/* Fails with the scheme's reason if it does not support the sharings. */
int numbers_check_scheme(const struct uniform *u, struct hagg_err *why);

/* Adds all messages of a round of protocol aligned. As many stations are in use as the patterns can
 * have together, which costs most. Segments and dealers are the default. HAGG_E_MALFORMED if the
 * field has too few points. */
int numbers_add_aligned(struct sheet *sheet, const struct uniform *u, uint64_t length,
                        struct hagg_err *err);

/* Adds all messages of the round, or with worst of the worst case; otherwise as sheet_add_round and
 * sheet_add_worst. Assumes that the first station of the chain has a key. */
int numbers_add_round(struct sheet *sheet, const struct uniform *u, uint64_t length, bool worst,
                      sheet_counts_fn *counts, struct hagg_err *err);

#endif
