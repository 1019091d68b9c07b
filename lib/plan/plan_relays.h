/*
 * plan_relays.h - protocol aligned with relays: which relay each station sends its sum to, and
 * which relays combine the sums. docs/aligned.md has the rules.
 */
#ifndef HAGG_PLAN_RELAYS_H
#define HAGG_PLAN_RELAYS_H

#include "topology/topology.h"

struct plan_relays_input {
    const struct topology *topology;
    const uint32_t *stations; /* in use */
    const uint32_t *n_rows;   /* of the sum of each */
    uint32_t n;
    const bool *missing;    /* by station in use; NULL: none */
    const bool *missing_on; /* by relay number; NULL: none */
    uint32_t n_segments;
    bool may_combine; /* True if the stations that are present are exactly enough to decode. */
};

/* Sets of, by station in use, to its relay, or 0 if none that it reaches is present, and combines,
 * by relay number. weights is scratch, by relay number. */
void plan_relays_choose(const struct plan_relays_input *in, uint32_t *of, bool *combines,
                        uint64_t *weights);

#endif
