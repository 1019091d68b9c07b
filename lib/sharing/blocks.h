/*
 * blocks.h - how the segments of a vector are grouped in an aligned sharing.
 *
 * A vector is cut into n_segments segments. A client with v parts takes them in blocks of v; the
 * last block may be shorter. A station adds up clients with different v: the first segments of
 * all their blocks, the cuts, divide the segments into its intervals. A set of part counts and
 * the number of segments therefore determine the rows of a payload, one for each interval.
 */
#ifndef HAGG_BLOCKS_H
#define HAGG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blocks {
    uint32_t n_segments;    /* at most LIMIT_SEGMENTS */
    const uint32_t *counts; /* of parts, 1 to LIMIT_SEGMENTS */
    size_t n_counts;        /* at least 1 */
};

/* Returns true if an interval begins with this segment. */
bool blocks_begins(const struct blocks *b, uint32_t segment);

/* Returns the first cut after this segment, or n_segments. */
uint32_t blocks_next(const struct blocks *b, uint32_t segment);

/* Returns the number of intervals that begin before this segment, which is at most n_segments. With
 * n_segments: of all. */
uint32_t blocks_before(const struct blocks *b, uint32_t segment);

/* Returns the number of elements of a segment of a vector of the given length, rounded up. */
static inline uint64_t blocks_segment_length(uint32_t n_segments, uint64_t length)
{
    return length / n_segments + (length % n_segments != 0);
}

#endif
