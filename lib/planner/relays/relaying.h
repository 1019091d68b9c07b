/*
 * relaying.h - chooses the relays through which the shares of each pattern are passed on.
 *
 * The stations of a pattern are matched one to one with relays along links. Relays forward one sum
 * for each different set of relays, so it is cheaper if patterns use the same set, even if that
 * leaves a station out. This is again facility location, with sets of relays instead of patterns.
 */
#ifndef HAGG_PLANNER_RELAYING_H
#define HAGG_PLANNER_RELAYING_H

#include "planner/effort.h"
#include "planner/instance.h"

/* Station i of stations sends to relay i of relays. The relays are in ascending order, or in
 * ascending order from another start and wrapping around. Different orders count as different
 * lists. */
struct relayed {
    struct topology_list stations, relays;
};

/* patterns are n sets of stations, each of which can be matched with enough relays; weights are
 * their numbers of clients, at least one. Fills relayed[0 .. n - 1], which the caller frees with
 * relaying_free. Patterns that end up with the same stations get the same relays. Under full
 * collusion with colluding stations, and if stations may be missing, a station has the same
 * position in all patterns with the same list of relays; if all orders of the relays are used up, a
 * pattern may violate this. */
int relaying_find(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                  size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                  struct hagg_err *err);

/* The same with one set of relays for all patterns if one is found, whatever it costs, so that
 * everything is added up at the relays. */
int relaying_find_one(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                      size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                      struct hagg_err *err);

void relaying_free(struct relayed *relayed, size_t n);

#endif
