/*
 * transform_gather.h - transfers that came, put together by what they are to become.
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

/* Of one sum of shares, for one new holder and, while it is carried, by one carrier. */
struct gather_sum {
    struct gather_member *members; /* ascending by source, or by carrier once they are collected */
    size_t n;
    uint8_t *key; /* what all of them say, encoded */
    size_t len_key;
    struct gather_sum *next;
};

struct gather {
    struct filecache files;
    struct field *field;
    struct gather_sum *sums, **last; /* in order of coming */
    void *tree;
    struct gather_member *shares; /* that are ready, because they were forwarded */
    size_t n_shares;
    const struct protocol *round; /* that all belongs to, or NULL */
    uint32_t relay;               /* that all is for, or 0 */
    bool by_carrier; /* collected transfers are wanted, and come from different carriers */
};

/* Begins all zero but for round, relay and by_carrier. Takes in all transfers and shares of a file;
 * "-" is standard input. HAGG_E_MISMATCH for a transfer that comes twice, and for what is not of a
 * kind wanted. */
int gather_add(struct gather *g, const char *path, struct hagg_err *err);

void gather_free(struct gather *g);

/* How a group may differ from another that it should be one with. */
enum gather_differs {
    GATHER_SAME,
    GATHER_RUN,     /* its shares are from another run of hagg-share */
    GATHER_ROUND,   /* it is of another round */
    GATHER_CLIENTS, /* it has other clients, and some of the same */
};

/* The first group that differs in this way, and perhaps in the run, and has no contribution of
 * those who contributed to this one; NULL if there is none. */
int gather_find_like(const struct gather *g, const struct gather_sum *group,
                     enum gather_differs differs, const struct gather_sum **found,
                     struct hagg_err *err);

/* Where it came from. */
const char *gather_file(const struct gather *g, const struct gather_member *m);

#endif
