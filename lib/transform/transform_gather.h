/*
 * transform_gather.h - collects transfers, grouped by the share that they become.
 */
#ifndef HAGG_TRANSFORM_GATHER_H
#define HAGG_TRANSFORM_GATHER_H

#include "sharing/field.h"
#include "records/filecache.h"
#include "header.h"
#include "protocol/protocol.h"
#include "records/stored.h"

struct gather_member {
    struct header header;
    struct stored stored;
};

/* The transfers of one sum of shares for one new holder and, before they are collected, one
 * carrier. */
struct gather_sum {
    /* ascending by source, and of one source by symbols; after collecting, by carrier */
    struct gather_member *members;
    size_t n;
    uint8_t *key; /* encoding of the header fields that all of them have in common */
    size_t len_key;
    struct gather_sum *next;
};

struct gather {
    struct filecache files;
    struct field *field;
    struct gather_sum *sums, **last; /* in order of arrival */
    void *tree;
    struct gather_member *shares; /* shares that were forwarded and are complete */
    size_t n_shares;
    const struct protocol *round;   /* that all records must belong to, or NULL */
    uint32_t relay;                 /* that all records must be addressed to, or 0 */
    const struct rangeset *clients; /* with round: clients that transfers must have, or NULL */
    struct rangeset missing;        /* clients of the plan that are not in the sums */
    const uint64_t *asked_round;    /* round of all records; NULL for any */
    struct opener *opener;          /* of sealed records, or NULL */
    bool by_carrier; /* True to accept collected transfers, from different carriers. */
};

/* Adds all transfers and shares of a file; "-" is standard input. Initialise g to all zero except
 * round, relay, clients, asked_round, opener and by_carrier. HAGG_E_MISMATCH for a second transfer
 * from the same holder, and for a record of the wrong kind. */
int gather_add(struct gather *g, const char *path, struct hagg_err *err);

void gather_free(struct gather *g);

/* How a group may differ from another one that should be the same group. */
enum gather_differs {
    GATHER_SAME,
    GATHER_RUN,     /* shares from another run of hagg-share */
    GATHER_ROUND,   /* another round */
    GATHER_CLIENTS, /* another set of clients, which overlaps */
};

/* Sets *found to the first group that differs from this one only in the given way, and maybe in the
 * run, and has no contributor in common with it; NULL if there is none. */
int gather_find_like(const struct gather *g, const struct gather_sum *group,
                     enum gather_differs differs, const struct gather_sum **found,
                     struct hagg_err *err);

/* Returns the name of the file that the member is from. */
const char *gather_file(const struct gather *g, const struct gather_member *m);

#endif
