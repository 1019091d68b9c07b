/*
 * relaying.h - through which relays the shares of each pattern go on.
 *
 * A pattern of stations gets as many relays, matched one to one along links. Relays forward one sum
 * for each different set of relays, so patterns had better agree on a set, even if that leaves a
 * station out: facility location once more, with sets of relays in the place of patterns.
 */
#ifndef HAGG_PLANNER_RELAYING_H
#define HAGG_PLANNER_RELAYING_H

#include "effort.h"
#include "instance.h"

/* What goes on through what: station i of the one to relay i of the other, relays ascending. */
struct relayed {
    struct topology_list stations, relays;
};

/* For n patterns, sets of stations, each of which can be matched with enough relays, and each with
 * the number of clients that use it, at least one. Patterns that come to the same stations come to
 * the same relays. */
int relaying_find(const struct topology *t, const struct instance *in, const uint64_t *patterns,
                  size_t n, const uint64_t *weights, struct effort *e, struct relayed *relayed,
                  struct hagg_err *err);

void relaying_free(struct relayed *relayed, size_t n);

#endif
