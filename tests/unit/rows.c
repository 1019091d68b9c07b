/* Rows of a payload: every request returns the right elements, whatever the room, and reads are as
 * large as there is room. */
#include "records/rows.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"

/* A payload whose element i has the value i. */
struct source {
    uint32_t at;
    size_t n_calls, largest;
    size_t fail_at; /* call that fails, from 1; 0 for none */
};

static int count_up(void *source, void *to, size_t n_elems, struct hagg_err *err)
{
    struct source *s = source;

    if (++s->n_calls == s->fail_at)
        return err_set(err, HAGG_E_SYSTEM, "the source has failed");
    if (s->largest < n_elems)
        s->largest = n_elems;
    for (size_t i = 0; i < n_elems; i++, s->at++)
        memcpy((unsigned char *)to + i * sizeof s->at, &s->at, sizeof s->at);
    return 0;
}

/* Returns true if the n elements count up from first. */
static bool counts(const void *elems, uint32_t first, size_t n)
{
    for (size_t i = 0; elems && i < n; i++) {
        uint32_t value;

        memcpy(&value, (const unsigned char *)elems + i * sizeof value, sizeof value);
        if (value != first + i)
            return false;
    }
    return elems != NULL;
}

/* Requests all rows, in pieces, and each of them `uses` times if rows are kept. */
static bool passes_on(struct rows *r, size_t uses, struct hagg_err *err)
{
    const struct rows_shape *s = &r->shape;

    for (uint32_t row = 0; row < s->n_rows; row++)
        for (size_t use = 0; use < uses; use++)
            for (size_t column = 0; column < s->row_elems; column += s->piece_elems) {
                size_t left = s->row_elems - column;
                size_t n = left < s->piece_elems ? left : s->piece_elems;

                if (!counts(rows_at(r, use == 0, column, n, err),
                            (uint32_t)(row * s->row_elems + column), n))
                    return false;
            }
    return true;
}

static void try(const struct rows_shape *shape, size_t max_elems, size_t uses)
{
    struct source source = { 0 };
    struct hagg_err err = { 0 };
    size_t least = shape->keeps || shape->row_elems < shape->piece_elems ? shape->row_elems
                                                                         : shape->piece_elems;
    uint64_t n_elems = shape->n_rows * shape->row_elems;
    struct rows r;

    CHECK(rows_new(&r, shape, max_elems * 4, count_up, &source, &err) == 0);
    CHECK(passes_on(&r, uses, &err) && source.at == n_elems);
    CHECK(source.largest <= max_elems || source.largest == least);
    if (shape->row_elems <= max_elems) {
        size_t at_once = max_elems / shape->row_elems;

        CHECK(source.n_calls == (shape->n_rows + at_once - 1) / at_once);
    }
    rows_free(&r);
    rows_free(&r);
}

static void passes_rows_on(void)
{
    for (size_t row = 1; row < 14; row++)
        for (size_t n_rows = 1; n_rows < 7; n_rows++)
            for (size_t piece = 1; piece < 16; piece += 3)
                for (size_t max = 0; max < 40; max += 3) {
                    struct rows_shape shape = { 4, row, n_rows, piece, false };

                    try(&shape, max, 1);
                    shape.keeps = true;
                    try(&shape, max, 1);
                    try(&shape, max, 3);
                }
}

/* An empty row is read too, because this verifies the digest of an empty record. */
static void reads_empty_rows(void)
{
    const struct rows_shape shape = { 4, 0, 3, 1, false };
    struct source source = { 0 };
    struct hagg_err err = { 0 };
    struct rows r;

    CHECK(rows_new(&r, &shape, 100, count_up, &source, &err) == 0);
    for (size_t i = 0; i < 3; i++)
        CHECK(rows_at(&r, true, 0, 0, &err) != NULL && source.n_calls == i + 1);
    rows_free(&r);
}

static void reports_failures(void)
{
    const struct rows_shape shape = { 4, 10, 3, 4, false };
    struct hagg_err err = { 0 };
    struct rows r;

    for (size_t max = 4; max <= 20; max += 16) {
        struct source source = { .fail_at = 2 };

        CHECK(rows_new(&r, &shape, 4 * max, count_up, &source, &err) == 0);
        CHECK(!passes_on(&r, 1, &err));
        CHECK_STR(err.text, "the source has failed");
        rows_free(&r);
    }
    alloc_refuse(0);
    CHECK(rows_new(&r, &shape, 40, count_up, NULL, &err) == -1 && alloc_refused());
    CHECK_STR(err.text, "no memory for a row of 10 elements: Cannot allocate memory");
    rows_free(&r);
}

static void wipes_rows(void)
{
    const struct rows_shape shape = { 4, 10, 3, 10, true };
    struct source source = { .at = 1 };
    struct hagg_err err = { 0 };
    struct rows r;

    alloc_expect_wiped(80, 90, 80);
    CHECK(rows_new(&r, &shape, 80, count_up, &source, &err) == 0);
    CHECK(counts(rows_at(&r, true, 0, 10, &err), 1, 10));
    rows_free(&r);
    CHECK(alloc_n_wiped() == 1);
}

int main(void)
{
    passes_rows_on();
    reads_empty_rows();
    reports_failures();
    wipes_rows();
    return check_end();
}
