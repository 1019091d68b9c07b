/* mat_apply must give the same as scale_add, as the header specifies. */
#include "checks.h"

#include <err.h>
#include <stdlib.h>

#include "guarded.h"
#include "report.h"
#include "subject.h"

/* The kind of entries: the largest ones overflow an accumulator that is reduced too late. */
enum entries { RANDOM, LARGEST };

/* Rows that are reused, for one matrix after another. */
struct block {
    size_t n_out, n_in, n;
    struct guarded *rows; /* n_out outputs, then n_in inputs, then unused ones */
    size_t n_rows;
    struct guarded matrix;
    void **out;
    const void **in;
};

static void *resize(void *p, size_t n, size_t size)
{
    p = reallocarray(p, n + 1, size);
    if (!p)
        err(1, "%zu rows", n);
    return p;
}

static void fill(const struct subject *s, struct prng *g, enum entries entries, void *out, size_t n)
{
    if (entries == RANDOM) {
        subject_random(s, g, out, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        subject_set(s, out, i, s->info.order - 1);
}

static void block_fill(const struct subject *s, struct block *b, struct prng *g,
                       enum entries entries, size_t shift)
{
    size_t elem_size = s->info.elem_size, n_rows = b->n_out + b->n_in;

    if (n_rows > b->n_rows) {
        b->rows = resize(b->rows, n_rows, sizeof *b->rows);
        memset(b->rows + b->n_rows, 0, (n_rows - b->n_rows) * sizeof *b->rows);
        b->n_rows = n_rows;
    }
    b->out = resize(b->out, b->n_out, sizeof *b->out);
    b->in = resize(b->in, b->n_in, sizeof *b->in);
    for (size_t r = 0; r < n_rows; r++) {
        unsigned char *row = guarded_place(&b->rows[r], b->n * elem_size, shift * (r + 1) % 31);

        if (r < b->n_out) {
            b->out[r] = row;
        } else {
            fill(s, g, entries, row, b->n);
            b->in[r - b->n_out] = row;
        }
    }
    guarded_place(&b->matrix, b->n_out * b->n_in * elem_size, shift % 31);
    fill(s, g, entries, b->matrix.data, b->n_out * b->n_in);
}

static void block_free(struct block *b)
{
    for (size_t r = 0; r < b->n_rows; r++)
        guarded_free(&b->rows[r]);
    guarded_free(&b->matrix);
    free(b->rows);
    free(b->out);
    free(b->in);
}

static void compare(const struct subject *s, const struct block *b)
{
    size_t elem_size = s->info.elem_size;
    unsigned char *row = subject_vector(s, b->n);

    for (size_t r = 0; r < b->n_out && !report_found(); r++) {
        memset(row, 0, b->n * elem_size);
        for (size_t c = 0; c < b->n_in; c++)
            s->field->scale_add(s->ctx, row, b->matrix.data + (r * b->n_in + c) * elem_size,
                                b->in[c], b->n);
        for (size_t i = 0; i < b->n; i++)
            if (subject_get(s, b->out[r], i) != subject_get(s, row, i)) {
                report_wrong("a %zu x %zu matrix and %zu elements: element %zu of row %zu is not "
                             "the sum of scale_adds",
                             b->n_out, b->n_in, b->n, i, r);
                break;
            }
    }
    free(row);
    for (size_t r = 0; r < b->n_out + b->n_in; r++)
        if (!guarded_intact(&b->rows[r]))
            report_wrong("a %zu x %zu matrix and %zu elements: writes outside them", b->n_out,
                         b->n_in, b->n);
}

static void try(const struct subject *s, struct block *b, struct prng *g, enum entries entries,
                size_t n_out, size_t n_in, size_t n)
{
    b->n_out = n_out;
    b->n_in = n_in;
    b->n = n;
    block_fill(s, b, g, entries, n_out + n_in + n);
    s->field->mat_apply(s->ctx, b->out, n_out, b->in, n_in, b->matrix.data, n);
    compare(s, b);
}

/* All small shapes at a few lengths, to reach every edge of a register block. */
static void check_shapes(struct subject *s)
{
    static const size_t lengths[] = { 1, 7, 33, 67 };
    struct prng g = { .state = 8 };
    struct block b = { 0 };

    for (size_t n_out = 0; n_out <= 14; n_out++)
        for (size_t n_in = 0; n_in <= 18; n_in++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths && !report_found(); i++)
                try(s, &b, &g, RANDOM, n_out, n_in, lengths[i]);
    block_free(&b);
}

static void check_lengths(struct subject *s)
{
    static const size_t shapes[][2] = { { 1, 1 }, { 3, 5 }, { 6, 8 }, { 13, 13 }, { 7, 20 } };
    struct prng g = { .state = 9 };
    struct block b = { 0 };

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t n = 0; n <= 67 && !report_found(); n++)
            try(s, &b, &g, RANDOM, shapes[i][0], shapes[i][1], n);
    block_free(&b);
}

/* Matrices and vectors that exceed the sizes of tiles and tables. */
static void check_large(struct subject *s)
{
    static const size_t sizes[][3] = {
        { 255, 255, 70 },  { 300, 300, 65 }, { 2, 1100, 67 }, { 1100, 2, 67 },  { 40, 260, 4200 },
        { 13, 13, 20011 }, { 25, 25, 9001 }, { 5, 3, 70001 }, { 64, 64, 1025 }, { 1, 40, 33333 },
    };
    struct prng g = { .state = 10 };
    struct block b = { 0 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !report_found(); i++)
        try(s, &b, &g, RANDOM, sizes[i][0], sizes[i][1], sizes[i][2]);
    block_free(&b);
}

static void check_largest_entries(struct subject *s)
{
    static const size_t many[] = { 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 5000 };
    struct prng g = { .state = 11 };
    struct block b = { 0 };

    for (size_t n_in = 1; n_in <= 40; n_in++)
        for (size_t n_out = 1; n_out <= 7 && !report_found(); n_out++)
            try(s, &b, &g, LARGEST, n_out, n_in, 67);
    for (size_t i = 0; i < sizeof many / sizeof *many && !report_found(); i++)
        try(s, &b, &g, LARGEST, 13, many[i], 67);
    block_free(&b);
}

void apply_run(struct subject *s)
{
    if (!s->field->mat_apply)
        return;
    report_check("mat_apply of all small shapes", check_shapes, s);
    report_check("mat_apply of all short lengths", check_lengths, s);
    report_check("mat_apply of large blocks", check_large, s);
    report_check("mat_apply of the largest elements", check_largest_entries, s);
}
