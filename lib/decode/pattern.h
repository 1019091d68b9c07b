/*
 * pattern.h - the shares of one sharing, or their sums, on their way back to a vector.
 */
#ifndef HAGG_PATTERN_H
#define HAGG_PATTERN_H

#include "header.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "sharing/scheme.h"
#include "records/stored.h"
#include "base/text.h"

/* One share. */
struct pattern_share {
    struct header header;
    struct stored stored;
    uint64_t n_wrong; /* elements that were found wrong */
};

/* Begins all zero, and is grown by pattern_add. */
struct pattern {
    struct pattern_share *shares; /* by ascending index */
    size_t n_shares;
    size_t n_left_out; /* behind them: shares that are not used */
};

/* Takes in a share, whose header and payload belong to the pattern from now on. HAGG_E_MISMATCH
 * when one of its index is there already. */
int pattern_add(struct pattern *p, struct pattern_share *share, const struct filecache *files,
                struct hagg_err *err);

/* Puts the share behind those that are used. */
void pattern_leave_out(struct pattern *p, size_t i);

void pattern_free(struct pattern *p);

/* "station 1-3 5": the holders. */
void pattern_describe(const struct pattern *p, struct text *t);

/* What decoding a pattern takes. */
struct pattern_tools {
    const struct field *field;
    const struct scheme *scheme;
    struct filecache *files;
    struct parallel *pool;     /* NULL: one thread */
    struct progress *progress; /* NULL: nobody looks */
    bool correct;
};

/* Decodes from any k shares and adds the vector to total, or takes it off. Surplus shares are used
 * to find wrong ones: that is an error which names the holder to blame where that can be told; with
 * correct, up to half as many wrong shares as there are surplus ones are put right in every
 * position, and counted. total has length elements, and every share as many as its scheme gives. */
int pattern_decode(struct pattern *p, const struct pattern_tools *tools, bool subtract,
                   unsigned char *total, struct hagg_err *err);

#endif
