#include "decode/locate_trial.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/combine.h"

/* Most multiplications of a search: some seconds. */
#define MAX_WORK 2e10

/* Returns 1 if the shares that are not left out agree, 0 if they do not, -1 on failure. */
static int agree(const struct sharing *s, const unsigned char *values, const bool *left_out,
                 struct hagg_err *err)
{
    static const unsigned char zero[8];
    size_t size = field_elem_size(s->field);
    struct combine c;
    int status = 1;

    if (combine_new(&c, s, left_out, err))
        return -1;
    for (size_t r = c.n_parts; r < c.matrix.rows && status == 1; r++) {
        unsigned char sum[8] = { 0 };

        for (size_t i = 0; i < c.matrix.cols; i++)
            field_scale_add(s->field, sum, matrix_at(&c.matrix, r, i), values + i * size, 1);
        status = memcmp(sum, zero, size) == 0;
        explicit_bzero(sum, sizeof sum);
    }
    combine_free(&c);
    return status;
}

/* Tries all sets of n_more shares from number `first` on, together with those left out already. */
static int search(const struct sharing *s, const void *values, uint32_t first, uint32_t n_more,
                  bool *left_out, struct hagg_err *err)
{
    int found = 0;

    if (n_more == 0)
        return agree(s, values, left_out, err);
    for (uint32_t i = first; i + n_more <= s->n && found == 0; i++) {
        left_out[i] = true;
        found = search(s, values, i + 1, n_more - 1, left_out, err);
        if (found != 1)
            left_out[i] = false;
    }
    return found;
}

int locate_trial(const struct sharing *s, const void *values, bool *wrong, struct hagg_err *err)
{
    double side = (double)s->k * s->shape.symbols, work = side * side * side;
    int found = 0;

    memset(wrong, 0, s->n * sizeof *wrong);
    for (uint32_t n = 1; 2 * n <= s->n - s->k && found == 0; n++) {
        work *= (double)(s->n - n + 1) / n; /* the number of sets of n shares */
        if (work > MAX_WORK)
            return 0;
        found = search(s, values, 0, n, wrong, err);
    }
    return found;
}
