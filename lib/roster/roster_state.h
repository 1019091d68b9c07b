/*
 * roster_state.h - internals of a roster that is being made, for the files of this folder.
 */
#ifndef HAGG_ROSTER_STATE_H
#define HAGG_ROSTER_STATE_H

#include "protocol/protocol.h"
#include "reader.h"
#include "records/filecache.h"
#include "records/verify.h"
#include "roster/roster.h"

/* One message that a client sends to a station. */
struct roster_due {
    uint32_t station;
    enum header_kind kind;
    enum header_secret secret;
    bool other_run; /* True if it is not from the same run as the first record of the client. */
    size_t file;    /* number of the file that shows that it arrived, from 1; 0 if there is none */
};

/* What a client of the plan sends. */
struct roster_client {
    size_t first, n;  /* of its messages */
    size_t file;      /* number of the file with the first of its records, from 1, or 0 */
    uint32_t station; /* to which that record was sent */
    uint8_t id[HEADER_RUN_BYTES]; /* the run of hagg-share that made it; zeros if it has none */
};

struct roster {
    const struct roster_options *options;
    struct protocol *round;
    struct roster_client *clients; /* in the order of the topology */
    struct roster_due *dues;       /* client by client */
    size_t n_dues, max_dues;
    size_t *reports; /* by station: number of the file with its report, from 1, or 0 */
    size_t *shares;  /* by station: the same for the first record that clients sent to it */
    struct {
        struct header header;
        size_t file; /* number of the file, from 1; 0 if there is no record */
    } anchors[2];    /* the first record of a vector, and of a key */
    struct filecache files;
    struct verifier verifier;
    struct rangeset complete;
};

/* Returns true if something of the client is missing at the station of this message, or from
 * another run than elsewhere. */
bool roster_lacks(const struct roster *r, const struct roster_due *due);

/* Returns true if the client may be in the roster. */
bool roster_may_have(const struct roster *r, size_t client);

#endif
