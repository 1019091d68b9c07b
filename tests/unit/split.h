/*
 * split.h - shares of random parts, collected and decoded, in the field that a test sets.
 */
#ifndef HAGG_UNIT_SPLIT_H
#define HAGG_UNIT_SPLIT_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reference.h"
#include "sharing/sharing.h"

static const struct reference *ref;
static struct field *field;
static uint64_t state = 5;

/* Collects the rows of all shares. */
struct collector {
    struct sharing_sink sink;
    unsigned char *rows;
    size_t n_rows, part_length, at;
    size_t n_calls, fail_at; /* fail_at is 0 for never */
};

static inline int take(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err)
{
    struct collector *c = (struct collector *)sink;
    size_t size = field_elem_size(field);

    if (++c->n_calls == c->fail_at)
        return err_set(err, HAGG_E_SYSTEM, "the sink is full");
    for (size_t r = 0; r < c->n_rows; r++)
        memcpy(c->rows + (r * c->part_length + c->at) * size, rows[r], n * size);
    c->at += n;
    return 0;
}

static inline struct random *seeded(unsigned char first)
{
    unsigned char seed[RANDOM_SEED_BYTES] = { first };
    struct hagg_err err = { 0 };
    struct random *r = random_seeded(seed, &err);

    CHECK(r != NULL);
    return r;
}

static inline void *random_parts(size_t n)
{
    unsigned char *parts = calloc(n + 1, field_elem_size(field));

    for (size_t i = 0; i < n; i++)
        hagg_store(parts, i, field_elem_size(field), reference_elem(ref, &state));
    return parts;
}

/* Returns the number of parts that the first k shares do not decode in a column. The column is
 * column `at` of rows of n_columns elements. */
static inline size_t wrong_parts(const struct sharing *s, const unsigned char *rows,
                                 size_t n_columns, size_t at, const unsigned char *parts,
                                 size_t part_length, size_t column)
{
    size_t size = field_elem_size(field), wrong = 0;
    uint32_t holders[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    struct hagg_err err = { 0 };
    struct matrix inverse;

    CHECK(sharing_inverse(s, holders, &inverse, &err) == 0);
    for (size_t r = 0; r < s->shape.parts; r++) {
        uint64_t sum = 0;

        for (uint32_t i = 0; i < s->k; i++)
            sum = reference_add(ref, sum,
                                reference_mul(ref, hagg_load(matrix_at(&inverse, r, i), 0, size),
                                              hagg_load(rows, i * n_columns + at, size)));
        wrong += sum != hagg_load(parts, r * part_length + column, size);
    }
    matrix_free(&inverse);
    return wrong;
}

#endif
