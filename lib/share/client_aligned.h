/*
 * client_aligned.h - shares a client's vector with protocol aligned: block by block, each with a
 * matrix of its own. For client.c and sharings.c only.
 */
#ifndef HAGG_CLIENT_ALIGNED_H
#define HAGG_CLIENT_ALIGNED_H

#include "base/progress.h"
#include "plan/plan_aligned.h"
#include "records/outfiles.h"
#include "share/client_seeds.h"

/* Initialise to all zero. */
struct client_aligned {
    const struct plan *plan;
    uint32_t class;
    struct sharing *blocks;
    uint32_t n_blocks;
    struct header_scheme *schemes; /* by share */
    struct client_seeds seeds;
};

/* The plan has the client, and must outlive the result. missing: see client_seeds.h. */
int client_aligned_new(struct client_aligned *c, const struct plan *p, uint32_t client,
                       const struct rangeset *missing, struct hagg_err *err);

void client_aligned_free(struct client_aligned *c);

/* Returns the number of elements of all segments of a vector of this length. */
size_t client_aligned_length(const struct client_aligned *c, size_t length);

/* Returns client_report.percent_filling for a vector of this length. */
uint64_t client_aligned_filling(const struct client_aligned *c, size_t length);

/* Writes one record per station. elems are all segments, filled up with zeros. Scheme, route,
 * segments and blocks are added to the header. */
int client_aligned_spread(const struct client_aligned *c, const struct header *header,
                          const void *elems, struct random *random, struct parallel *pool,
                          struct progress *progress, struct outfiles *out, struct hagg_err *err);

#endif
