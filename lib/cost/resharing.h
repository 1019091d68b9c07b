/*
 * resharing.h - what it costs that relays hold sharings of their own: docs/theory.md, transforming
 * a sharing.
 */
#ifndef HAGG_COST_RESHARING_H
#define HAGG_COST_RESHARING_H

#include "cost/sheet.h"

enum resharing_method { RESHARING_DIRECT, RESHARING_TRANSPORT };

/* So many sums, each shared among n_stations, are shared anew among n_relays; and so many sums of
 * the new sharings go from their relays to the federator. In p relays hold sharings of their own:
 * its topology has transform set. */
int resharing_add(struct sheet *sheet, const struct plan *p, uint64_t length,
                  enum resharing_method method, uint32_t n_stations, uint32_t n_relays,
                  uint64_t n_patterns, uint64_t n_sums, struct hagg_err *err);

/* A plan with the sets of stations of p, for this kind of collusion, whose relays hold sharings of
 * their own: all relays that all stations of a set reach. Borrows from p, which must outlive it.
 * 1 when there is one, 0 when a set has too few relays in common, -1 on failure. */
int resharing_plan(struct plan *other, const struct plan *p, bool full, struct hagg_err *err);

void resharing_plan_free(struct plan *other);

/* What such a plan sends under partial collusion when its sums go by transport. */
int resharing_transport_of_plan(struct sheet *sheet, const struct plan *other, uint64_t length,
                                struct hagg_err *err);

#endif
