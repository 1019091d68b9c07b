/*
 * layout.h - how a vector lies in the blocks of a sharing that was made from other sharings.
 *
 * A transformed sharing is one of several blocks side by side: the parts of the sharing it was made
 * from, which may themselves be parts of parts. A sharing that was not transformed has one block.
 */
#ifndef HAGG_LAYOUT_H
#define HAGG_LAYOUT_H

#include "header.h"

struct layout {
    const uint32_t *cuts; /* numbers of parts, outermost first */
    size_t n_cuts;
    uint64_t length; /* of the vector */
    uint64_t n_blocks;
    uint64_t block_length; /* elements of each block, with the zeros that fill it up */
};

/* The header must outlive it. */
void layout_of(const struct header *h, struct layout *layout);

/* Where a block begins in the vector, and how many elements of the vector it has: fewer than
 * block_length, or none, where it is filled up. */
void layout_block(const struct layout *layout, uint64_t block, uint64_t *start, uint64_t *n);

#endif
