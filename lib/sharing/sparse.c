#include "sharing/sparse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_zero(const struct matrix *m, size_t row, size_t col)
{
    static const unsigned char zero[8];

    return memcmp(matrix_at(m, row, col), zero, m->elem_size) == 0;
}

/* Rows that are zero in the same columns have the same hash. */
static uint64_t hash_row(const struct matrix *m, size_t row)
{
    uint64_t hash = 0;

    for (size_t col = 0; col < m->cols; col++)
        hash = (hash + is_zero(m, row, col)) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    return hash;
}

static bool is_alike(const struct matrix *m, const uint64_t *hashes, size_t a, size_t b)
{
    if (hashes[a] != hashes[b])
        return false;
    for (size_t col = 0; col < m->cols; col++)
        if (is_zero(m, a, col) != is_zero(m, b, col))
            return false;
    return true;
}

static int group_new(struct sparse_group *g, const struct field *f, const struct matrix *m,
                     const size_t *rows, size_t n_rows, struct hagg_err *err)
{
    size_t n_cols = 0;

    *g = (struct sparse_group){
        .rows = calloc(n_rows, sizeof *g->rows),
        .cols = calloc(m->cols + 1, sizeof *g->cols),
    };
    if (!g->rows || !g->cols)
        return err_errno(err, "no memory for a matrix");
    memcpy(g->rows, rows, n_rows * sizeof *rows);
    for (size_t col = 0; col < m->cols; col++)
        if (!is_zero(m, rows[0], col))
            g->cols[n_cols++] = col;
    if (matrix_new(&g->entries, f, n_rows, n_cols, err))
        return -1;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_cols; j++)
            memcpy(matrix_at(&g->entries, i, j), matrix_at(m, rows[i], g->cols[j]), m->elem_size);
    return 0;
}

int sparse_new(struct sparse *s, const struct field *f, const struct matrix *m,
               struct hagg_err *err)
{
    bool *done = calloc(m->rows + 1, sizeof *done);
    size_t *rows = calloc(m->rows + 1, sizeof *rows);
    uint64_t *hashes = calloc(m->rows + 1, sizeof *hashes);
    int status = 0;

    *s = (struct sparse){
        .groups = calloc(m->rows + 1, sizeof *s->groups),
        .n_rows = m->rows,
        .n_cols = m->cols,
    };
    if (!done || !rows || !hashes || !s->groups)
        status = err_errno(err, "no memory for a matrix");
    for (size_t row = 0; row < m->rows && status == 0; row++)
        hashes[row] = hash_row(m, row);
    for (size_t first = 0; first < m->rows && status == 0; first++) {
        size_t n = 0;

        for (size_t row = first; row < m->rows && !done[first]; row++)
            if (!done[row] && is_alike(m, hashes, first, row))
                rows[n++] = row;
        for (size_t i = 0; i < n; i++)
            done[rows[i]] = true;
        if (n > 0)
            status = group_new(&s->groups[s->n_groups++], f, m, rows, n, err);
    }
    free(done);
    free(rows);
    free(hashes);
    if (status)
        sparse_free(s);
    return status;
}

void sparse_free(struct sparse *s)
{
    for (size_t i = 0; i < s->n_groups; i++) {
        free(s->groups[i].rows);
        free(s->groups[i].cols);
        matrix_free(&s->groups[i].entries);
    }
    free(s->groups);
    *s = (struct sparse){ 0 };
}

void sparse_apply(const struct sparse *s, const struct field *f, void *const *out,
                  const void *const *in, size_t n, const void **from, void **to)
{
    for (size_t i = 0; i < s->n_groups; i++) {
        const struct sparse_group *g = &s->groups[i];

        for (size_t j = 0; j < g->entries.cols; j++)
            from[j] = in[g->cols[j]];
        for (size_t j = 0; j < g->entries.rows; j++)
            to[j] = out[g->rows[j]];
        matrix_apply(&g->entries, f, to, from, n);
    }
}
