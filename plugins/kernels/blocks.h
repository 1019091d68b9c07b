/*
 * blocks.h - cuts a matrix times a block of vectors into pieces that stay in the cache.
 *
 * A kernel does the arithmetic. It receives a few rows of the matrix, at most BLOCKS_TERMS of its
 * columns, and a stretch of the vectors that is a whole number of steps. This file does the rest:
 * tails, elements narrower than the kernel's words, and matrices of any size.
 *
 * For kernels.c of a field of prime-kernels.h, whose addition it uses.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "prime-kernels.h"
#include "rows.h"

enum {
    BLOCKS_TERMS = 128,             /* maximum number of products in a sum */
    BLOCKS_ROWS = 8,                /* maximum number of rows of a kernel */
    BLOCKS_IN_PLACE = 32,           /* reading more inputs in place would miss the TLB */
    BLOCKS_TABLE_BYTES = 1 << 17,   /* prepared matrix entries */
    BLOCKS_COPY_BYTES = 1 << 16,    /* inputs that are not read in place */
    BLOCKS_TILE_BYTES = 1 << 15,    /* packed inputs */
    BLOCKS_STRETCH_BYTES = 1 << 12, /* maximum, of one vector */
};

struct blocks_kernel {
    size_t word_size;  /* of its vectors: that of the elements, or 4 for narrower ones */
    size_t entry_size; /* of a prepared matrix entry, at most 32 bytes */
    size_t terms;      /* neighbours in a row of the matrix that make a prepared entry, at most 4 */
    size_t rows;       /* maximum at once, up to BLOCKS_ROWS */
    size_t step;       /* in words, at most 128 bytes; a stretch is a multiple of it */

    /* Prepares an entry from m[0] .. m[terms - 1]. */
    void (*prepare)(const void *ctx, void *entry, const uint64_t *m);

    /* NULL if apply reads vectors of words. Otherwise it reads a tile instead, which this function
     * makes of n elements of all inputs. A tile has at most 2 bytes for each element of as many
     * inputs as fill the entries. */
    void (*pack)(const void *ctx, void *tile, const void *const *in, size_t n_terms, size_t n);

    /* out[r][i] = sum over c < n_terms of table[c][r] * in[c][i], for r < n_rows and i < n, n > 0.
     * in[0] is the tile if there is one. No output overlaps an input. */
    void (*apply)(const void *ctx, void *const *out, size_t n_rows, const void *const *in,
                  size_t n_terms, const void *table, size_t n);
};

/* A prepared piece of the matrix, and all vectors that it applies to. */
struct blocks_piece {
    const struct blocks_kernel *kernel;
    const void *ctx;
    size_t elem_size;
    void *const *out;
    size_t n_rows;
    const void *const *in;
    size_t n_terms;
    const void *table; /* in the order of the kernel, one group of rows after another */
    int adds;          /* true: add the sums to the content of out */
};

static inline const void *blocks_at(const void *vector, size_t i, size_t size)
{
    return (const unsigned char *)vector + i * size;
}

/* Returns the number of prepared entries for n_terms entries of a row. */
static inline size_t blocks_entries(const struct blocks_kernel *kernel, size_t n_terms)
{
    return (n_terms + kernel->terms - 1) / kernel->terms;
}

/* Converts elements to words. Sizes are constants in each loop, so that it becomes a vector loop.
 */
static inline void blocks_widen(void *restrict words, size_t word_size, const void *restrict elems,
                                size_t elem_size, size_t n)
{
    if (elem_size == word_size)
        memcpy(words, elems, n * word_size);
    else if (elem_size == 1)
        for (size_t i = 0; i < n; i++)
            hagg_store(words, i, 4, hagg_load(elems, i, 1));
    else
        for (size_t i = 0; i < n; i++)
            hagg_store(words, i, 4, hagg_load(elems, i, 2));
}

/* Converts words to elements. */
static inline void blocks_narrow(void *restrict elems, size_t elem_size, const void *restrict words,
                                 size_t word_size, size_t n)
{
    if (elem_size == word_size)
        memcpy(elems, words, n * word_size);
    else if (elem_size == 1)
        for (size_t i = 0; i < n; i++)
            hagg_store(elems, i, 1, hagg_load(words, i, 4));
    else
        for (size_t i = 0; i < n; i++)
            hagg_store(elems, i, 2, hagg_load(words, i, 4));
}

/* Applies the piece to elements first .. first + len - 1. */
static inline void blocks_stretch(const struct blocks_piece *piece, size_t first, size_t len)
{
    const struct blocks_kernel *kernel = piece->kernel;
    const size_t word_size = kernel->word_size;
    const size_t padded = (len + kernel->step - 1) / kernel->step * kernel->step;
    const int whole = piece->elem_size == word_size && len == padded;
    const int read_in_place = whole && (kernel->pack || piece->n_terms <= BLOCKS_IN_PLACE);
    const int write_in_place = whole && !piece->adds;
    _Alignas(64) unsigned char copy[BLOCKS_COPY_BYTES];
    _Alignas(64) unsigned char tile[BLOCKS_TILE_BYTES];
    _Alignas(64) unsigned char sums[BLOCKS_ROWS][BLOCKS_STRETCH_BYTES];
    unsigned char narrow[BLOCKS_STRETCH_BYTES];
    const void *in[BLOCKS_TERMS];
    const void *table = piece->table;

    for (size_t c = 0; c < piece->n_terms; c++) {
        unsigned char *words = copy + c * padded * word_size;

        in[c] = blocks_at(piece->in[c], first, piece->elem_size);
        if (!read_in_place) {
            blocks_widen(words, word_size, in[c], piece->elem_size, len);
            memset(words + len * word_size, 0, (padded - len) * word_size);
            in[c] = words;
        }
    }
    if (kernel->pack) {
        kernel->pack(piece->ctx, tile, in, piece->n_terms, padded);
        in[0] = tile;
    }
    for (size_t r = 0, rows; r < piece->n_rows; r += rows) {
        void *target[BLOCKS_ROWS], *out[BLOCKS_ROWS];

        rows = rows_next(piece->n_rows - r, kernel->rows);
        for (size_t i = 0; i < rows; i++) {
            target[i] = (unsigned char *)piece->out[r + i] + first * piece->elem_size;
            out[i] = write_in_place ? target[i] : sums[i];
        }
        kernel->apply(piece->ctx, out, rows, in, piece->n_terms, table, padded);
        table = blocks_at(table, rows * blocks_entries(kernel, piece->n_terms), kernel->entry_size);
        if (write_in_place)
            continue;
        for (size_t i = 0; i < rows; i++) {
            void *elems = piece->adds ? narrow : target[i];

            blocks_narrow(elems, piece->elem_size, sums[i], word_size, len);
            if (piece->adds)
                field_add(piece->ctx, target[i], target[i], elems, len);
        }
    }
}

static inline void blocks_vectors(const struct blocks_piece *piece, size_t n)
{
    const struct blocks_kernel *kernel = piece->kernel;
    size_t bytes = BLOCKS_COPY_BYTES / piece->n_terms;
    size_t most;

    if (kernel->pack)
        bytes = BLOCKS_TILE_BYTES / (2 * kernel->terms * blocks_entries(kernel, piece->n_terms)) *
                kernel->word_size;
    if (bytes > BLOCKS_STRETCH_BYTES)
        bytes = BLOCKS_STRETCH_BYTES;
    most = bytes / kernel->word_size / kernel->step * kernel->step;
    for (size_t first = 0, len; first < n; first += len) {
        len = n - first < most ? n - first : most;
        if (len > kernel->step)
            len -= len % kernel->step; /* the tail is a separate stretch of at most one step */
        blocks_stretch(piece, first, len);
    }
}

/* Prepares the rows of the piece, whose first entry is matrix[0], of a matrix with n_in columns. */
static inline void blocks_prepare(const struct blocks_piece *piece, const void *matrix, size_t n_in,
                                  unsigned char *table)
{
    const struct blocks_kernel *kernel = piece->kernel;

    for (size_t r = 0, rows; r < piece->n_rows; r += rows) {
        rows = rows_next(piece->n_rows - r, kernel->rows);
        for (size_t c = 0; c < piece->n_terms; c += kernel->terms) {
            for (size_t i = 0; i < rows; i++) {
                uint64_t m[4] = { 0 };

                for (size_t t = 0; t < kernel->terms && c + t < piece->n_terms; t++)
                    m[t] = hagg_load(matrix, (r + i) * n_in + c + t, piece->elem_size);
                kernel->prepare(piece->ctx, table, m);
                table += kernel->entry_size;
            }
        }
    }
}

/* mat_apply of hagg/plugin.h. */
static inline void blocks_mat_apply(const struct blocks_kernel *kernel, const void *ctx,
                                    size_t elem_size, void *const *out, size_t n_out,
                                    const void *const *in, size_t n_in, const void *matrix,
                                    size_t n)
{
    _Alignas(64) unsigned char table[BLOCKS_TABLE_BYTES];
    struct blocks_piece piece = {
        .kernel = kernel, .ctx = ctx, .elem_size = elem_size, .table = table
    };

    if (n == 0)
        return;
    if (n_in == 0)
        for (size_t r = 0; r < n_out; r++)
            memset(out[r], 0, n * elem_size);
    for (size_t c = 0; c < n_in; c += piece.n_terms) {
        size_t most;

        piece.n_terms = n_in - c < BLOCKS_TERMS ? n_in - c : BLOCKS_TERMS;
        piece.in = in + c;
        piece.adds = c > 0;
        most = BLOCKS_TABLE_BYTES / (blocks_entries(kernel, piece.n_terms) * kernel->entry_size);
        for (size_t r = 0; r < n_out; r += piece.n_rows) {
            piece.n_rows = n_out - r < most ? n_out - r : most;
            piece.out = out + r;
            blocks_prepare(&piece, blocks_at(matrix, r * n_in + c, elem_size), n_in, table);
            blocks_vectors(&piece, n);
        }
    }
}

/* scale_add of hagg/plugin.h. The preparation pays off unless the vectors are short. */
static inline void blocks_scale_add(const struct blocks_kernel *kernel, const void *ctx,
                                    size_t elem_size, void *out, const void *c, const void *a,
                                    size_t n)
{
    _Alignas(64) unsigned char table[64];
    struct blocks_piece piece = { .kernel = kernel,
                                  .ctx = ctx,
                                  .elem_size = elem_size,
                                  .out = &out,
                                  .n_rows = 1,
                                  .in = &a,
                                  .n_terms = 1,
                                  .table = table,
                                  .adds = 1 };

    blocks_prepare(&piece, c, 1, table);
    blocks_vectors(&piece, n);
}

#endif
