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

/* One symbol of every share of a sharing. */
struct symbol {
    const struct sharing *sharing;
    uint32_t number;
};

static const unsigned char zero[8];

static const void *entry(const struct symbol *s, uint32_t holder, uint32_t i)
{
    const struct hagg_scheme_shape *shape = &s->sharing->shape;

    return matrix_at(&s->sharing->matrix, (size_t)holder * shape->symbols + s->number,
                     (size_t)shape->parts + i);
}

/* True if random vector i is this symbol of a drawn share. */
static bool is_own(const struct symbol *s, uint32_t i)
{
    return s->sharing->drawn[i] % s->sharing->shape.symbols == s->number;
}

/* The holder whose drawn share random vector i is in. */
static uint32_t drawn_holder(const struct symbol *s, uint32_t i)
{
    return s->sharing->drawn[i] / s->sharing->shape.symbols;
}

static bool is_drawn(const struct symbol *s, uint32_t holder)
{
    uint32_t i = 0;

    while (i < s->sharing->shape.randoms && !(is_own(s, i) && drawn_holder(s, i) == holder))
        i++;
    return i < s->sharing->shape.randoms;
}

/* The entry of a holder for random vector i, times the difference of their points. */
static void times_difference(const struct symbol *s, uint32_t u, uint32_t i, unsigned char out[8])
{
    const struct sharing *sharing = s->sharing;
    size_t size = sharing->matrix.elem_size;
    unsigned char difference[8];

    field_sub(sharing->field, difference, sharing->points + u * size,
              sharing->points + drawn_holder(s, i) * size, 1);
    field_mul(sharing->field, out, difference, entry(s, u, i));
}

/* True if a row of a share that is not drawn is a nonzero multiple of the first such row, both
 * after times_difference, and without zeros; and if it has no random vector of another symbol. */
static bool is_multiple(const struct symbol *s, uint32_t first, uint32_t u)
{
    const struct field *field = s->sharing->field;
    size_t size = s->sharing->matrix.elem_size;
    unsigned char a[8], b[8], c[8], d[8];
    bool begun = false;

    for (uint32_t i = 0; i < s->sharing->shape.randoms; i++) {
        if (!is_own(s, i)) {
            if (memcmp(entry(s, u, i), zero, size) != 0)
                return false;
            continue;
        }
        times_difference(s, first, i, c);
        times_difference(s, u, i, d);
        if (memcmp(c, zero, size) == 0 || memcmp(d, zero, size) == 0)
            return false;
        if (!begun) {
            memcpy(a, c, size);
            memcpy(b, d, size);
        }
        begun = true;
        field_mul(field, c, c, b);
        field_mul(field, d, d, a);
        if (memcmp(c, d, size))
            return false;
    }
    return true;
}

/* The rows of the drawn shares are unit vectors. The others are a Cauchy matrix with nonzero
 * factors of rows and columns, every square part of which is invertible. So any as many rows as
 * columns are, too. */
static bool is_cauchy(const struct symbol *s)
{
    uint32_t first = 0, n = s->sharing->n, n_own = 0;

    for (uint32_t i = 0; i < s->sharing->shape.randoms; i++)
        n_own += is_own(s, i);
    if (n_own != s->sharing->shape.randoms / s->sharing->shape.symbols)
        return false;
    while (first < n && is_drawn(s, first))
        first++;
    for (uint32_t u = first; u < n; u++)
        if (!is_drawn(s, u) && !is_multiple(s, first, u))
            return false;
    return true;
}

/* Each symbol is hidden by random vectors of its own, so what holds for each holds for all. */
bool hiding_by_points(const struct sharing *s)
{
    struct symbol symbol = { .sharing = s };

    if (!s->points || !are_different(s->points, s->n, s->matrix.elem_size))
        return false;
    if (s->shape.randoms == 0)
        return true;
    if (!s->drawn || s->shape.randoms % s->shape.symbols != 0)
        return false;
    while (symbol.number < s->shape.symbols && is_cauchy(&symbol))
        symbol.number++;
    return symbol.number == s->shape.symbols;
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

/* Combinations of rows without random vectors: the columns of the parts add so much to the rank. */
int hiding_learnt(const struct sharing *s, const uint32_t *chosen, uint32_t t, size_t *learnt,
                  struct hagg_err *err)
{
    size_t all, random;

    if (rank_of(s, chosen, t, 0, s->matrix.cols, &all, err) ||
        rank_of(s, chosen, t, s->shape.parts, s->matrix.cols, &random, err))
        return -1;
    *learnt = all - random;
    return 0;
}

int hiding_from_set(const struct sharing *s, const uint32_t *chosen, uint32_t t,
                    struct hagg_err *err)
{
    size_t learnt;

    return hiding_learnt(s, chosen, t, &learnt, err) ? -1 : learnt == 0;
}

int hiding_from(const struct sharing *s, uint32_t t, struct hagg_err *err)
{
    uint32_t *chosen;
    uint64_t n_sets;
    int holds = 1;

    if (t <= s->shape.randoms / s->shape.symbols && hiding_by_points(s))
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
