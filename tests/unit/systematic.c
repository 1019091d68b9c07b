/* A systematic matrix gives the same shares as the scheme's own: with any random vectors, if their
 * symbols are drawn instead, and with all random vectors, as often. */
#include "sharing/systematic.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"
#include "sharing/aligned.h"

enum { MAX = 64 };

static const struct reference *ref;
static struct field *field;
static uint64_t state = 13;

static uint64_t entry(const struct matrix *m, size_t row, size_t col)
{
    return hagg_load(matrix_at(m, row, col), 0, m->elem_size);
}

static void multiply(const struct matrix *m, const uint64_t *in, uint64_t *out)
{
    for (size_t row = 0; row < m->rows; row++) {
        out[row] = 0;
        for (size_t col = 0; col < m->cols; col++)
            out[row] =
                reference_add(ref, out[row], reference_mul(ref, entry(m, row, col), in[col]));
    }
}

static bool is_listed(const uint32_t *list, size_t n, uint32_t row)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == row)
            return true;
    return false;
}

/* The shares of the scheme's matrix are those of the changed one, given the drawn symbols. */
static void gives_the_same_shares(const struct matrix *own, const struct matrix *changed,
                                  const uint32_t *drawn, size_t parts)
{
    uint64_t in[MAX], shares[MAX], again[MAX];
    size_t wrong = 0;

    for (int tries = 0; tries < 20; tries++) {
        for (size_t i = 0; i < own->cols; i++)
            in[i] = reference_elem(ref, &state);
        multiply(own, in, shares);
        for (size_t i = parts; i < own->cols; i++)
            in[i] = shares[drawn[i - parts]];
        multiply(changed, in, again);
        wrong += memcmp(shares, again, own->rows * sizeof *shares) != 0;
    }
    CHECK(wrong == 0);
}

static void has_units(const struct matrix *m, const uint32_t *drawn, size_t parts)
{
    size_t wrong = 0;

    for (size_t i = 0; i + parts < m->cols; i++)
        for (size_t col = 0; col < m->cols; col++)
            wrong += entry(m, drawn[i], col) != (col == parts + i);
    CHECK(wrong == 0);
}

/* Counts how often each list of shares occurs, for each secret, over all random vectors. The result
 * has ref->order^rows numbers for each secret. */
static unsigned *tally(const struct matrix *m, size_t parts)
{
    size_t n_secrets = 1, n_randoms = 1, n_lists = 1;
    uint64_t in[MAX], shares[MAX];
    unsigned *counts;

    for (size_t i = 0; i < m->cols; i++)
        *(i < parts ? &n_secrets : &n_randoms) *= ref->order;
    for (size_t i = 0; i < m->rows; i++)
        n_lists *= ref->order;
    counts = calloc(n_secrets * n_lists, sizeof *counts);
    for (size_t at = 0; at < n_secrets * n_randoms; at++) {
        size_t left = at, secret = 0, list = 0;

        for (size_t i = 0; i < m->cols; i++, left /= ref->order)
            in[i] = left % ref->order;
        for (size_t i = 0; i < parts; i++)
            secret = secret * ref->order + in[i];
        multiply(m, in, shares);
        for (size_t i = 0; i < m->rows; i++)
            list = list * ref->order + shares[i];
        counts[secret * n_lists + list]++;
    }
    return counts;
}

static bool has_distribution(const struct matrix *a, const struct matrix *b, size_t parts)
{
    unsigned *of_a = tally(a, parts), *of_b = tally(b, parts);
    size_t n = 1;
    bool same;

    for (size_t i = 0; i < parts + a->rows; i++)
        n *= ref->order;
    same = memcmp(of_a, of_b, n * sizeof *of_a) == 0;
    free(of_a);
    free(of_b);
    return same;
}

static void scale(struct matrix *m, size_t row, size_t col, uint64_t factor)
{
    hagg_store(matrix_at(m, row, col), 0, m->elem_size,
               reference_mul(ref, entry(m, row, col), factor));
}

/* The distribution of the shares is the same for every secret; in a matrix with one wrong entry it
 * is not, and this is seen. */
static void has_the_same_distribution(const struct matrix *own, const struct matrix *changed,
                                      const uint32_t *drawn, size_t parts)
{
    size_t n_randoms = own->cols - parts, row = 0, col = 0;
    struct hagg_err err = { 0 };
    struct matrix wrong;

    CHECK(has_distribution(own, changed, parts));
    while (row < own->rows && is_listed(drawn, n_randoms, (uint32_t)row))
        row++;
    if (row == own->rows)
        return;
    while (entry(changed, row, col) == 0)
        col++;
    CHECK(matrix_copy(&wrong, changed, &err) == 0);
    scale(&wrong, row, col, 2);
    CHECK(!has_distribution(own, &wrong, parts));
    matrix_free(&wrong);
}

static void is_a_change(const struct matrix *own, const struct sharing *s)
{
    CHECK(s->matrix.rows == own->rows && s->matrix.cols == own->cols);
    if (!CHECK(s->drawn != NULL))
        return;
    has_units(&s->matrix, s->drawn, s->shape.parts);
    gives_the_same_shares(own, &s->matrix, s->drawn, s->shape.parts);
    if (ref->order <= 7 && own->rows + s->shape.parts <= 7 && own->cols <= 5)
        has_the_same_distribution(own, &s->matrix, s->drawn, s->shape.parts);
}

/* Each holder of draw has its share drawn, as far as there are random vectors; then the others, in
 * ascending order. True for schemes in which any shares can be drawn. */
static void prefers(const struct sharing *s, const bool *draw)
{
    uint32_t next = 0;
    size_t wrong = 0;

    for (int preferred = 1; preferred >= 0; preferred--)
        for (uint32_t row = 0; row < s->matrix.rows && next < s->shape.randoms; row++)
            if ((draw && draw[row / s->shape.symbols]) == preferred)
                wrong += s->drawn[next++] != row;
    CHECK(wrong == 0);
}

static void changes(const struct scheme *scheme, uint32_t n, uint32_t k, uint32_t z, bool any)
{
    struct hagg_err err = { 0 };
    bool draw[MAX] = { false };

    for (int i = 0; i < 6; i++) {
        struct matrix own;
        struct sharing s;

        for (uint32_t u = 0; u < n; u++)
            draw[u] = reference_next(&state) % 2;
        CHECK(sharing_new(&s, field, scheme, n, k, z, NULL, i ? draw : NULL, &err) == 0);
        CHECK(scheme_matrix(scheme, n, k, z, field, s.points, &own, &err) == 0);
        is_a_change(&own, &s);
        if (any)
            prefers(&s, i ? draw : NULL);
        matrix_free(&own);
        sharing_free(&s);
    }
}

/* The faster way for powers of points gives the same matrix, also if a point is zero. */
static void powers_are_a_shortcut(uint32_t n, uint32_t parts, uint32_t randoms, bool with_zero)
{
    const struct hagg_scheme_shape shape = { .parts = parts, .randoms = randoms, .symbols = 1 };
    unsigned char points[8 * MAX] = { 0 };
    struct hagg_err err = { 0 };
    struct matrix a, b;
    uint32_t *of_a, *of_b;
    bool draw[MAX] = { false };
    uint32_t n_zeros = 0;

    for (uint32_t u = 0; u < n; u++) {
        uint64_t point = (u * 5 + !with_zero) % ref->order;

        hagg_store(points, u, field_elem_size(field), point);
        n_zeros += point == 0;
        draw[u] = reference_next(&state) % 3 == 0;
    }
    CHECK(matrix_vandermonde(&a, field, points, n, parts + randoms, &err) == 0);
    CHECK(matrix_copy(&b, &a, &err) == 0);
    CHECK(systematic_change(&a, field, &shape, NULL, draw, &of_a, &err) == 0);
    CHECK(systematic_change(&b, field, &shape, points, draw, &of_b, &err) == 0);
    CHECK(!of_a == !of_b && !of_a == (n - n_zeros < randoms));
    CHECK(!of_a || memcmp(of_a, of_b, randoms * sizeof *of_a) == 0);
    CHECK(memcmp(a.elems, b.elems, a.rows * a.cols * a.elem_size) == 0);
    matrix_free(&a);
    matrix_free(&b);
    free(of_a);
    free(of_b);
}

/* A block of aligned sharing: five holders, of which the client uses some. */
static void changes_blocks(const struct scheme *scheme, uint32_t n_holders, uint32_t z,
                           uint32_t end)
{
    enum { N = 5, SEGMENTS = 2 };
    static const uint32_t holders[] = { 0, 2, 3, 4 };
    size_t size = field_elem_size(field);
    unsigned char points[8 * N] = { 0 };
    const struct aligned a = { field, SEGMENTS, N, N, z, points };
    const bool draw[] = { false, false, true, false };
    struct hagg_err err = { 0 };
    struct hagg_scheme_block block = { n_holders, N - n_holders, end, z, NULL, NULL, NULL };
    struct sharing s;
    struct matrix own;

    for (uint32_t u = 0; u < N; u++)
        hagg_store(points, u, size, aligned_point(SEGMENTS, u + 1));
    CHECK(aligned_block(&a, scheme, holders, n_holders, 0, end, draw, &s, &err) == 0);
    block.holders = s.points;
    block.others = s.points + n_holders * size;
    block.parts = s.points + N * size;
    CHECK(scheme_block(scheme, &block, field, &own, &err) == 0);
    is_a_change(&own, &s);
    prefers(&s, draw);
    matrix_free(&own);
    sharing_free(&s);
}

/* Two symbols a share. In `few`, all random vectors count only in two sums. In `two`, this holds
 * for every second share; in the others, both symbols have the same random vectors. */
static int odd_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                     char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)k;
    (void)why;
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = z, .symbols = 2 };
    return 0;
}

static void fill_odd(uint32_t n, uint32_t z, size_t size, void *matrix, bool few)
{
    for (uint32_t row = 0; row < 2 * n; row++) {
        uint64_t a = row % ref->order, b = (row * row + 1) % ref->order;

        hagg_store(matrix, row * (1 + z), size, row % 3 == 0);
        for (uint32_t i = 0; i < z; i++) {
            uint64_t sums = reference_mul(ref, a, i + 1);

            sums = reference_add(ref, sums, reference_mul(ref, b, i * i));
            hagg_store(matrix, row * (1 + z) + 1 + i, size,
                       few || row / 2 % 2 ? sums : (row / 2 + i) * (row / 4 + 1) % ref->order);
        }
    }
}

static int two_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *f,
                      const void *ctx, const struct hagg_field_info *info, const void *points,
                      void *matrix, char why[HAGG_WHY_SIZE])
{
    (void)k;
    (void)f;
    (void)ctx;
    (void)points;
    (void)why;
    fill_odd(n, z, info->elem_size, matrix, false);
    return 0;
}

static int few_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *f,
                      const void *ctx, const struct hagg_field_info *info, const void *points,
                      void *matrix, char why[HAGG_WHY_SIZE])
{
    (void)k;
    (void)f;
    (void)ctx;
    (void)points;
    (void)why;
    fill_odd(n, z, info->elem_size, matrix, true);
    return 0;
}

/* A matrix whose random vectors are not determined by all shares, or that has none, stays as it
 * is. */
static void stays(const struct scheme *scheme, uint32_t n, uint32_t z)
{
    struct hagg_err err = { 0 };
    struct matrix own;
    struct sharing s;

    CHECK(sharing_new(&s, field, scheme, n, n, z, NULL, NULL, &err) == 0);
    CHECK(scheme_matrix(scheme, n, n, z, field, NULL, &own, &err) == 0);
    CHECK(s.drawn == NULL);
    CHECK(memcmp(own.elems, s.matrix.elems, own.rows * own.cols * own.elem_size) == 0);
    matrix_free(&own);
    sharing_free(&s);
}

static void fails_cleanly_without_memory(const struct scheme *scheme, uint32_t n, uint32_t z)
{
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        struct sharing s;
        int status;

        alloc_refuse(at);
        status = sharing_new(&s, field, scheme, n, n, z, NULL, NULL, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        sharing_free(&s);
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
}

int main(void)
{
    static const struct reference fields[] = {
        { "prime:p=5", 5 }, { "prime:p=7", 7 },          { "prime:p=251", 251 },
        { "gf256", 256 },   { "m31", (1ull << 31) - 1 }, { "goldilocks", 0xffffffff00000001 },
    };
    struct hagg_err err = { 0 };
    struct scheme *ramp = scheme_open("ramp", &err), *additive = scheme_open("additive", &err);
    struct scheme *aligned = scheme_open("aligned", &err);
    struct scheme two = { .ops = { .name = "two", .shape = odd_shape, .matrix = two_matrix } };
    struct scheme few = { .ops = { .name = "few", .shape = odd_shape, .matrix = few_matrix } };

    CHECK(ramp && additive && aligned);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        ref = &fields[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        for (uint32_t n = 1; n < ref->order && n < 8; n++) {
            for (uint32_t k = 1; k <= n; k++)
                for (uint32_t z = 1; z < k; z++)
                    changes(ramp, n, k, z, true);
            if (n > 1)
                changes(additive, n, n, n - 1, true);
        }
        changes(&two, 3, 3, 2, false);
        changes(&two, 4, 4, 3, false);
        stays(&two, 2, 0);
        stays(&few, 4, 3);
        stays(&few, 6, 3);
        if (ref->order >= 7)
            for (uint32_t z = 1; z < 4; z++)
                changes_blocks(aligned, 4, z, z < 3 ? 2 : 1);
        for (uint32_t n = 2; n < ref->order && n < 9; n++)
            for (uint32_t z = 1; z <= n + 1 && ref->order != 5; z++) {
                powers_are_a_shortcut(n, 1, z, false);
                powers_are_a_shortcut(n, 3, z, true);
            }
        field_free(field);
    }
    ref = &fields[3];
    field = field_open(ref->spec, &err);
    fails_cleanly_without_memory(ramp, 6, 3);
    fails_cleanly_without_memory(additive, 6, 5);
    field_free(field);
    scheme_free(ramp);
    scheme_free(additive);
    scheme_free(aligned);
    return check_end();
}
