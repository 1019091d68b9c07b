/*
 * runs.h - the runs of hagg-share that the records of clients are from, by client: the ids in a
 * roster.
 */
#ifndef HAGG_RUNS_H
#define HAGG_RUNS_H

#include "base/rangeset.h"
#include "reader.h"

/* Initialise to all zero. */
struct runs {
    struct rangeset clients;
    uint64_t *begins; /* by range of clients: number of clients before it */
    uint8_t *ids;     /* client by client; zeros if a run is unknown */
};

/* Reads the payload of the reader's current record, a roster. If it is empty, no run is known. The
 * caller has checked the clients, which determine how much memory this takes. */
int runs_read(struct runs *r, struct reader *in, struct hagg_err *err);

/* Returns the id of the run of a client, HEADER_RUN_BYTES bytes; NULL if it is unknown. r may be
 * NULL. */
const uint8_t *runs_of(const struct runs *r, uint32_t client);

void runs_free(struct runs *r);

#endif
