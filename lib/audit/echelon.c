#include "audit/echelon.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const unsigned char zero[8];

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for the linear system of a plan");
}

int echelon_init(struct echelon *e, const struct field *field, size_t n_cols, struct hagg_err *err)
{
    *e = (struct echelon){ .field = field, .n_cols = n_cols };
    e->rows = calloc(n_cols + 1, sizeof *e->rows);
    return e->rows ? 0 : no_memory(err);
}

static void row_free(struct echelon_row *r)
{
    if (r)
        free(r->cols);
    free(r);
}

void echelon_free(struct echelon *e)
{
    for (size_t i = 0; e->rows && i < e->n_cols; i++)
        row_free(e->rows[i]);
    free(e->rows);
    free(e->cols);
    free(e->factors);
    *e = (struct echelon){ 0 };
}

/* One allocation for the row, its columns and its factors. */
static struct echelon_row *row_new(const struct echelon *e, size_t n)
{
    struct echelon_row *r = calloc(1, sizeof *r);
    size_t size = field_elem_size(e->field);

    if (!r || !(r->cols = calloc(n + 1, sizeof *r->cols + size))) {
        free(r);
        return NULL;
    }
    r->n = n;
    r->factors = (unsigned char *)(r->cols + n);
    return r;
}

void echelon_term(struct echelon *e, size_t col, const void *factor)
{
    size_t size = field_elem_size(e->field), capacity = e->capacity;

    /* both arrays have the same capacity, which is updated after both have grown */
    if (ARRAY_RESERVE(e->cols, e->n + 1, capacity) ||
        array_reserve(&e->factors, e->n + 1, &e->capacity, size)) {
        e->failed = true;
        return;
    }
    e->cols[e->n] = (uint32_t)col;
    memcpy(e->factors + e->n * size, factor, size);
    e->n++;
}

struct place {
    uint32_t col;
    size_t at;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return x->col != y->col ? (x->col > y->col) - (x->col < y->col)
                            : (x->at > y->at) - (x->at < y->at);
}

static void drop_zeros(const struct echelon *e, struct echelon_row *r)
{
    size_t size = field_elem_size(e->field), n = 0;

    for (size_t i = 0; i < r->n; i++) {
        uint64_t factor = hagg_load(r->factors, i, size);

        if (factor == 0)
            continue;
        r->cols[n] = r->cols[i];
        hagg_store(r->factors, n++, size, factor);
    }
    r->n = n;
}

/* Makes a row of the terms added: ascending, each column once. */
static struct echelon_row *gather(const struct echelon *e)
{
    struct place *places = calloc(e->n + 1, sizeof *places);
    struct echelon_row *r = row_new(e, e->n);
    size_t size = field_elem_size(e->field), n = 0;

    if (!places || !r) {
        free(places);
        row_free(r);
        return NULL;
    }
    for (size_t i = 0; i < e->n; i++)
        places[i] = (struct place){ e->cols[i], i };
    qsort(places, e->n, sizeof *places, compare_places);
    for (size_t i = 0; i < e->n; i++) {
        const unsigned char *factor = e->factors + places[i].at * size;

        if (n > 0 && r->cols[n - 1] == places[i].col) {
            field_add(e->field, r->factors + (n - 1) * size, r->factors + (n - 1) * size, factor,
                      1);
            continue;
        }
        r->cols[n] = places[i].col;
        memcpy(r->factors + n * size, factor, size);
        n++;
    }
    r->n = n;
    drop_zeros(e, r);
    free(places);
    return r;
}

/* A new row: a minus b times the factor of a at index place. b begins at that column with factor 1.
 * The columns of both are merged first, so that the field operation applies to whole vectors. */
static struct echelon_row *subtract(const struct echelon *e, const struct echelon_row *a,
                                    size_t place, const struct echelon_row *b)
{
    size_t size = field_elem_size(e->field), i = 0, j = 0, n = 0;
    struct echelon_row *r = row_new(e, a->n + b->n);
    unsigned char *other = calloc(a->n + b->n + 1, size), minus[8];

    if (!r || !other) {
        row_free(r);
        free(other);
        return NULL;
    }
    field_sub(e->field, minus, zero, a->factors + place * size, 1);
    while (i < a->n || j < b->n) {
        uint32_t col = j >= b->n || (i < a->n && a->cols[i] < b->cols[j]) ? a->cols[i] : b->cols[j];

        r->cols[n] = col;
        if (i < a->n && a->cols[i] == col)
            hagg_store(r->factors, n, size, hagg_load(a->factors, i++, size));
        if (j < b->n && b->cols[j] == col)
            hagg_store(other, n, size, hagg_load(b->factors, j++, size));
        n++;
    }
    r->n = n;
    field_scale_add(e->field, r->factors, minus, other, n);
    drop_zeros(e, r);
    free(other);
    return r;
}

/* Makes the first factor 1. */
static int normalize(const struct echelon *e, struct echelon_row *r)
{
    size_t size = field_elem_size(e->field);
    unsigned char inverse[8], *scaled = calloc(r->n + 1, size);

    if (!scaled)
        return -1;
    field_inv(e->field, inverse, r->factors);
    field_scale_add(e->field, scaled, inverse, r->factors, r->n);
    memcpy(r->factors, scaled, r->n * size);
    free(scaled);
    return 0;
}

int echelon_add_row(struct echelon *e, bool *independent, struct hagg_err *err)
{
    struct echelon_row *r = e->failed ? NULL : gather(e), *next;

    e->n = 0;
    if (independent)
        *independent = false;
    while (r && r->n > 0 && e->rows[r->cols[0]]) {
        next = subtract(e, r, 0, e->rows[r->cols[0]]);
        row_free(r);
        r = next;
    }
    if (r && r->n == 0) {
        row_free(r);
        return 0;
    }
    if (!r || normalize(e, r)) {
        row_free(r);
        return no_memory(err);
    }
    e->rows[r->cols[0]] = r;
    e->rank++;
    if (independent)
        *independent = true;
    return 0;
}

size_t echelon_rank_from(const struct echelon *e, size_t col)
{
    size_t n = 0;

    for (size_t i = col; i < e->n_cols; i++)
        n += e->rows[i] != NULL;
    return n;
}

int echelon_reduce(struct echelon *e, size_t from, struct hagg_err *err)
{
    /* last rows first, so that a subtraction does not add a column that was eliminated */
    for (size_t i = e->n_cols; i-- > from;) {
        if (!e->rows[i])
            continue;
        for (size_t place = 1; place < e->rows[i]->n;) {
            uint32_t col = e->rows[i]->cols[place];
            struct echelon_row *next;

            if (!e->rows[col]) {
                place++;
                continue;
            }
            next = subtract(e, e->rows[i], place, e->rows[col]);
            if (!next)
                return no_memory(err);
            row_free(e->rows[i]);
            e->rows[i] = next;
        }
    }
    return 0;
}
