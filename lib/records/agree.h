/*
 * agree.h - whether records belong to one aggregation, and whether they may be added.
 */
#ifndef HAGG_AGREE_H
#define HAGG_AGREE_H

#include "reader.h"

/* Whether two records are of one aggregation: the same field, round, plan, length, shape, type,
 * quantisation and sample count. HAGG_E_MISMATCH names both files and what differs. */
int agree_on_round(const struct header *a, const char *a_name, const struct header *b,
                   const char *b_name, struct hagg_err *err);

/* Orders records by what must be equal for their payloads to be added: kind, secret, scheme, index,
 * point, layout, source, carrier and route. 0: they may be, given that they agree on the round. */
int agree_compare(const struct header *a, const struct header *b);

/* The same without index and point: 0 for shares of one sharing, be it of a vector or, as in a
 * transfer, of a share. */
int agree_compare_pattern(const struct header *a, const struct header *b);

/* A deep copy, into a header that is all zero. */
int agree_copy(struct header *to, const struct header *from, struct hagg_err *err);

#endif
