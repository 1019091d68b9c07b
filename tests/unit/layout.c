#include "sharing/layout.h"

#include "check.h"

/* Checks starts and lengths of all blocks, which were computed by hand. */
static void blocks_are(uint64_t length, const uint32_t *cuts, size_t n_cuts, uint64_t block_length,
                       size_t n_blocks, const uint64_t (*want)[2])
{
    uint32_t copy[4] = { 0 };
    struct header h = { .length = length, .layout = n_cuts > 0 ? copy : NULL, .n_layout = n_cuts };
    struct layout layout;

    for (size_t i = 0; i < n_cuts; i++)
        copy[i] = cuts[i];
    layout_of(&h, &layout);
    CHECK(layout.n_blocks == n_blocks && layout.block_length == block_length);
    for (size_t i = 0; i < n_blocks; i++) {
        uint64_t start = 99, n = 99;

        layout_block(&layout, i, &start, &n);
        CHECK(start == want[i][0] && n == want[i][1]);
    }
}

static void known_layouts(void)
{
    blocks_are(7, NULL, 0, 7, 1, (const uint64_t[][2]){ { 0, 7 } });
    blocks_are(0, NULL, 0, 0, 1, (const uint64_t[][2]){ { 0, 0 } });
    blocks_are(7, (const uint32_t[]){ 1 }, 1, 7, 1, (const uint64_t[][2]){ { 0, 7 } });
    blocks_are(7, (const uint32_t[]){ 2 }, 1, 4, 2, (const uint64_t[][2]){ { 0, 4 }, { 4, 3 } });
    blocks_are(6, (const uint32_t[]){ 3 }, 1, 2, 3,
               (const uint64_t[][2]){ { 0, 2 }, { 2, 2 }, { 4, 2 } });
    /* 4 and 3 elements, each in pieces of 2, the last of which is empty */
    blocks_are(7, (const uint32_t[]){ 2, 3 }, 2, 2, 6,
               (const uint64_t[][2]){ { 0, 2 }, { 2, 2 }, { 4, 0 }, { 4, 2 }, { 6, 1 }, { 7, 0 } });
    /* the same cuts in the other order: 3, 3 and 1 elements in pieces of 2 */
    blocks_are(7, (const uint32_t[]){ 3, 2 }, 2, 2, 6,
               (const uint64_t[][2]){ { 0, 2 }, { 2, 1 }, { 3, 2 }, { 5, 1 }, { 6, 1 }, { 7, 0 } });
    blocks_are(1, (const uint32_t[]){ 3 }, 1, 1, 3,
               (const uint64_t[][2]){ { 0, 1 }, { 1, 0 }, { 1, 0 } });
    blocks_are(0, (const uint32_t[]){ 2, 2 }, 2, 0, 4,
               (const uint64_t[][2]){ { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } });
}

/* Whatever the cuts, the blocks are the vector in order, and none is too long. */
static void blocks_cover_the_vector(void)
{
    size_t n_wrong = 0;

    for (uint64_t length = 0; length < 40; length++)
        for (uint32_t a = 1; a < 6; a++)
            for (uint32_t b = 1; b < 6; b++)
                for (uint32_t c = 1; c < 6; c++) {
                    uint32_t cuts[] = { a, b, c };
                    struct header h = { .length = length, .layout = cuts, .n_layout = 3 };
                    struct layout layout;
                    uint64_t at = 0, start, n;

                    layout_of(&h, &layout);
                    for (uint64_t i = 0; i < layout.n_blocks; i++) {
                        layout_block(&layout, i, &start, &n);
                        n_wrong += start != at || n > layout.block_length;
                        at += n;
                    }
                    n_wrong += at != length || layout.n_blocks != a * b * c;
                }
    CHECK(n_wrong == 0);
}

/* The largest values in a header. */
static void largest(void)
{
    uint32_t cuts[] = { 1024, 1024 };
    uint64_t length = (uint64_t)1 << 48, start, n;
    struct header h = { .length = length, .layout = cuts, .n_layout = 2 };
    struct layout layout;

    layout_of(&h, &layout);
    CHECK(layout.n_blocks == 1048576 && layout.block_length == (uint64_t)1 << 28);
    layout_block(&layout, 1048575, &start, &n);
    CHECK(start == length - ((uint64_t)1 << 28) && n == (uint64_t)1 << 28);
}

int main(void)
{
    known_layouts();
    blocks_cover_the_vector();
    largest();
    return check_end();
}
