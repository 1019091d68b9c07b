/*
 * affected_sums.h - the parts of what is learnt that are about sums and other combinations of
 * vectors. Used by affected.c only.
 */
#ifndef HAGG_AFFECTED_SUMS_H
#define HAGG_AFFECTED_SUMS_H

#include "audit/affected.h"

/* Adds these parts to *l. Arguments are as for affected_parts; a->known is reduced. */
int affected_sums(const struct affected *a, const struct exposed_rows *sums, bool allowed,
                  struct learnt *l, struct hagg_err *err);

/* Adds a row of r to e, without the columns of keys. place, unless it is NULL, is where e has each
 * column. */
int affected_copy_row(struct echelon *e, const struct exposed_rows *r,
                      const struct echelon_row *row, const uint32_t *place, struct hagg_err *err);

/* Adds a part without clients; NULL: no memory. */
struct learnt_part *affected_add_part(struct learnt *l, enum learnt_kind kind, size_t rank,
                                      struct hagg_err *err);

/* Adds the clients of the profile that are in this state. */
int affected_add_clients(struct learnt_part *part, const struct exposed_rows *r, uint32_t profile,
                         enum coalition_client state, struct hagg_err *err);

#endif
