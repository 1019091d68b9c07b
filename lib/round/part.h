/*
 * part.h - the part of one node in a round: the steps that it runs itself.
 */
#ifndef HAGG_ROUND_PART_H
#define HAGG_ROUND_PART_H

#include "round/deliveries.h"
#include "round/node_name.h"
#include "round/options.h"
#include "round/step.h"

/* Returns true if the options want the steps of this node. */
bool part_has(const struct round_options *o, enum step_tier tier, uint32_t node);

/* Returns true if the options want the steps of clients, or of one client. */
bool part_has_clients(const struct round_options *o);

/* "station-2", of the node in the options */
struct node_name part_home(const struct round_options *o);

/* HAGG_E_USAGE if the node of the options is not in the plan or does not take part in the
 * round. */
int part_check(const struct round_options *o, const struct deliveries *d, struct hagg_err *err);

#endif
