/*
 * ratios.h - the paper's parameters of a network, and the paper's ranges for them and for the
 * costs.
 */
#ifndef HAGG_COST_RATIOS_H
#define HAGG_COST_RATIOS_H

#include "cost/report/report.h"

/* Adds the parameters of the rows with these sets: beta of c1, gamma and xi of c2, beta' and tau of
 * c3. reach: how many clients reach how many stations. */
int ratios_add(struct report *r, const struct plan *p, const char *sets,
               const struct setsizes *reach, struct hagg_err *err);

/* tau of c3: the number of stations that a client reaches divided by the number of parts of its
 * sharing, maximised over the clients. */
int ratios_add_tau_of_plan(struct report *r, const struct plan *p, struct hagg_err *err);
int ratios_add_tau(struct report *r, const struct plan *p, const char *sets, uint32_t n_reached,
                   uint32_t n_shares, struct hagg_err *err);

/* The paper's ranges of c1 and c3 over all networks with these numbers of nodes. They are valid for
 * sharings that need all their shares, and for keys that pass through all stations. */
int ratios_add_ranges(struct report *r, const struct plan *p, struct hagg_err *err);

#endif
