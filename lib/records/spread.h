/*
 * spread.h - shares a vector, or several blocks of one length, and writes each share as a record to
 * its holder.
 */
#ifndef HAGG_SPREAD_H
#define HAGG_SPREAD_H

#include "header.h"
#include "records/outfiles.h"
#include "base/progress.h"
#include "sharing/sharing.h"

struct spread_what {
    const struct header *header; /* what all shares say; scheme, route and addressee are added */
    const char *scheme;
    const struct sharing *sharing;
    struct header_tier *route; /* the holders, n of them, and where they send on */
    size_t n_route;
    size_t n_blocks;
    uint64_t block_length; /* elements of each */
    const void *parts;     /* block by block, one after the other, filled up with zeros */
    const struct header_scheme
        *passed_on; /* the shares are of this share, and holders carry them */
    struct progress *progress;
};

int spread_shares(const struct spread_what *what, struct random *random, struct parallel *pool,
                  struct outfiles *out, struct hagg_err *err);

#endif
