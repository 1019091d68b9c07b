/*
 * summary_privacy.h - prints which clients have computational privacy only, and why.
 */
#ifndef HAGG_PLANNER_SUMMARY_PRIVACY_H
#define HAGG_PLANNER_SUMMARY_PRIVACY_H

#include "base/text.h"
#include "plan/plan.h"

/* Returns the number of clients whose drawn shares are seeds. */
uint64_t summary_privacy_clients(const struct topology *t);

/* Returns true if some clients have couriers. */
bool summary_privacy_couriers(const struct topology *t);

/* Appends lines, each after a newline: for all clients, if all have computational privacy; for
 * those that reach too few stations, by the number that they reach, with their couriers; and a note
 * if the plan has seeds but no identities, without which seeds are not sent. Nothing without seeds.
 */
int summary_privacy_print(const struct plan *p, struct text *text, struct hagg_err *err);

#endif
