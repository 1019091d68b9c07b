/*
 * ratios.h - where a network lies between the extremes that the paper bounds its costs by.
 */
#ifndef HAGG_COST_RATIOS_H
#define HAGG_COST_RATIOS_H

#include "cost/report/report.h"

/* Adds to the report what its rows with these sets say: beta of c1, gamma and xi of c2, beta' and
 * tau of c3. reach is how many stations clients reach. */
int ratios_add(struct report *r, const struct plan *p, const char *sets,
               const struct setsizes *reach, struct hagg_err *err);

/* tau of c3: by how much the stations that a client reaches outnumber the parts of its sharing, at
 * the client where that is most. */
int ratios_add_tau_of_plan(struct report *r, const struct plan *p, struct hagg_err *err);
int ratios_add_tau(struct report *r, const struct plan *p, const char *sets, uint32_t n_reached,
                   uint32_t n_shares, struct hagg_err *err);

/* The paper's ranges of c1 and c3 over all networks with these numbers of nodes. They hold for
 * sharings that need all their shares, and for keys that pass all stations. */
int ratios_add_ranges(struct report *r, const struct plan *p, struct hagg_err *err);

#endif
