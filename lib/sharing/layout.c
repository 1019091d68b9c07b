#include "sharing/layout.h"

#include "sharing/blocks.h"

static uint64_t part_of(uint64_t length, uint64_t n_parts)
{
    return length / n_parts + (length % n_parts != 0);
}

void layout_of(const struct header *h, struct layout *layout)
{
    *layout = (struct layout){
        .cuts = h->layout,
        .n_cuts = h->n_layout,
        .length = h->length,
        .n_blocks = 1,
        .block_length = h->length,
    };
    for (size_t i = 0; i < h->n_layout; i++) {
        layout->n_blocks *= h->layout[i];
        layout->block_length = part_of(layout->block_length, h->layout[i]);
    }
}

void layout_block(const struct layout *layout, uint64_t block, uint64_t *start, uint64_t *n)
{
    uint64_t below = layout->n_blocks, nominal = layout->length;

    *start = 0;
    *n = layout->length;
    for (size_t i = 0; i < layout->n_cuts; i++) {
        uint64_t part, skipped;

        below /= layout->cuts[i];
        part = block / below % layout->cuts[i];
        nominal = part_of(nominal, layout->cuts[i]);
        skipped = part * nominal < *n ? part * nominal : *n;
        *start += skipped;
        *n -= skipped;
        *n = *n < nominal ? *n : nominal;
    }
}

uint64_t layout_aligned_length(const struct header *h)
{
    const struct blocks blocks = { h->n_segments, h->blocks, h->n_blocks };
    uint64_t row = blocks_segment_length(h->n_segments, h->length);

    if (h->chunks > 0)
        row = blocks_segment_length(h->chunks, row);
    return blocks_before(&blocks, h->n_segments) * row;
}
