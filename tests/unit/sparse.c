#include "sharing/sparse.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

enum { ROWS = 9, COLS = 7, LENGTH = 5 };

static const struct reference *ref;
static struct field *field;
static uint64_t state = 25;

static uint64_t random_below(uint64_t n)
{
    return reference_elem(&(struct reference){ "prime:p=4294967291", 4294967291 }, &state) % n;
}

/* A matrix whose rows have one of a few patterns of zeros; with one pattern all entries are
 * there. */
static void make_matrix(struct matrix *m, size_t n_patterns)
{
    struct hagg_err err = { 0 };
    uint64_t patterns[ROWS];

    for (size_t i = 0; i < n_patterns; i++)
        patterns[i] = n_patterns == 1 ? UINT64_MAX : random_below(1 << COLS);
    CHECK(matrix_new(m, field, ROWS, COLS, &err) == 0);
    for (size_t r = 0; r < ROWS; r++) {
        uint64_t pattern = patterns[random_below(n_patterns)];

        for (size_t c = 0; c < COLS; c++)
            hagg_store(matrix_at(m, r, c), 0, m->elem_size,
                       pattern >> c & 1 ? 1 + random_below(ref->order - 1) : 0);
    }
}

static void multiplies_as_the_whole_matrix(size_t n_patterns)
{
    unsigned char in[COLS][LENGTH * 8], want[ROWS][LENGTH * 8], got[ROWS][LENGTH * 8] = { 0 };
    const void *from[COLS], *scratch_from[COLS];
    void *to[ROWS], *to_got[ROWS], *scratch_to[ROWS];
    size_t size = field_elem_size(field), n_entries = 0, n_nonzero = 0;
    struct hagg_err err = { 0 };
    struct sparse s;
    struct matrix m;

    make_matrix(&m, n_patterns);
    for (size_t c = 0; c < COLS; c++) {
        from[c] = in[c];
        for (size_t i = 0; i < LENGTH; i++)
            hagg_store(in[c], i, size, reference_elem(ref, &state));
    }
    for (size_t r = 0; r < ROWS; r++) {
        to[r] = want[r];
        to_got[r] = got[r];
        for (size_t c = 0; c < COLS; c++)
            n_nonzero += hagg_load(matrix_at(&m, r, c), 0, size) != 0;
    }
    matrix_apply(&m, field, to, from, LENGTH);
    CHECK(sparse_new(&s, field, &m, &err) == 0);
    matrix_free(&m);
    CHECK(s.n_rows == ROWS && s.n_cols == COLS && s.n_groups <= n_patterns);
    for (size_t i = 0; i < s.n_groups; i++)
        n_entries += s.groups[i].entries.rows * s.groups[i].entries.cols;
    CHECK(n_entries == n_nonzero);
    sparse_apply(&s, field, to_got, from, LENGTH, scratch_from, scratch_to);
    for (size_t r = 0; r < ROWS; r++)
        CHECK(memcmp(want[r], got[r], LENGTH * size) == 0);
    sparse_free(&s);
}

static void fails_cleanly_without_memory(void)
{
    struct hagg_err err = { 0 };
    struct sparse s;
    struct matrix m;

    make_matrix(&m, 3);
    for (unsigned long at = 0;; at++) {
        int status;

        err = (struct hagg_err){ 0 };
        alloc_refuse(at);
        status = sparse_new(&s, field, &m, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        sparse_free(&s);
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
    matrix_free(&m);
}

int main(void)
{
    static const struct reference fields[] = { { "prime:p=31", 31 },
                                               { "gf256", 256 },
                                               { "m31", (1ull << 31) - 1 },
                                               { "goldilocks", 0xffffffff00000001 } };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < 4; i++) {
        ref = &fields[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        for (size_t n = 1; n <= ROWS; n++)
            for (int again = 0; again < 20; again++)
                multiplies_as_the_whole_matrix(n);
        if (i == 0)
            fails_cleanly_without_memory();
        field_free(field);
    }
    return check_end();
}
