#include "audit/hiding.h"

#include <stdlib.h>
#include <string.h>

#include "audit/sets.h"

/* Maximum number of sets of holders that are checked one by one. */
#define MAX_SETS 20000u

static bool are_different(const unsigned char *points, uint32_t n, size_t size)
{
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < u; v++)
            if (memcmp(points + u * size, points + v * size, size) == 0)
                return false;
    return true;
}

bool hiding_by_points(const struct sharing *s)
{
    static const unsigned char zero[8];
    size_t first = s->shape.parts, size = s->matrix.elem_size;

    if (!s->points || s->shape.symbols != 1 || !are_different(s->points, s->n, size))
        return false;
    for (uint32_t u = 0; u < s->n && s->shape.randoms > 0; u++) {
        if (memcmp(matrix_at(&s->matrix, u, first), zero, size) == 0)
            return false;
        for (uint32_t m = 1; m < s->shape.randoms; m++) {
            unsigned char next[8];

            field_mul(s->field, next, matrix_at(&s->matrix, u, first + m - 1),
                      s->points + u * size);
            if (memcmp(next, matrix_at(&s->matrix, u, first + m), size))
                return false;
        }
    }
    return true;
}

/* Copies columns first .. end - 1 of the rows of the chosen holders and computes their rank. */
static int rank_of(const struct sharing *s, const uint32_t *chosen, uint32_t t, size_t first,
                   size_t end, size_t *rank, struct hagg_err *err)
{
    uint32_t symbols = s->shape.symbols;
    struct matrix rows;
    int status;

    if (matrix_new(&rows, s->field, (size_t)t * symbols, end - first, err))
        return -1;
    for (size_t i = 0; i < rows.rows && end > first; i++)
        memcpy(matrix_at(&rows, i, 0),
               matrix_at(&s->matrix, (size_t)chosen[i / symbols] * symbols + i % symbols, first),
               (end - first) * rows.elem_size);
    status = matrix_rank(rank, s->field, &rows, err);
    matrix_free(&rows);
    return status;
}

/* A combination of rows without random vectors has no parts either if the columns of the parts add
 * nothing to the rank. */
int hiding_from_set(const struct sharing *s, const uint32_t *chosen, uint32_t t,
                    struct hagg_err *err)
{
    size_t all, random;

    if (rank_of(s, chosen, t, 0, s->matrix.cols, &all, err) ||
        rank_of(s, chosen, t, s->shape.parts, s->matrix.cols, &random, err))
        return -1;
    return all == random;
}

int hiding_from(const struct sharing *s, uint32_t t, struct hagg_err *err)
{
    uint32_t *chosen;
    uint64_t n_sets;
    int holds = 1;

    if (t <= s->shape.randoms && hiding_by_points(s))
        return 1;
    t = t < s->n ? t : s->n;
    n_sets = sets_choose(s->n, t);
    if (n_sets > MAX_SETS)
        return 0;
    chosen = calloc(t + (size_t)1, sizeof *chosen);
    if (!chosen)
        return err_errno(err, "no memory for a proof");
    for (uint64_t i = 0; i < n_sets && holds == 1; i++) {
        sets_unrank(i, s->n, t, chosen);
        holds = hiding_from_set(s, chosen, t, err);
    }
    free(chosen);
    return holds;
}
