/*
 * dealing.h - the dealers of masks if stations pay differently for sending or receiving.
 *
 * A mask for station u from dealer d costs the price of the link, plus what d pays for sending and
 * u for receiving, times the rows of u. The stations without masks follow from the dealers: those
 * with the most rows that do not deal (lib/plan/plan_aligned.c), whatever they pay.
 */
#ifndef HAGG_PLANNER_DEALING_H
#define HAGG_PLANNER_DEALING_H

#include "planner/aligned/price.h"

/* Up to this many stations in use, all choices of dealers are compared. With more, only those that
 * are good for some order of the stations are. */
#define DEALING_ALL 8

/* plain: the price of everything but masks. The rest is as in price_of_rows. */
struct price dealing_find(const struct network *net, uint32_t n_segments, struct network_sent plain,
                          const struct price_sums *sums, struct price_masks *masks,
                          uint32_t *ranks);

#endif
