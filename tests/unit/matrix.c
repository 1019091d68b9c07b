#include "sharing/matrix.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

/* A matrix of plain numbers, to compare with the one under test. */
enum { MAX = 24 };

struct table {
    size_t rows, cols;
    uint64_t at[MAX][MAX];
};

static const struct reference *ref;
static struct field *field;
static struct hagg_err err;
static uint64_t state = 1;

static void to_matrix(struct matrix *m, const struct table *t)
{
    CHECK(matrix_new(m, field, t->rows, t->cols, &err) == 0);
    for (size_t r = 0; r < t->rows; r++)
        for (size_t c = 0; c < t->cols; c++)
            hagg_store(matrix_at(m, r, c), 0, m->elem_size, t->at[r][c]);
}

static void to_table(struct table *t, const struct matrix *m)
{
    t->rows = m->rows;
    t->cols = m->cols;
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->cols; c++)
            t->at[r][c] = hagg_load(matrix_at(m, r, c), 0, m->elem_size);
}

static void product(struct table *out, const struct table *a, const struct table *b)
{
    out->rows = a->rows;
    out->cols = b->cols;
    for (size_t r = 0; r < a->rows; r++)
        for (size_t c = 0; c < b->cols; c++) {
            out->at[r][c] = 0;
            for (size_t i = 0; i < a->cols; i++)
                out->at[r][c] =
                    reference_add(ref, out->at[r][c], reference_mul(ref, a->at[r][i], b->at[i][c]));
        }
}

static bool equal(const struct table *a, const struct table *b)
{
    bool same = a->rows == b->rows && a->cols == b->cols;

    for (size_t r = 0; same && r < a->rows; r++)
        for (size_t c = 0; same && c < a->cols; c++)
            same = a->at[r][c] == b->at[r][c];
    return same;
}

static void fill(struct table *t, size_t rows, size_t cols)
{
    t->rows = rows;
    t->cols = cols;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            t->at[r][c] = reference_elem(ref, &state);
}

static void identity(struct table *t, size_t n)
{
    fill(t, n, n);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            t->at[r][c] = r == c;
}

/* Returns the minor of the rows and columns given as bits, by expansion along the first row. */
static uint64_t minor(const struct table *t, unsigned rows, unsigned cols)
{
    uint64_t sum = 0;
    size_t first = 0;
    bool minus = false;

    if (rows == 0)
        return 1;
    while (!(rows >> first & 1))
        first++;
    for (size_t c = 0; c < t->cols; c++)
        if (cols >> c & 1) {
            uint64_t term =
                reference_mul(ref, t->at[first][c], minor(t, rows & (rows - 1), cols & ~(1u << c)));

            sum = minus ? reference_sub(ref, sum, term) : reference_add(ref, sum, term);
            minus = !minus;
        }
    return sum;
}

/* Returns the size of the largest nonzero minor, which is the rank, without elimination. */
static size_t rank_by_minors(const struct table *t)
{
    size_t rank = 0;

    for (unsigned rows = 0; rows < 1u << t->rows; rows++)
        for (unsigned cols = 0; cols < 1u << t->cols; cols++) {
            size_t size = (size_t)__builtin_popcount(rows);

            if (size > rank && size == (size_t)__builtin_popcount(cols) && minor(t, rows, cols))
                rank = size;
        }
    return rank;
}

static void multiplies(const struct table *a, const struct table *b)
{
    struct matrix x, y, out;
    struct table want, got;

    to_matrix(&x, a);
    to_matrix(&y, b);
    CHECK(matrix_multiply(&out, field, &x, &y, &err) == 0);
    product(&want, a, b);
    to_table(&got, &out);
    CHECK(equal(&got, &want));
    matrix_free(&x);
    matrix_free(&y);
    matrix_free(&out);
}

static void has_rank(const struct table *t, size_t want)
{
    struct matrix m;
    struct table after;
    size_t rank = 99;

    to_matrix(&m, t);
    CHECK(matrix_rank(&rank, field, &m, &err) == 0 && rank == want);
    to_table(&after, &m);
    CHECK(equal(&after, t)); /* the matrix is unchanged */
    matrix_free(&m);
}

/* Inverts the matrix if it has full rank, and multiplies from both sides. */
static void inverts(const struct table *t, size_t rank)
{
    bool invertible = t->rows == t->cols && rank == t->rows;
    struct table inverse, left, right, one;
    struct matrix m, out;
    char want[100];

    to_matrix(&m, t);
    err = (struct hagg_err){ 0 };
    CHECK(matrix_inverse(&out, field, &m, &err) == (invertible ? 0 : -1));
    if (invertible) {
        to_table(&inverse, &out);
        product(&left, &inverse, t);
        product(&right, t, &inverse);
        identity(&one, t->rows);
        CHECK(equal(&left, &one) && equal(&right, &one));
    } else {
        snprintf(want, sizeof want, "a matrix of %zu x %zu has no inverse (rank %zu)", t->rows,
                 t->cols, rank);
        CHECK(err.status == HAGG_E_MISMATCH && out.elems == NULL);
        CHECK_STR(err.text, want);
    }
    matrix_free(&out);
    matrix_free(&m);
}

/* Checks that the null space has the right number of independent rows, and that each is mapped to
 * zero. */
static void has_left_null_space(const struct table *t, size_t rank, bool small)
{
    struct table basis, zero;
    struct matrix m, out;
    bool all_zero = true;

    to_matrix(&m, t);
    CHECK(matrix_left_null_space(&out, field, &m, &err) == 0);
    to_table(&basis, &out);
    CHECK(basis.rows == t->rows - rank && basis.cols == t->rows);
    product(&zero, &basis, t);
    for (size_t r = 0; r < zero.rows; r++)
        for (size_t c = 0; c < zero.cols; c++)
            all_zero = all_zero && zero.at[r][c] == 0;
    CHECK(all_zero);
    if (small)
        CHECK(rank_by_minors(&basis) == basis.rows);
    else
        has_rank(&basis, basis.rows);
    matrix_free(&out);
    matrix_free(&m);
}

/* All sizes from 0 x 0 to 4 x 4, many with dependent rows. */
static void agrees_with_minors(void)
{
    for (size_t rows = 0; rows <= 4; rows++)
        for (size_t cols = 0; cols <= 4; cols++)
            for (int trial = 0; trial < 6; trial++) {
                struct table t, other;
                size_t rank;

                fill(&t, rows, cols);
                if (trial % 3 == 1 && rows > 1) /* one row a multiple of another */
                    for (size_t c = 0; c < cols; c++)
                        t.at[rows - 1][c] = reference_mul(ref, t.at[0][c], ref->order - 1);
                if (trial % 3 == 2 && cols > 1) /* one column zero, one the sum of the others */
                    for (size_t r = 0; r < rows; r++) {
                        t.at[r][0] = 0;
                        for (size_t c = 1; c + 1 < cols; c++)
                            t.at[r][cols - 1] = reference_add(ref, t.at[r][0], t.at[r][c]);
                    }
                rank = rank_by_minors(&t);
                has_rank(&t, rank);
                inverts(&t, rank);
                has_left_null_space(&t, rank, true);
                fill(&other, cols, (rows + cols) % 5);
                multiplies(&t, &other);
            }
}

/* Larger matrices of known rank: a lower triangular one, times the first rows of the identity,
 * times an upper triangular one, with ones on the diagonals. */
static void agrees_with_a_known_rank(void)
{
    for (int trial = 0; trial < 12; trial++) {
        size_t rows = 5 + reference_next(&state) % (MAX - 5),
               cols = 5 + reference_next(&state) % (MAX - 5);
        size_t most, rank;
        struct table low, high, t;

        if (trial % 2)
            cols = rows;
        most = rows < cols ? rows : cols;
        rank = trial % 4 == 1 ? most : trial == 2 ? 0 : reference_next(&state) % (most + 1);
        fill(&low, rows, rank);
        fill(&high, rank, cols);
        for (size_t i = 0; i < rank; i++) {
            for (size_t r = 0; r < i; r++)
                low.at[r][i] = 0;
            for (size_t c = 0; c < i; c++)
                high.at[i][c] = 0;
            low.at[i][i] = high.at[i][i] = 1;
        }
        product(&t, &low, &high);
        /* rows in another order, so that pivots must be searched */
        for (size_t r = 0; r + 1 < rows; r += 2)
            for (size_t c = 0; c < cols; c++) {
                uint64_t keep = t.at[r][c];

                t.at[r][c] = t.at[rows - 1 - r / 2][c];
                t.at[rows - 1 - r / 2][c] = keep;
            }
        has_rank(&t, rank);
        inverts(&t, rank);
        has_left_null_space(&t, rank, false);
    }
}

/* Draws n distinct elements, sometimes including 0. */
static void choose_points(uint64_t *points, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool fresh = false;

        while (!fresh) {
            points[i] = reference_elem(ref, &state);
            fresh = true;
            for (size_t j = 0; j < i; j++)
                fresh = fresh && points[j] != points[i];
        }
    }
}

static void knows_vandermonde(void)
{
    size_t most = ref->order < MAX ? (size_t)ref->order : MAX;

    for (size_t n = 0; n <= most; n += n < 8 ? 1 : 4)
        for (size_t cols = 0; cols <= MAX; cols += 1 + cols / 2) {
            unsigned char packed[MAX * 8 + 1];
            uint64_t points[MAX];
            struct matrix m;
            struct table got, want = { .rows = n, .cols = cols };

            choose_points(points, n);
            for (size_t r = 0; r < n; r++) {
                hagg_store(packed + 1, r, field_elem_size(field), points[r]);
                for (size_t c = 0; c < cols; c++)
                    want.at[r][c] = c == 0 ? 1 : reference_mul(ref, want.at[r][c - 1], points[r]);
            }
            CHECK(matrix_vandermonde(&m, field, packed + 1, n, cols, &err) == 0);
            to_table(&got, &m);
            CHECK(equal(&got, &want));
            matrix_free(&m);
        }
}

/* Compares with the schoolbook product, and with the inverse by elimination. */
static void inverts_vandermonde(void)
{
    size_t most = ref->order < MAX ? (size_t)ref->order : MAX;

    for (size_t n = 0; n <= most; n++) {
        unsigned char packed[MAX * 8];
        uint64_t points[MAX];
        struct matrix m, slow, fast;
        struct table a, x, y, p, one;

        choose_points(points, n);
        for (size_t i = 0; i < n; i++)
            hagg_store(packed, i, field_elem_size(field), points[i]);
        CHECK(matrix_vandermonde(&m, field, packed, n, n, &err) == 0);
        CHECK(matrix_inverse(&slow, field, &m, &err) == 0);
        CHECK(matrix_vandermonde_inverse(&fast, field, packed, n, &err) == 0);
        to_table(&a, &m);
        to_table(&x, &slow);
        to_table(&y, &fast);
        CHECK(equal(&x, &y));
        product(&p, &y, &a);
        identity(&one, n);
        CHECK(equal(&p, &one));
        matrix_free(&m);
        matrix_free(&slow);
        matrix_free(&fast);
        if (n < 2)
            continue;
        /* the same point twice */
        hagg_store(packed, n - 1, field_elem_size(field), points[n / 2 - (n == 2)]);
        err = (struct hagg_err){ 0 };
        CHECK(matrix_vandermonde_inverse(&fast, field, packed, n, &err) == -1);
        CHECK(err.status == HAGG_E_MISMATCH && fast.elems == NULL);
        CHECK_STR(err.text, "two points are equal");
    }
}

/* By hand: over the rationals the inverse of the Vandermonde matrix of 1, 2, 3 is 3, -3, 1; -5/2,
 * 4, -3/2; 1/2, -1, 1/2, and 1/2 is 4 modulo 7. */
static void inverts_what_was_done_by_hand(void)
{
    static const unsigned char points[] = { 1, 2, 3 };
    static const unsigned char want[] = { 3, 4, 1, 1, 4, 2, 4, 6, 4 };
    struct matrix m;

    if (ref->order != 7)
        return;
    CHECK(matrix_vandermonde_inverse(&m, field, points, 3, &err) == 0);
    CHECK(memcmp(m.elems, want, sizeof want) == 0);
    matrix_free(&m);
}

/* Counts all x with five elements, over a field of seven, that a matrix maps to zero. */
static void counts_a_null_space(void)
{
    for (int trial = 0; trial < 20 && ref->order == 7; trial++) {
        size_t rows = 1 + (size_t)trial % 5, cols = 1 + (size_t)trial / 5, n_zero = 0, n_all = 1,
               n_want = 1;
        struct matrix m, out;
        struct table t;

        fill(&t, rows, cols);
        for (size_t i = 0; i < rows; i++)
            n_all *= 7;
        for (size_t number = 0; number < n_all; number++) {
            struct table x = { .rows = 1, .cols = rows }, zero;
            size_t rest = number, n = 0;

            for (size_t i = 0; i < rows; i++, rest /= 7)
                x.at[0][i] = rest % 7;
            product(&zero, &x, &t);
            for (size_t c = 0; c < cols; c++)
                n += zero.at[0][c] == 0;
            n_zero += n == cols;
        }
        to_matrix(&m, &t);
        CHECK(matrix_left_null_space(&out, field, &m, &err) == 0);
        for (size_t i = 0; i < out.rows; i++)
            n_want *= 7;
        CHECK(n_zero == n_want);
        matrix_free(&m);
        matrix_free(&out);
    }
}

static void applies(void)
{
    enum { N = 19 };
    size_t size = field_elem_size(field), wrong = 0;
    unsigned char in[3][N * 8], out[4][N * 8];
    const void *from[] = { in[0], in[1], in[2] };
    void *to[] = { out[0], out[1], out[2], out[3] };
    struct table t, x, want;
    struct matrix m;

    fill(&t, 4, 3);
    fill(&x, 3, N);
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < N; i++)
            hagg_store(in[c], i, size, x.at[c][i]);
    to_matrix(&m, &t);
    matrix_apply(&m, field, to, from, N);
    product(&want, &t, &x);
    for (size_t r = 0; r < 4; r++)
        for (size_t i = 0; i < N; i++)
            wrong += hagg_load(out[r], i, size) != want.at[r][i];
    CHECK(wrong == 0);
    matrix_free(&m);
}

static void makes_and_copies(void)
{
    struct matrix m = { 0 }, copy = { 0 };
    struct table t, again;

    for (size_t rows = 0; rows < 3; rows++)
        for (size_t cols = 0; cols < 3; cols++) {
            CHECK(matrix_new(&m, field, rows, cols, &err) == 0);
            to_table(&t, &m);
            for (size_t i = 0; i < rows * cols; i++)
                CHECK(t.at[i / cols][i % cols] == 0);
            matrix_free(&m);
            fill(&t, rows, cols);
            to_matrix(&m, &t);
            CHECK(matrix_copy(&copy, &m, &err) == 0 && copy.elems != m.elems);
            matrix_free(&m);
            CHECK(m.elems == NULL && m.rows == 0 && m.cols == 0);
            to_table(&again, &copy);
            CHECK(equal(&again, &t));
            matrix_free(&copy);
            matrix_free(&copy);
        }
    CHECK(matrix_new(&m, field, SIZE_MAX / 2, 3, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(matrix_new(&m, field, SIZE_MAX, 1, &err) == -1 && m.elems == NULL);
    CHECK(matrix_new(&m, field, (size_t)1 << 62, 1, &err) == -1);
}

/* Refuses each request for memory in turn. */
static void fails_cleanly_without_memory(void)
{
    static const unsigned char points[] = { 1, 2, 3 };

    for (int operation = 0; operation < 6; operation++)
        for (unsigned long at = 0;; at++) {
            struct matrix m, out = { 0 };
            struct table t;
            size_t rank;
            int status;

            alloc_watch();
            identity(&t, 3);
            to_matrix(&m, &t);
            err = (struct hagg_err){ 0 };
            alloc_refuse(at);
            status = operation == 0   ? matrix_inverse(&out, field, &m, &err)
                     : operation == 1 ? matrix_rank(&rank, field, &m, &err)
                     : operation == 2 ? matrix_left_null_space(&out, field, &m, &err)
                     : operation == 3 ? matrix_vandermonde(&out, field, points, 3, 3, &err)
                     : operation == 4 ? matrix_vandermonde_inverse(&out, field, points, 3, &err)
                                      : matrix_multiply(&out, field, &m, &m, &err);
            CHECK(status == (alloc_refused() ? -1 : 0));
            CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
            CHECK(!alloc_refused() || out.elems == NULL);
            matrix_free(&out);
            matrix_free(&m);
            if (!alloc_refused()) {
                CHECK(at >= 1);
                break;
            }
        }
    alloc_watch();
}

int main(void)
{
    for (size_t i = 0; i < N_REFERENCES; i++) {
        ref = &references[i];
        field = field_open(ref->spec, &err);
        if (!field) {
            fprintf(stderr, "field '%s': %s\n", ref->spec, err.text);
            return 1;
        }
        makes_and_copies();
        agrees_with_minors();
        agrees_with_a_known_rank();
        knows_vandermonde();
        inverts_vandermonde();
        inverts_what_was_done_by_hand();
        counts_a_null_space();
        applies();
        if (field_elem_size(field) == 1 && ref->order > 3)
            fails_cleanly_without_memory();
        field_free(field);
    }
    return check_end();
}
