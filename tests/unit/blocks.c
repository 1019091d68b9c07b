/* Blocks and intervals, compared with a search through all segments. */
#include "sharing/blocks.h"

#include "check.h"
#include "format_limits.h"
#include "reference.h"

static uint64_t state = 8;

static bool begins(const struct blocks *b, uint32_t segment)
{
    for (size_t i = 0; i < b->n_counts; i++)
        for (uint32_t cut = 0; cut <= segment; cut += b->counts[i])
            if (cut == segment)
                return true;
    return false;
}

static void compare(const struct blocks *b)
{
    uint32_t n = 0, next = 0;
    size_t wrong = 0;

    for (uint32_t segment = 0; segment < b->n_segments; segment++) {
        wrong += blocks_before(b, segment) != n;
        wrong += blocks_begins(b, segment) != begins(b, segment);
        n += begins(b, segment);
        for (next = segment + 1; next < b->n_segments && !begins(b, next);)
            next++;
        wrong += blocks_next(b, segment) != next;
    }
    CHECK(wrong == 0);
    CHECK(blocks_before(b, b->n_segments) == n);
}

static void compares_small_ones(void)
{
    for (size_t i = 0; i < 200; i++) {
        uint32_t counts[4];
        struct blocks b = { 1 + (uint32_t)(reference_next(&state) % 150), counts,
                            1 + reference_next(&state) % 4 };

        for (size_t k = 0; k < b.n_counts; k++)
            counts[k] = 1 + (uint32_t)(reference_next(&state) % (i % 2 ? 20 : 200));
        compare(&b);
    }
}

/* The largest number of segments. */
static void counts_many(void)
{
    uint32_t counts[] = { 2, 3, 65535 };
    struct blocks b = { LIMIT_SEGMENTS, counts, 3 };

    CHECK(blocks_before(&b, b.n_segments) == 43690);
    CHECK(blocks_before(&b, b.n_segments - 1) == 43689);
    b.counts = counts + 2;
    b.n_counts = 1;
    CHECK(blocks_before(&b, b.n_segments) == 1 && blocks_next(&b, 0) == LIMIT_SEGMENTS);
    counts[2] = 1;
    CHECK(blocks_before(&b, b.n_segments) == LIMIT_SEGMENTS);
}

static void measures_segments(void)
{
    CHECK(blocks_segment_length(7, 0) == 0 && blocks_segment_length(7, 1) == 1);
    CHECK(blocks_segment_length(7, 14) == 2 && blocks_segment_length(7, 15) == 3);
}

int main(void)
{
    compares_small_ones();
    counts_many();
    measures_segments();
    return check_end();
}
