/*
 * spread.h - shares a vector and writes each share as a record to its holder.
 */
#ifndef HAGG_SPREAD_H
#define HAGG_SPREAD_H

#include "header.h"
#include "outset.h"
#include "progress.h"
#include "sharing.h"

struct spread_what {
    const struct header *header; /* what all shares say; scheme, route and addressee are added */
    const char *scheme;
    const struct sharing *sharing;
    struct header_tier *route; /* the holders, n of them, and where they send on */
    size_t n_route;
    const void *parts; /* one after the other */
    struct progress *progress;
};

int spread_shares(const struct spread_what *what, struct random *random, struct parallel *pool,
                  struct outset *out, struct hagg_err *err);

#endif
