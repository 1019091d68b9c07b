/*
 * loads.h - who has most to send and receive in a round of a plan.
 */
#ifndef HAGG_COST_LOADS_H
#define HAGG_COST_LOADS_H

#include "cost/count/sheet.h"

enum loads_what { LOAD_CLIENT, LOAD_STATION, LOAD_RELAY, LOAD_FEDERATOR, LOAD_LINK, N_LOADS };

/* The busiest of its kind, by the multiples of the vector that it sends and receives together; the
 * first one of those that are equal. */
struct load {
    bool exists;
    struct node node, to; /* to: of a link, of which only sent is used */
    struct sheet_line sent, received;
};

struct loads {
    bool known;
    struct load loads[N_LOADS];
};

int loads_of_plan(struct loads *l, const struct plan *p, uint64_t length, struct hagg_err *err);

void loads_free(struct loads *l);

/* "busiest station" */
const char *loads_name(enum loads_what what);

#endif
