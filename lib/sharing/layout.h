/*
 * layout.h - how a vector is divided into the blocks of a transformed sharing.
 *
 * A transformed sharing shares several blocks in parallel: the parts of the original sharing, which
 * may themselves be parts of parts. A sharing that was not transformed has one block.
 */
#ifndef HAGG_LAYOUT_H
#define HAGG_LAYOUT_H

#include "header.h"

struct layout {
    const uint32_t *cuts; /* numbers of parts, outermost first */
    size_t n_cuts;
    uint64_t length; /* of the vector */
    uint64_t n_blocks;
    uint64_t block_length; /* elements of each block, including zeros appended to fill it */
};

/* The layout points into the header, which must outlive it. */
void layout_of(const struct header *h, struct layout *layout);

/* Sets *start to the position of a block in the vector, and *n to the number of vector elements in
 * the block: fewer than block_length, possibly none, if it is filled with zeros. */
void layout_block(const struct layout *layout, uint64_t block, uint64_t *start, uint64_t *n);

/* Returns the number of elements in the payload of an aligned sharing: docs of the keys segments,
 * blocks and chunks are in FORMAT.md. */
uint64_t layout_aligned_length(const struct header *h);

#endif
