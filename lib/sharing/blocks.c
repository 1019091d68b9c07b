#include "sharing/blocks.h"

uint32_t blocks_next(const struct blocks *b, uint32_t segment)
{
    uint32_t next = b->n_segments;

    for (size_t i = 0; i < b->n_counts; i++) {
        uint64_t end = (segment / b->counts[i] + UINT64_C(1)) * b->counts[i];

        if (end < next)
            next = (uint32_t)end;
    }
    return next;
}

uint32_t blocks_before(const struct blocks *b, uint32_t segment)
{
    uint32_t n = 0;

    for (uint32_t cut = 0; cut < segment; cut = blocks_next(b, cut))
        n++;
    return n;
}
