#include "rank.h"

#include "report.h"
#include "subject.h"

static uint64_t inverse(const struct subject *s, uint64_t a)
{
    unsigned char x[8] = { 0 };

    subject_set(s, x, 0, a);
    if (s->field->inv(s->ctx, x, x) != 0)
        report_wrong("the field cannot invert %llu", (unsigned long long)a);
    return subject_get(s, x, 0);
}

static void swap_rows(uint64_t *a, uint64_t *b, size_t n_cols)
{
    for (size_t c = 0; c < n_cols; c++) {
        uint64_t saved = a[c];

        a[c] = b[c];
        b[c] = saved;
    }
}

size_t rank_of(const struct subject *s, uint64_t *matrix, size_t n_rows, size_t n_cols)
{
    size_t rank = 0;

    for (size_t col = 0; col < n_cols && rank < n_rows; col++) {
        uint64_t *pivot = matrix + rank * n_cols, scale;
        size_t r = rank;

        while (r < n_rows && matrix[r * n_cols + col] == 0)
            r++;
        if (r == n_rows)
            continue;
        swap_rows(pivot, matrix + r * n_cols, n_cols);
        scale = inverse(s, pivot[col]);
        for (r = rank + 1; r < n_rows; r++) {
            uint64_t *row = matrix + r * n_cols, factor = subject_mul(s, row[col], scale);

            for (size_t c = col; c < n_cols; c++)
                row[c] = subject_sub(s, row[c], subject_mul(s, factor, pivot[c]));
        }
        rank++;
    }
    return rank;
}
