/*
 * inspect_state.h - lists the entries of a state directory, and removes old ones, for hagg-inspect.
 */
#ifndef HAGG_INSPECT_STATE_H
#define HAGG_INSPECT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

struct inspect_state_options {
    bool wanted;           /* True if a state is inspected instead of files. */
    const char *directory; /* NULL for the one that the environment names */
    const char *plan;      /* first digits of its digest; NULL for all plans */
    bool prune;
    uint64_t before; /* the entries of rounds before this one are removed */
    bool json;
};

/* Prints the entries, or removes some of them. Returns the exit status. */
int inspect_state(const struct inspect_state_options *o);

#endif
