#include "sharing/blocks.h"

#include <stdbool.h>
#include <string.h>

#include "format_limits.h"

#include <string.h>

#include "format_limits.h"

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

bool blocks_begins(const struct blocks *b, uint32_t segment)
{
    for (size_t i = 0; i < b->n_counts; i++)
        if (segment % b->counts[i] == 0)
            return true;
    return false;
}

/* Marks all multiples of the part counts, and counts the marks. */
/* The cuts are marked first: with many part counts, blocks_next would look at each of them for
 * every cut. */
uint32_t blocks_before(const struct blocks *b, uint32_t segment)
{
    bool is_cut[LIMIT_SEGMENTS + 1];
    uint32_t n = 0;

    if (segment > LIMIT_SEGMENTS)
        segment = LIMIT_SEGMENTS;
    memset(is_cut, 0, segment * sizeof *is_cut);
    for (size_t i = 0; i < b->n_counts; i++)
        for (uint32_t cut = 0; cut < segment; cut += b->counts[i])
            is_cut[cut] = true;
    for (uint32_t i = 0; i < segment; i++)
        n += is_cut[i];
    return n;
}
