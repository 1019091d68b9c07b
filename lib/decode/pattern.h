/*
 * pattern.h - collects the shares of one sharing, or of their sum, and decodes them.
 */
#ifndef HAGG_PATTERN_H
#define HAGG_PATTERN_H

#include "header.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "sharing/lagrange.h"
#include "sharing/scheme.h"
#include "records/stored.h"
#include "base/text.h"

struct pattern_share {
    struct header header;
    struct stored stored;
    uint64_t n_wrong;            /* columns in which it was found to be wrong */
    struct pattern_share *later; /* record with later symbols of the same share, or NULL */
};

/* Initialise to all zero. */
struct pattern {
    struct pattern_share *shares; /* by ascending index, then summands by ascending first station */
    size_t n_shares;
    struct hagg_scheme_prefix prefix; /* that is decoded, after pattern_choose_prefix */
};

/* Adds a share, or some symbols of it; on success the pattern owns its header and payload.
 * HAGG_E_MISMATCH if there already is a share with this index and one of its symbols. */
int pattern_add(struct pattern *p, struct pattern_share *share, const struct filecache *files,
                struct hagg_err *err);

void pattern_free(struct pattern *p);

/* Chooses the prefix of the shares that is decoded: the one that leaves most surplus shares, and of
 * these the shortest. Leaves out the shares that lack a symbol of it. Returns how many shares are
 * still missing: 0 if there are enough, or if the prefix was chosen before. */
uint32_t pattern_choose_prefix(struct pattern *p, const struct scheme_prefixes *prefixes);

/* "station 1-3 5": the holders. */
void pattern_describe(const struct pattern *p, struct text *t);

/* Everything else that is needed to decode a pattern. */
struct pattern_tools {
    const struct field *field;
    const struct scheme *scheme;
    struct filecache *files;
    struct parallel *pool;     /* NULL for one thread */
    struct progress *progress; /* may be NULL */
    bool correct;              /* True to correct wrong shares. */
    /* If not NULL: the shares are some of those from which an aligned sum is decoded, and their
     * part of it is wanted. basis has the points of all of them, and places where those of the
     * shares are. */
    const struct lagrange *basis;
    const uint32_t *places;
};

/* What happens to the total. */
enum pattern_use { PATTERN_ADD, PATTERN_SUBTRACT, PATTERN_SET };

/* Decodes from any k shares and adds the vector to total, subtracts it, or sets total to it.
 * Surplus shares are used to detect wrong ones. A wrong share is an error, which names its holder
 * if it can be determined. If tools->correct is set, up to half as many wrong shares as there are
 * surplus ones are corrected in every position, and counted. total has as many elements as the
 * vector; the caller has checked the length of the shares. */
int pattern_decode(struct pattern *p, const struct pattern_tools *tools, enum pattern_use use,
                   unsigned char *total, struct hagg_err *err);

/* The same for sums of protocol aligned, which have segments and blocks. */
int pattern_decode_aligned(struct pattern *p, const struct pattern_tools *tools,
                           enum pattern_use use, unsigned char *total, struct hagg_err *err);

#endif
