/*
 * agree.h - checks whether records belong to one aggregation and whether they may be added.
 */
#ifndef HAGG_AGREE_H
#define HAGG_AGREE_H

#include "reader.h"

/* Checks that two records belong to one aggregation: that they have the same round, field, plan,
 * length and sample count and, unless one of them is of a key, the same shape, type and
 * quantisation. HAGG_E_MISMATCH names both files and the difference. */
int agree_on_round(const struct header *a, const char *a_name, const struct header *b,
                   const char *b_name, struct hagg_err *err);

/* Checks that two sums have the same dealers and the same clients. */
int agree_on_sums(const struct header *a, const char *a_name, const struct header *b,
                  const char *b_name, struct hagg_err *err);

/* Checks that two shares or sums of the same clients are from the same runs of hagg-share,
 * hagg-transform or hagg-keygen, as far as they show it. */
int agree_on_runs(const struct header *a, const char *a_name, const struct header *b,
                  const char *b_name, struct hagg_err *err);

/* Orders records by everything that must be equal for their payloads to be added: kind, secret,
 * scheme, index, point, symbols, layout, segments, blocks, dealers, source, carrier and route.
 * Records that compare as 0 may be added if they also agree on the round, once those with a seed
 * are expanded.
 */
int agree_compare(const struct header *a, const struct header *b);

/* The same without index, point, symbols, blocks and dealers: 0 for shares of the same sharing,
 * either of a vector or, in a transfer, of a share. */
int agree_compare_pattern(const struct header *a, const struct header *b);

/* Makes a deep copy in to, which must be all zero. */
int agree_copy(struct header *to, const struct header *from, struct hagg_err *err);

/* The same for a record that is computed from this one and others: without extensions, which belong
 * to one record only, and without a seed, whose expansion it is not. */
int agree_copy_known(struct header *to, const struct header *from, struct hagg_err *err);

#endif
