#include "sharing/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "sharing/expand.h"
#include "sharing/sparse.h"
#include "sharing/uniform.h"

/* Size of a tile, computed at once: inputs and outputs together stay in the second-level cache. */
#define TILE_BYTES (256u * 1024)
/* Size of a piece, passed to the sink at once: large enough for large writes, small enough for the
 * third-level cache. */
#define PIECE_BYTES   (16u * 1024 * 1024)
#define MAX_ROW_BYTES (1024u * 1024)
#define MIN_ROW_BYTES (64u * 1024)

/* A piece is divided into this many lanes, each with its own generator. The number does not depend
 * on the number of threads, so the same seed gives the same shares on one thread and on four. */
#define LANES    4
#define NO_BLOCK SIZE_MAX

/* The blocks follow each other without a gap: column c of the result is column c % part_length of
 * block c / part_length. So many short blocks are written in as large pieces as a long one. */
struct split {
    const struct sharing *const *blocks;
    size_t n_blocks;
    const unsigned char **parts; /* by block */
    size_t part_length;
    const unsigned char *const *seeds; /* by holder, or NULL */
    size_t n_columns;                  /* of all blocks */
    size_t n_rows;                     /* of a piece */
    size_t row_elems;                  /* columns of a full piece */
    size_t tile_elems;                 /* columns of a full tile */
    void **rows;                       /* of the piece */
    unsigned char *out;
    struct lane {
        struct random *random;
        bool owned;           /* True if the generator belongs to the lane. */
        unsigned char *noise; /* random vectors of blocks without drawn rows, or NULL */
        void **to;
        const void **from;
        struct matrix computed; /* the rows of a block that are computed */
        struct sparse sparse;   /* the same, if shares have several symbols */
        const void **sparse_from;
        void **sparse_to;
        uint32_t *places;       /* their places in the piece */
        size_t block;           /* of these, or NO_BLOCK */
        struct expand **shares; /* by holder: those that have a seed; or NULL */
        unsigned char *mixed;   /* symbols of such a share, column by column */
        struct hagg_err err;
    } lanes[LANES];
    size_t n_lanes;
    size_t at, n; /* first column of the piece, and number of columns */
};

static size_t clamp(size_t value, size_t low, size_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Returns the largest number of inputs of a block. */
static size_t max_inputs(const struct split *p)
{
    size_t most = 0;

    for (size_t i = 0; i < p->n_blocks; i++)
        most = p->blocks[i]->matrix.cols > most ? p->blocks[i]->matrix.cols : most;
    return most;
}

static int no_memory(const struct split *p, struct hagg_err *err)
{
    return err_errno(err, "no memory to share a vector among %u", p->blocks[0]->n);
}

static size_t noise_bytes(const struct split *p)
{
    const struct sharing *s = p->blocks[0];

    return s->shape.randoms * p->tile_elems * field_elem_size(s->field);
}

static bool needs_noise(const struct split *p)
{
    for (size_t i = 0; i < p->n_blocks; i++)
        if (p->blocks[i]->shape.randoms > 0 && !p->blocks[i]->drawn)
            return true;
    return false;
}

static size_t mixed_bytes(const struct split *p)
{
    const struct sharing *s = p->blocks[0];

    return s->shape.symbols * p->tile_elems * field_elem_size(s->field);
}

static int lane_seeds(const struct split *p, struct lane *l, struct hagg_err *err)
{
    const struct sharing *s = p->blocks[0];

    l->shares = calloc(s->n, sizeof *l->shares);
    l->mixed = malloc(mixed_bytes(p));
    if (!l->shares || !l->mixed)
        return no_memory(p, err);
    for (uint32_t u = 0; u < s->n; u++)
        if (p->seeds[u] && !(l->shares[u] = expand_new(s->field, p->seeds[u], err)))
            return -1;
    return 0;
}

static int lane_new(struct split *p, struct lane *l, struct random *random, struct hagg_err *err)
{
    uint8_t seed[RANDOM_SEED_BYTES];

    l->block = NO_BLOCK;
    l->noise = needs_noise(p) ? malloc(noise_bytes(p)) : NULL;
    l->to = calloc(p->n_rows, sizeof *l->to);
    l->from = calloc(max_inputs(p), sizeof *l->from);
    l->places = calloc(p->n_rows, sizeof *l->places);
    l->sparse_from = calloc(max_inputs(p), sizeof *l->sparse_from);
    l->sparse_to = calloc(p->n_rows, sizeof *l->sparse_to);
    if ((needs_noise(p) && !l->noise) || !l->to || !l->from || !l->places || !l->sparse_from ||
        !l->sparse_to)
        return no_memory(p, err);
    if (matrix_new(&l->computed, p->blocks[0]->field, p->n_rows, max_inputs(p), err) ||
        (p->seeds && lane_seeds(p, l, err)))
        return -1;
    l->random = random;
    if (p->n_lanes == 1)
        return 0;
    if (random_bytes(random, seed, sizeof seed, err))
        return -1;
    l->random = random_seeded(seed, err);
    l->owned = true;
    explicit_bzero(seed, sizeof seed);
    return l->random ? 0 : -1;
}

/* Finds where the parts of each block begin. */
static int find_parts(struct split *p, const unsigned char *parts, struct hagg_err *err)
{
    size_t size = field_elem_size(p->blocks[0]->field);

    p->parts = calloc(p->n_blocks, sizeof *p->parts);
    if (!p->parts)
        return no_memory(p, err);
    for (size_t i = 0; i < p->n_blocks; i++) {
        p->parts[i] = parts;
        parts += p->blocks[i]->shape.parts * p->part_length * size;
    }
    return 0;
}

static int split_new(struct split *p, const void *parts, struct random *random,
                     struct hagg_err *err)
{
    size_t size = field_elem_size(p->blocks[0]->field);

    p->n_rows = p->blocks[0]->matrix.rows;
    p->row_elems = clamp(PIECE_BYTES / p->n_rows, MIN_ROW_BYTES, MAX_ROW_BYTES) / size;
    p->tile_elems = clamp(TILE_BYTES / (p->n_rows + max_inputs(p)), 1024, MIN_ROW_BYTES) / size;
    /* the bytes of a file are used in order, and a short vector is not worth several generators */
    p->n_lanes = random_is_file(random) || p->n_columns <= LANES * p->tile_elems ? 1 : LANES;
    /* the buffers are wiped in the end, so they are no larger than a short vector needs */
    p->row_elems = clamp(p->n_columns, 1, p->row_elems);
    p->tile_elems = clamp(p->part_length, 1, p->tile_elems);
    p->out = malloc(p->n_rows * p->row_elems * size);
    large_hint(p->out, p->n_rows * p->row_elems * size);
    p->rows = calloc(p->n_rows, sizeof *p->rows);
    if (!p->out || !p->rows)
        return no_memory(p, err);
    if (find_parts(p, parts, err))
        return -1;
    for (size_t i = 0; i < p->n_rows; i++)
        p->rows[i] = p->out + i * p->row_elems * size;
    for (size_t i = 0; i < p->n_lanes; i++)
        if (lane_new(p, &p->lanes[i], random, err))
            return -1;
    return 0;
}

static void split_free(struct split *p)
{
    for (size_t i = 0; i < LANES; i++) {
        struct lane *l = &p->lanes[i];

        if (l->noise)
            explicit_bzero(l->noise, noise_bytes(p));
        if (l->owned)
            random_free(l->random);
        for (uint32_t u = 0; l->shares && u < p->blocks[0]->n; u++)
            expand_free(l->shares[u]);
        if (l->mixed)
            explicit_bzero(l->mixed, mixed_bytes(p));
        free(l->shares);
        free(l->mixed);
        free(l->noise);
        free(l->to);
        free(l->from);
        free(l->places);
        free(l->sparse_from);
        free(l->sparse_to);
        sparse_free(&l->sparse);
        matrix_free(&l->computed);
    }
    if (p->out)
        explicit_bzero(p->out, p->n_rows * p->row_elems * p->blocks[0]->matrix.elem_size);
    free(p->out);
    free(p->rows);
    free(p->parts);
}

static bool is_drawn(const struct sharing *s, size_t row)
{
    for (uint32_t i = 0; s->drawn && i < s->shape.randoms; i++)
        if (s->drawn[i] == row)
            return true;
    return false;
}

/* Copies the rows of a block that are computed, so that matrix_apply finds them together. */
static int use_block(const struct split *p, struct lane *l, size_t block)
{
    const struct sharing *s = p->blocks[block];
    struct matrix *m = &l->computed;

    if (l->block == block || (l->block != NO_BLOCK && p->blocks[l->block] == s))
        return 0;
    m->rows = 0;
    m->cols = s->matrix.cols;
    for (uint32_t row = 0; row < p->n_rows; row++)
        if (!is_drawn(s, row)) {
            l->places[m->rows] = row;
            memcpy(matrix_at(m, m->rows++, 0), matrix_at(&s->matrix, row, 0),
                   m->cols * m->elem_size);
        }
    l->block = block;
    sparse_free(&l->sparse);
    return s->shape.symbols > 1 ? sparse_new(&l->sparse, s->field, m, &l->err) : 0;
}

/* Returns the address of a row of the piece, from this column on. */
static void *row_at(const struct split *p, size_t row, size_t column)
{
    return (unsigned char *)p->rows[row] + column * p->blocks[0]->matrix.elem_size;
}

/* Writes n columns, from column `to` of the piece on, of the shares that have a seed. */
static int expand_shares(const struct split *p, struct lane *l, size_t to, size_t n)
{
    const struct sharing *s = p->blocks[0];
    size_t symbols = s->shape.symbols, size = field_elem_size(s->field);

    for (uint32_t u = 0; l->shares && u < s->n; u++) {
        void *all = symbols == 1 ? row_at(p, u, to) : l->mixed;

        if (!l->shares[u])
            continue;
        if (expand_elems(l->shares[u], (p->at + to) * symbols, all, n * symbols, &l->err))
            return -1;
        for (size_t i = 0; symbols > 1 && i < symbols; i++) {
            unsigned char *row = row_at(p, u * symbols + i, to);

            for (size_t j = 0; j < n; j++)
                memcpy(row + j * size, l->mixed + (j * symbols + i) * size, size);
        }
    }
    return 0;
}

/* Returns true if the drawn row i is of a share that has a seed. */
static bool has_seed(const struct lane *l, const struct sharing *s, uint32_t i)
{
    return l->shares && s->drawn && l->shares[s->drawn[i] / s->shape.symbols];
}

/* Computes n columns of a block, from its column `column` on, to column `to` of the piece. */
static int make_tile(const struct split *p, struct lane *l, size_t block, size_t column, size_t to,
                     size_t n)
{
    const struct sharing *s = p->blocks[block];
    size_t size = field_elem_size(s->field);

    if (expand_shares(p, l, to, n))
        return -1;
    for (uint32_t i = 0; i < s->shape.parts; i++)
        l->from[i] = p->parts[block] + (i * p->part_length + column) * size;
    for (uint32_t i = 0; i < s->shape.randoms; i++) {
        void *drawn = s->drawn ? row_at(p, s->drawn[i], to) : l->noise + i * n * size;

        if (!has_seed(l, s, i) && uniform_elems(s->field, l->random, drawn, n, &l->err))
            return -1;
        l->from[s->shape.parts + i] = drawn;
    }
    if (use_block(p, l, block))
        return -1;
    for (size_t i = 0; i < l->computed.rows; i++)
        l->to[i] = row_at(p, l->places[i], to);
    if (s->shape.symbols > 1)
        sparse_apply(&l->sparse, s->field, l->to, l->from, n, l->sparse_from, l->sparse_to);
    else if (l->computed.rows > 0)
        matrix_apply(&l->computed, s->field, l->to, l->from, n);
    return 0;
}

/* Computes the columns of one lane. A failure is recorded in the lane. */
static void make_lane(void *split, size_t lane)
{
    struct split *p = split;
    struct lane *l = &p->lanes[lane];
    size_t at = p->n * lane / p->n_lanes, end = p->n * (lane + 1) / p->n_lanes;

    while (at < end) {
        size_t block = (p->at + at) / p->part_length, column = (p->at + at) % p->part_length;
        size_t n = end - at < p->tile_elems ? end - at : p->tile_elems;

        n = p->part_length - column < n ? p->part_length - column : n;
        if (make_tile(p, l, block, column, at, n))
            return;
        at += n;
    }
}

/* A holder can only have a seed if its whole share is drawn, in every block. */
static int check_seeds(const struct split *p, struct hagg_err *err)
{
    size_t symbols = p->blocks[0]->shape.symbols;

    for (size_t row = 0; p->seeds && row < p->blocks[0]->matrix.rows; row++)
        for (size_t i = 0; p->seeds[row / symbols] && i < p->n_blocks; i++)
            if (!is_drawn(p->blocks[i], row))
                return err_set(err, HAGG_E_MISMATCH,
                               "share %zu of %u is computed, so it has no seed", row / symbols + 1,
                               p->blocks[0]->n);
    return 0;
}

int sharing_split_blocks(const struct sharing *const *blocks, size_t n_blocks, const void *parts,
                         size_t part_length, const unsigned char *const *seeds,
                         struct random *random, struct parallel *pool, struct sharing_sink *sink,
                         struct hagg_err *err)
{
    struct split p = {
        .blocks = blocks,
        .n_blocks = n_blocks,
        .part_length = part_length,
        .seeds = seeds,
        .n_columns = n_blocks * part_length,
    };
    int status = check_seeds(&p, err) ? -1 : split_new(&p, parts, random, err);

    for (; p.at < p.n_columns && status == 0; p.at += p.n) {
        p.n = p.n_columns - p.at < p.row_elems ? p.n_columns - p.at : p.row_elems;
        parallel_run(pool, make_lane, &p, p.n_lanes);
        for (size_t i = 0; i < p.n_lanes && status == 0; i++)
            if (p.lanes[i].err.status) {
                *err = p.lanes[i].err;
                status = -1;
            }
        if (status == 0)
            status = sink->write(sink, p.rows, p.n, err);
    }
    split_free(&p);
    return status;
}

int sharing_split(const struct sharing *s, const void *parts, size_t part_length,
                  const unsigned char *const *seeds, struct random *random, struct parallel *pool,
                  struct sharing_sink *sink, struct hagg_err *err)
{
    return sharing_split_blocks(&s, 1, parts, part_length, seeds, random, pool, sink, err);
}
