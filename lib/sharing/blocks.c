#include "sharing/blocks.h"

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
uint32_t blocks_before(const struct blocks *b, uint32_t segment)
{
    uint64_t marks[LIMIT_SEGMENTS / 64 + 1];
    uint32_t n_words = segment / 64 + 1, n = 0;

    memset(marks, 0, n_words * sizeof *marks);
    for (size_t i = 0; i < b->n_counts; i++)
        for (uint32_t cut = 0; cut < segment; cut += b->counts[i])
            marks[cut / 64] |= UINT64_C(1) << cut % 64;
    for (uint32_t i = 0; i < n_words; i++)
        n += (uint32_t)__builtin_popcountll(marks[i]);
    return n;
}
