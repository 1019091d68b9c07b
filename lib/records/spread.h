/*
 * spread.h - shares a vector, or several blocks of equal length, and writes each share as a record
 * addressed to its holder.
 */
#ifndef HAGG_SPREAD_H
#define HAGG_SPREAD_H

#include "header.h"
#include "records/outfiles.h"
#include "base/progress.h"
#include "sharing/sharing.h"

struct spread_job {
    const struct header *header; /* of all shares; scheme, route and destination are added */
    const char *scheme;
    const struct sharing *sharing;
    struct header_tier *route; /* first the n holders, then the tiers they send to */
    size_t n_route;
    size_t n_blocks;
    uint64_t block_length; /* elements per block */
    const void *parts;     /* the parts of all blocks, block by block, filled up with zeros */
    /* If not NULL, block i is shared with blocks[i], which may have another number of parts, and
     * all blocks have parts of the same length; sharing is blocks[0]. */
    const struct sharing *blocks;
    /* If not NULL, by share: its holder and its scheme. Otherwise the holders are those of the
     * route and the scheme is that of the sharing. */
    const uint32_t *holders;
    const struct header_scheme *schemes;
    /* If not NULL, by share: true if its record has a seed; and the destination whose file it is
     * written to, instead of its holder. */
    const bool *seeds;
    const uint32_t *outputs;
    /* If not NULL, the scheme of a share that the holders pass on as its carriers. */
    const struct header_scheme *carried;
    struct progress *progress;
};

int spread_shares(const struct spread_job *job, struct random *random, struct parallel *pool,
                  struct outfiles *out, struct hagg_err *err);

#endif
