/*
 * bytes.h - the exact bytes of all records of a round of a plan, by kind of link.
 */
#ifndef HAGG_COST_BYTES_H
#define HAGG_COST_BYTES_H

#include <gmp.h>

#include "cost/count/record_sizes.h"
#include "topology/topology_prices.h"

struct bytes {
    mpz_t links[N_LINKS];
    mpz_t total;
};

/* All zero. */
void bytes_init(struct bytes *b);
void bytes_clear(struct bytes *b);

/* Adds the records of a round in which all nodes take part, and shares are sent in part if the
 * scheme allows it. What a courier passes on is sent twice. The length must be known. b is from
 * bytes_init. Fails as record_sizes_new does. */
int bytes_of_round(const struct plan *p, const struct bytes_options *o, struct bytes *b,
                   struct hagg_err *err);

#endif
