/*
 * loads.h - the busiest nodes and the busiest link in a round of a plan.
 */
#ifndef HAGG_COST_LOADS_H
#define HAGG_COST_LOADS_H

#include "cost/count/sheet.h"

enum loads_what { LOAD_CLIENT, LOAD_STATION, LOAD_RELAY, LOAD_FEDERATOR, LOAD_LINK, N_LOADS };

/* The busiest node or link of its kind: the first one with the largest sum of sent and received, in
 * multiples of the vector. */
struct load {
    bool exists;
    struct node node, to; /* to: for a link only, for which received is not used */
    struct sheet_line sent, received;
};

struct loads {
    bool known;
    struct load loads[N_LOADS];
};

/* records: what records show, to count their bytes if the length is known; NULL: they are not
 * counted. */
int loads_of_plan(struct loads *l, const struct plan *p, uint64_t length,
                  const struct bytes_options *records, struct hagg_err *err);

void loads_free(struct loads *l);

/* "busiest station" */
const char *loads_name(enum loads_what what);

#endif
