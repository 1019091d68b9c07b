/*
 * relaying.h - through which relays the shares of each pattern go on.
 *
 * A pattern of stations gets as many relays, matched one to one along links. Relays forward one sum
 * for each different set of relays, so patterns had better agree on a set, even if that leaves a
 * station out: facility location once more, with sets of relays in the place of patterns.
 */
#ifndef HAGG_PLANNER_RELAYING_H
#define HAGG_PLANNER_RELAYING_H

#include "planner/effort.h"
#include "planner/instance.h"

/* What goes on through what: station i of the one to relay i of the other. Relays ascend, or begin
 * elsewhere and go around, which makes them another list. */
struct relayed {
    struct topology_list stations, relays;
};

/* For n patterns, sets of stations, each of which can be matched with enough relays, and each with
 * the number of clients that use it, at least one. Patterns that come to the same stations come to
 * the same relays. Under full collusion, patterns with the same list of relays have each station
 * that they share at the same place, unless no order is left for one that cannot. */
int relaying_find(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                  size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                  struct hagg_err *err);

/* The same with one set of relays for all patterns if one is found, whatever it costs: then all is
 * added up at the relays. */
int relaying_find_one(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                      size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                      struct hagg_err *err);

void relaying_free(struct relayed *relayed, size_t n);

#endif
