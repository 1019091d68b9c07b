#include "sharing/combine.h"

#include <stdlib.h>
#include <string.h>

/* The first k shares that are not left out. */
static int choose_basis(const struct sharing *s, const bool *left_out, uint32_t *basis,
                        struct hagg_err *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n && n < s->k; i++)
        if (!left_out[i])
            basis[n++] = i;
    if (n < s->k)
        return err_set(err, HAGG_E_TOO_FEW, "only %u of the shares are left, but %u are needed", n,
                       s->k);
    return 0;
}

/* Returns the first column of a share in a row of the matrix. */
static void *cell(const struct combine *c, const struct sharing *s, size_t row, uint32_t share)
{
    return matrix_at(&c->matrix, row, (size_t)share * s->shape.symbols);
}

/* Copies a row over the basis shares into a row over all shares. */
static void spread(struct combine *c, const struct sharing *s, size_t row, const uint32_t *basis,
                   const unsigned char *over_basis)
{
    size_t len_bytes = s->shape.symbols * c->matrix.elem_size;

    for (uint32_t i = 0; i < s->k; i++)
        memcpy(cell(c, s, row, basis[i]), over_basis + i * len_bytes, len_bytes);
}

/* Adds a row for each symbol of a surplus share: its value predicted from the basis, minus its
 * value. */
static int add_check(struct combine *c, const struct sharing *s, const uint32_t *basis,
                     uint32_t share, const struct matrix *inverse, struct hagg_err *err)
{
    static const unsigned char zero[8];
    unsigned char one[8] = { 0 };
    struct matrix rows, predicted;
    int status;

    hagg_store(one, 0, c->matrix.elem_size, 1);
    if (matrix_new(&rows, s->field, s->shape.symbols, s->matrix.cols, err))
        return -1;
    memcpy(rows.elems, matrix_at(&s->matrix, (size_t)share * s->shape.symbols, 0),
           rows.rows * rows.cols * rows.elem_size);
    status = matrix_multiply(&predicted, s->field, &rows, inverse, err);
    matrix_free(&rows);
    if (status)
        return -1;
    for (uint32_t j = 0; j < s->shape.symbols; j++) {
        size_t row = c->n_parts + c->n_surplus++;
        unsigned char *own = matrix_at(&c->matrix, row, (size_t)share * s->shape.symbols + j);

        spread(c, s, row, basis, matrix_at(&predicted, j, 0));
        field_sub(s->field, own, zero, one, 1);
    }
    matrix_free(&predicted);
    return 0;
}

static bool is_in(const uint32_t *basis, uint32_t k, uint32_t share)
{
    for (uint32_t i = 0; i < k; i++)
        if (basis[i] == share)
            return true;
    return false;
}

int combine_new(struct combine *c, const struct sharing *s, const bool *left_out,
                struct hagg_err *err)
{
    uint32_t *basis = calloc(s->k, sizeof *basis);
    size_t symbols = s->shape.symbols, n_rows = s->shape.parts;
    struct matrix inverse = { 0 };
    int status = -1;

    *c = (struct combine){ .n_parts = s->shape.parts };
    if (!basis)
        return err_errno(err, "no memory to decode %u shares", s->n);
    if (choose_basis(s, left_out, basis, err) || sharing_inverse(s, basis, &inverse, err))
        goto out;
    for (uint32_t i = 0; i < s->n; i++)
        n_rows += left_out[i] || is_in(basis, s->k, i) ? 0 : symbols;
    if (matrix_new(&c->matrix, s->field, n_rows, s->n * symbols, err))
        goto out;
    for (size_t row = 0; row < c->n_parts; row++)
        spread(c, s, row, basis, matrix_at(&inverse, row, 0));
    status = 0;
    for (uint32_t i = 0; i < s->n && status == 0; i++)
        if (!left_out[i] && !is_in(basis, s->k, i))
            status = add_check(c, s, basis, i, &inverse, err);
out:
    if (status)
        combine_free(c);
    matrix_free(&inverse);
    free(basis);
    return status;
}

void combine_free(struct combine *c)
{
    matrix_free(&c->matrix);
}
