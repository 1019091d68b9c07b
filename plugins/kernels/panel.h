/*
 * panel.h - matrix times block of vectors for a field that centres its operands.
 *
 * An input x is replaced by x - C with a constant C of the field, so that more products fit into a
 * sum. The output of a row starts from the difference, which is C times the sum of the row's
 * weights. A panel is a piece of the matrix with prepared weights and starting sums. Inputs are
 * prepared one tile at a time, once for all rows of the panel.
 *
 * For kernels.c of a field of prime-kernels.h, with AVX2 or more. Before it includes this file it
 * defines
 *  - PANEL_ROWS: the number of rows in a group, whose sums must fit into the vector registers, at
 *    most 13;
 *  - PANEL_IN_PLACE: with up to this number of inputs, a single group prepares them as it reads
 *    them, which its panel_vector must support; 0: always use a tile;
 *  - struct panel_weight: an entry of the matrix in the form for panel_vector.
 * After the include it defines the functions declared here.
 */
#ifndef PANEL_H
#define PANEL_H

#include <string.h>

#include "lanes.h"
#include "prime-kernels.h"
#include "rows.h"

#define PANEL_MAX_IN   256              /* inputs per panel; further panels add to the outputs */
#define PANEL_MAX_OUT  (4 * PANEL_ROWS) /* outputs per panel */
#define PANEL_TILE     (32u << 10)      /* bytes of prepared inputs */
#define PANEL_FEW_ROWS 4                /* outputs for which no tile is made */
#define PANEL_COLUMNS  (sizeof(lanes) / FIELD_ELEM_SIZE)

/* Prefetch distance in bytes for inputs that are read in place: the hardware prefetcher cannot
 * follow this many rows. */
#define PANEL_AHEAD 1024

/* The weights are in the order of use: by group, within a group by input, within an input by row.
 */
struct panel {
    size_t n_rows, n_in;
    int add; /* true: add to the content of the outputs */
    uint64_t start[PANEL_MAX_OUT];
    struct panel_weight weights[PANEL_MAX_OUT * PANEL_MAX_IN];
};

static struct panel_weight panel_weigh(uint64_t m);

/* Returns the starting value of a row of n_in weights, whose sum is the element sum. */
static uint64_t panel_start(uint64_t sum, size_t n_in);

/* Prepares packed inputs for panel_vector. */
LANES_INLINE lanes panel_operand(lanes x);

/* Multiplies n_rows rows, a constant, by the vector of columns at offset at in bytes. operands has
 * its n_in operands, or is NULL to make them from in. The inputs ahead bytes later are prefetched,
 * because they are next. */
LANES_INLINE void panel_vector(size_t n_rows, const struct panel *panel,
                               const struct panel_weight *weight, const uint64_t *start,
                               void *const *out, const void *const *in, size_t at, size_t ahead,
                               const lanes *operands);

/* Reads bytes bytes of the inputs from offset at; zeros follow if this is less than a vector. */
LANES_INLINE lanes panel_read(const void *row, size_t at, size_t bytes)
{
    lanes x = { 0 };

    memcpy(&x, (const unsigned char *)row + at, bytes);
    return panel_operand(x);
}

/* Fills the panel with the rows from first_row on and the inputs from first_in on of a matrix with
 * width columns. */
static void panel_fill(struct panel *panel, const void *matrix, size_t width, size_t first_row,
                       size_t first_in)
{
    struct panel_weight *weight = panel->weights;

    for (size_t row = 0, n; row < panel->n_rows; row += n) {
        n = rows_next(panel->n_rows - row, PANEL_ROWS);
        for (size_t r = 0; r < n; r++) {
            const size_t at = (first_row + row + r) * width + first_in;
            uint64_t sum = 0;

            for (size_t c = 0; c < panel->n_in; c++) {
                uint64_t m = hagg_load(matrix, at + c, FIELD_ELEM_SIZE);

                sum += m;
                sum -= FIELD_P & -(uint64_t)(sum >= FIELD_P);
                weight[c * n + r] = panel_weigh(m);
            }
            panel->start[row + r] = panel_start(sum, panel->n_in);
        }
        weight += n * panel->n_in;
    }
}

/* The same for n_vecs vectors of columns, whose operands are consecutive in the tile. */
LANES_INLINE void panel_group(size_t n_rows, const struct panel *panel,
                              const struct panel_weight *weights, const uint64_t *start,
                              void *const *out, const void *const *in, size_t at, size_t ahead,
                              const lanes *tile, size_t n_vecs)
{
    for (size_t v = 0; v < n_vecs; v++, at += sizeof(lanes)) {
        panel_vector(n_rows, panel, weights, start, out, in, at, ahead, tile);
        if (tile)
            tile += panel->n_in;
    }
}

#define PANEL_GROUP(n)                                                                             \
    panel_group(n, panel, weights, panel->start + row, out + row, in, at, ahead, tile, n_vecs)

/* All groups of a panel, with or without a tile. */
LANES_INLINE void panel_groups(const struct panel *panel, void *const *out, const void *const *in,
                               size_t at, size_t ahead, const lanes *tile, size_t n_vecs)
{
    const struct panel_weight *weights = panel->weights;

    for (size_t row = 0, n; row < panel->n_rows; row += n) {
        n = rows_next(panel->n_rows - row, PANEL_ROWS);
        ROWS_WITH(n, PANEL_ROWS, PANEL_GROUP);
        weights += n * panel->n_in;
    }
}

#undef PANEL_GROUP

static __attribute__((noinline)) void panel_in_place(const struct panel *panel, void *const *out,
                                                     const void *const *in, size_t n_vecs)
{
    panel_groups(panel, out, in, 0, PANEL_AHEAD, NULL, n_vecs);
}

static __attribute__((noinline)) void panel_tile(const struct panel *panel, void *const *out,
                                                 const void *const *in, size_t at, size_t ahead,
                                                 const lanes *tile, size_t n_vecs)
{
    panel_groups(panel, out, in, at, ahead, tile, n_vecs);
}

static void panel_tiles(const struct panel *panel, void *const *out, const void *const *in,
                        size_t n_vecs)
{
    const size_t tile_vecs = PANEL_TILE / sizeof(lanes) / panel->n_in;
    lanes tile[PANEL_TILE / sizeof(lanes)];

    for (size_t v = 0; v < n_vecs; v += tile_vecs) {
        size_t len = n_vecs - v < tile_vecs ? n_vecs - v : tile_vecs;

        for (size_t c = 0; c < panel->n_in; c++) {
            for (size_t i = 0; i < len; i++)
                tile[i * panel->n_in + c] =
                    panel_read(in[c], (v + i) * sizeof(lanes), sizeof(lanes));
        }
        panel_tile(panel, out, in, v * sizeof(lanes), tile_vecs * sizeof(lanes), tile, len);
    }
}

/* Handles the columns from offset at, fewer than a vector has, with temporary vectors. */
static void panel_tail(const struct panel *panel, void *const *out, const void *const *in,
                       size_t at, size_t bytes)
{
    lanes tile[PANEL_MAX_IN];
    unsigned char sums[PANEL_MAX_OUT * sizeof(lanes)];
    void *rows[PANEL_MAX_OUT];

    for (size_t c = 0; c < panel->n_in; c++)
        tile[c] = panel_read(in[c], at, bytes);
    for (size_t r = 0; r < panel->n_rows; r++) {
        rows[r] = sums + r * sizeof(lanes);
        memset(rows[r], 0, sizeof(lanes));
        if (panel->add)
            memcpy(rows[r], (unsigned char *)out[r] + at, bytes);
    }
    panel_tile(panel, rows, in, 0, 0, tile, 1);
    for (size_t r = 0; r < panel->n_rows; r++)
        memcpy((unsigned char *)out[r] + at, rows[r], bytes);
}

static void panel_apply(const struct panel *panel, void *const *out, const void *const *in,
                        size_t n)
{
    const size_t n_vecs = n / PANEL_COLUMNS;
    const size_t tail_bytes = n % PANEL_COLUMNS * FIELD_ELEM_SIZE;

    /* For a single group a tile is useless, unless there are so many inputs that they compete for
     * the same cache lines. */
    if (PANEL_IN_PLACE > 0 && panel->n_rows <= PANEL_ROWS && panel->n_in <= PANEL_IN_PLACE)
        panel_in_place(panel, out, in, n_vecs);
    else
        panel_tiles(panel, out, in, n_vecs);
    if (tail_bytes > 0)
        panel_tail(panel, out, in, n_vecs * sizeof(lanes), tail_bytes);
}

static void field_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n)
{
    /* for a few rows, a tile of the inputs costs more than to read them in place, a few at a time
     */
    const size_t max_in =
        PANEL_IN_PLACE > 0 && n_out <= PANEL_FEW_ROWS ? PANEL_IN_PLACE : PANEL_MAX_IN;
    struct panel panel;

    (void)ctx;
    if (n_in == 0) {
        for (size_t r = 0; r < n_out; r++)
            memset(out[r], 0, n * FIELD_ELEM_SIZE);
    }
    for (size_t row = 0; row < n_out; row += PANEL_MAX_OUT) {
        panel.n_rows = n_out - row < PANEL_MAX_OUT ? n_out - row : PANEL_MAX_OUT;
        for (size_t first = 0; first < n_in; first += max_in) {
            panel.n_in = n_in - first < max_in ? n_in - first : max_in;
            panel.add = first > 0;
            panel_fill(&panel, matrix, n_in, row, first);
            panel_apply(&panel, out + row, in + first, n);
        }
    }
}

#endif
