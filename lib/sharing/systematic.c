#include "sharing/systematic.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/lagrange.h"

static const unsigned char zero[8];

/* Everything is listed by row of the matrix. */
struct change {
    struct matrix *m;
    const struct field *f;
    size_t parts, randoms, symbols;
    const unsigned char *points;
    uint32_t *drawn;
    bool *is_drawn;
};

static bool is_zero(const void *elem, size_t size)
{
    return memcmp(elem, zero, size) == 0;
}

/* out -= factor * in, for n elements */
static void subtract(const struct field *f, void *out, const void *factor, const void *in, size_t n)
{
    unsigned char minus[8];

    field_sub(f, minus, zero, factor, 1);
    field_scale_add(f, out, minus, in, n);
}

/* Lists all rows in the order in which they are tried. */
static void list_rows(const struct change *c, const bool *draw, uint32_t *rows)
{
    size_t n = 0;

    for (int preferred = 1; preferred >= 0; preferred--)
        for (size_t row = 0; row < c->m->rows; row++)
            if ((draw && draw[row / c->symbols]) == (preferred == 1))
                rows[n++] = (uint32_t)row;
}

/* Work for the elimination: row i is [B_D | -A_D | 1], its first columns in reduced echelon form.
 * columns has the column of the pivot of each row. */
struct work {
    struct matrix w;
    size_t *columns;
    unsigned char *scratch;
};

/* Puts a row of the matrix into row `at` and makes it zero at the pivots of the rows before. */
static void put_row(const struct change *c, struct work *k, size_t at, uint32_t row)
{
    size_t size = k->w.elem_size;
    unsigned char *to = matrix_at(&k->w, at, 0), one[8] = { 0 }, factor[8];

    memset(to, 0, k->w.cols * size);
    memcpy(to, matrix_at(c->m, row, c->parts), c->randoms * size);
    field_sub(c->f, to + c->randoms * size, to + c->randoms * size, matrix_at(c->m, row, 0),
              c->parts);
    hagg_store(one, 0, size, 1);
    memcpy(to + (c->randoms + c->parts + at) * size, one, size);
    for (size_t i = 0; i < at; i++) {
        memcpy(factor, to + k->columns[i] * size, size);
        if (!is_zero(factor, size))
            subtract(c->f, to, factor, matrix_at(&k->w, i, 0), k->w.cols);
    }
}

/* Makes row `at` one at its pivot, and the rows before zero there. Returns false if the row has no
 * pivot: then it depends on the rows before. */
static bool use_pivot(const struct change *c, struct work *k, size_t at)
{
    size_t size = k->w.elem_size, column = 0;
    unsigned char *row = matrix_at(&k->w, at, 0), factor[8];

    while (column < c->randoms && is_zero(row + column * size, size))
        column++;
    if (column == c->randoms)
        return false;
    field_inv(c->f, factor, row + column * size);
    memset(k->scratch, 0, k->w.cols * size);
    field_scale_add(c->f, k->scratch, factor, row, k->w.cols);
    memcpy(row, k->scratch, k->w.cols * size);
    for (size_t i = 0; i < at; i++) {
        memcpy(factor, matrix_at(&k->w, i, column), size);
        if (!is_zero(factor, size))
            subtract(c->f, matrix_at(&k->w, i, 0), factor, row, k->w.cols);
    }
    k->columns[at] = column;
    return true;
}

/* Computes the other rows, and makes the drawn ones unit vectors. Row i of the work is now row
 * columns[i] of [1 | -B_D^-1 A_D | B_D^-1]; a row [a | b] becomes [a | 0] plus b times it. */
static int compute_rows(const struct change *c, const struct work *k, struct hagg_err *err)
{
    size_t size = k->w.elem_size, n_computed = c->m->rows - c->randoms, n = 0;
    struct matrix factors = { 0 }, product = { 0 };
    const void **from = calloc(c->randoms, sizeof *from);
    void **to = calloc(n_computed + 1, sizeof *to);
    int status = -1;

    if (!from || !to)
        err_errno(err, "no memory for a sharing");
    else if (matrix_new(&factors, c->f, n_computed, c->randoms, err) == 0 &&
             matrix_new(&product, c->f, n_computed, c->m->cols, err) == 0)
        status = 0;
    for (size_t i = 0; i < c->randoms && status == 0; i++)
        from[k->columns[i]] = matrix_at(&k->w, i, c->randoms);
    for (size_t row = 0; row < c->m->rows && status == 0; row++) {
        unsigned char *randoms = matrix_at(c->m, row, c->parts);

        if (!c->is_drawn[row]) {
            memcpy(matrix_at(&factors, n, 0), randoms, c->randoms * size);
            to[n] = matrix_at(&product, n, 0);
            n++;
        }
        memset(randoms, 0, c->randoms * size);
    }
    if (n > 0)
        field_mat_apply(c->f, to, n, from, c->randoms, factors.elems, c->m->cols);
    for (size_t row = 0, i = 0; row < c->m->rows && status == 0; row++)
        if (!c->is_drawn[row])
            field_add(c->f, matrix_at(c->m, row, 0), matrix_at(c->m, row, 0), to[i++], c->m->cols);
    matrix_free(&factors);
    matrix_free(&product);
    free(from);
    free(to);
    return status;
}

/* Returns 1 if the matrix was changed, 0 if no rows determine all random vectors. */
static int change_any(struct change *c, const uint32_t *rows, struct hagg_err *err)
{
    struct work k = { .columns = calloc(c->randoms, sizeof *k.columns) };
    size_t n = 0;
    int status = -1;

    if (!k.columns)
        err_errno(err, "no memory for a sharing");
    else if (matrix_new(&k.w, c->f, c->randoms, c->m->cols + c->randoms, err) == 0) {
        k.scratch = malloc(k.w.cols * k.w.elem_size);
        status = k.scratch ? 0 : err_errno(err, "no memory for a sharing");
    }
    for (size_t i = 0; i < c->m->rows && n < c->randoms && status == 0; i++) {
        put_row(c, &k, n, rows[i]);
        if (use_pivot(c, &k, n)) {
            c->drawn[n++] = rows[i];
            c->is_drawn[rows[i]] = true;
        }
    }
    if (status == 0 && n == c->randoms)
        status = compute_rows(c, &k, err) ? -1 : 1;
    matrix_free(&k.w);
    free(k.columns);
    free(k.scratch);
    return status;
}

/* The same for rows that are the powers of points, in fewer steps. The columns of the random
 * vectors are x^v .. x^(v + z - 1). Let M(x) be the product of x - p over the points p that are
 * drawn. With all drawn symbols zero, part j is the polynomial with x^j and no other power below
 * x^v that is zero at these points: M(x) times 1 / M(x) as a power series, times x^j, up to x^(v -
 * 1). With all parts zero, a drawn symbol is x^v times a polynomial of Lagrange. */
struct powers {
    struct lagrange through; /* the points that are drawn */
    unsigned char *inverses; /* of these, and later of their powers p^v */
    unsigned char *series;   /* 1 / M(x) up to x^(v - 1) */
    unsigned char *row;      /* scratch */
};

/* Chooses the first rows whose point is not zero; at zero, the random vectors do not count. Returns
 * false if there are too few. */
static bool choose_points(const struct change *c, const uint32_t *rows, unsigned char *points)
{
    size_t size = c->m->elem_size, n = 0;

    for (size_t i = 0; i < c->m->rows && n < c->randoms; i++) {
        const unsigned char *point = c->points + rows[i] * size;

        if (is_zero(point, size))
            continue;
        memcpy(points + n * size, point, size);
        c->drawn[n++] = rows[i];
    }
    return n == c->randoms;
}

/* Divides the series by x - p for each point p. */
static void divide_series(const struct change *c, struct powers *w)
{
    size_t size = c->m->elem_size;

    hagg_store(w->series, 0, size, 1);
    for (size_t i = 0; i < c->randoms; i++) {
        unsigned char before[8] = { 0 };

        for (size_t j = 0; j < c->parts; j++) {
            field_sub(c->f, before, before, w->series + j * size, 1);
            field_mul(c->f, before, before, w->inverses + i * size);
            memcpy(w->series + j * size, before, size);
        }
    }
}

static void compute_powers(const struct change *c, const struct powers *w, size_t row)
{
    const unsigned char *x = c->points + row * c->m->elem_size;
    size_t size = c->m->elem_size;
    unsigned char product[8] = { 0 }, sum[8] = { 0 }, power[8] = { 0 }, difference[8];

    lagrange_row(&w->through, x, w->row);
    for (size_t i = 0; i < c->randoms; i++) {
        field_mul(c->f, w->row + i * size, w->row + i * size, matrix_at(c->m, row, c->parts));
        field_mul(c->f, w->row + i * size, w->row + i * size, w->inverses + i * size);
    }
    memcpy(matrix_at(c->m, row, c->parts), w->row, c->randoms * size);
    hagg_store(product, 0, size, 1);
    for (size_t i = 0; i < c->randoms; i++) {
        field_sub(c->f, difference, x, w->through.points + i * size, 1);
        field_mul(c->f, product, product, difference);
    }
    hagg_store(power, 0, size, 1);
    for (size_t i = 0; i < c->parts; i++) {
        unsigned char *to = matrix_at(c->m, row, c->parts - 1 - i), factor[8];

        field_scale_add(c->f, sum, power, w->series + i * size, 1);
        field_mul(c->f, power, power, x);
        field_mul(c->f, factor, product, sum);
        field_mul(c->f, to, to, factor);
    }
}

/* Answers are those of change_any. */
static int change_powers(struct change *c, const uint32_t *rows, struct hagg_err *err)
{
    size_t size = c->m->elem_size;
    struct powers w = {
        .inverses = calloc(c->randoms, size),
        .series = calloc(c->parts, size),
        .row = calloc(c->randoms, size),
    };
    int status = 0;

    if (!w.inverses || !w.series || !w.row)
        status = err_errno(err, "no memory for a sharing");
    else if (choose_points(c, rows, w.inverses))
        status = lagrange_new(&w.through, c->f, w.inverses, c->randoms, err) ? -1 : 1;
    if (status == 1) {
        field_inv_all(c->f, w.inverses, c->randoms, w.row);
        divide_series(c, &w);
        for (size_t i = 0; i < c->randoms; i++) {
            unsigned char *inverse = w.inverses + i * size, power[8] = { 0 };

            c->is_drawn[c->drawn[i]] = true;
            hagg_store(power, 0, size, 1);
            for (size_t j = 0; j < c->parts; j++)
                field_mul(c->f, power, power, inverse);
            memcpy(inverse, power, size);
        }
        for (size_t row = 0; row < c->m->rows; row++)
            if (!c->is_drawn[row])
                compute_powers(c, &w, row);
    }
    lagrange_free(&w.through);
    free(w.inverses);
    free(w.series);
    free(w.row);
    return status;
}

static void set_units(const struct change *c)
{
    for (size_t i = 0; i < c->randoms; i++) {
        size_t size = c->m->elem_size;

        memset(matrix_at(c->m, c->drawn[i], 0), 0, c->m->cols * size);
        hagg_store(matrix_at(c->m, c->drawn[i], c->parts + i), 0, size, 1);
    }
}

int systematic_change(struct matrix *m, const struct field *f,
                      const struct hagg_scheme_shape *shape, const void *points, const bool *draw,
                      uint32_t **drawn, struct hagg_err *err)
{
    struct change c = {
        .m = m,
        .f = f,
        .parts = shape->parts,
        .randoms = shape->randoms,
        .symbols = shape->symbols,
        .points = points,
    };
    uint32_t *rows = NULL;
    int changed = -1;

    *drawn = NULL;
    if (c.randoms == 0 || c.randoms > m->rows)
        return 0;
    rows = calloc(m->rows, sizeof *rows);
    c.drawn = calloc(c.randoms, sizeof *c.drawn);
    c.is_drawn = calloc(m->rows, sizeof *c.is_drawn);
    if (rows && c.drawn && c.is_drawn) {
        list_rows(&c, draw, rows);
        changed = points ? change_powers(&c, rows, err) : change_any(&c, rows, err);
    } else
        err_errno(err, "no memory for a sharing");
    if (changed == 1) {
        set_units(&c);
        *drawn = c.drawn;
        c.drawn = NULL;
    }
    free(rows);
    free(c.drawn);
    free(c.is_drawn);
    return changed < 0 ? -1 : 0;
}
