/*
 * keygen.h - the keys of many clients, or the masks of many dealers, in one process.
 */
#ifndef HAGG_KEYGEN_H
#define HAGG_KEYGEN_H

#include "base/parallel.h"
#include "secrets/dealing.h"
#include "secrets/keyfile.h"

/* In the output, "{}" is the number of the client, or of the station that gets the mask, and
 * KEYGEN_DEALER is that of the dealer. */
#define KEYGEN_DEALER "{dealer}"

struct keygen {
    const struct plan *plan;
    const uint32_t *clients, *dealers; /* one of them is NULL */
    size_t n;                          /* clients or dealers */
    uint64_t round;
    uint64_t length;       /* including the sample count */
    struct state *state;   /* for dealers; may be NULL */
    struct sealer *sealer; /* of masks; NULL for a plan without identities */
    const char *output;
    bool allow_terminal;
    struct parallel *pool;     /* may be NULL */
    struct progress *progress; /* may be NULL */
};

/* Makes them as if each had been made alone, without a random source. Messages begin with the node.
 * No file is replaced. batch.h states what is written if one fails. *readable is true if an output
 * is a file that others can read. */
int keygen_write(const struct keygen *k, bool *readable, struct hagg_err *err);

#endif
