#include "audit/echelon.h"

#include "check.h"
#include "sharing/matrix.h"

static uint64_t state = 7;

static uint32_t below(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % n);
}

static void put(struct echelon *e, const struct matrix *a, size_t row, struct hagg_err *err)
{
    for (size_t i = a->cols; i-- > 0;)
        echelon_term(e, i, matrix_at(a, row, i));
    CHECK(echelon_add_row(e, NULL, err) == 0);
}

/* Checks the rank, and the rank of the rows that are free of the first columns: the rank of the
 * matrix less the rank of these columns. */
static void has_the_rank_of_the_matrix(const struct field *f)
{
    size_t size = field_elem_size(f);

    for (size_t try = 0; try < 60; try++) {
        size_t rows = 1 + below(8), cols = 1 + below(8), first = below((uint32_t)cols + 1);
        size_t rank, rank_first;
        struct hagg_err err = { 0 };
        struct matrix a, left;
        struct echelon e;

        CHECK(matrix_new(&a, f, rows, cols, &err) == 0);
        CHECK(matrix_new(&left, f, rows, first, &err) == 0);
        for (size_t i = 0; i < rows * cols; i++)
            hagg_store(a.elems, i, size, below(3) > 0 ? 0 : below(5));
        for (size_t row = 0; row < rows; row++)
            memcpy(matrix_at(&left, row, 0), matrix_at(&a, row, 0), first * size);
        CHECK(matrix_rank(&rank, f, &a, &err) == 0 &&
              matrix_rank(&rank_first, f, &left, &err) == 0);
        CHECK(echelon_init(&e, f, cols, &err) == 0);
        for (size_t row = 0; row < rows; row++)
            put(&e, &a, row, &err);
        CHECK(e.rank == rank && echelon_rank_from(&e, 0) == rank);
        CHECK(echelon_rank_from(&e, first) == rank - rank_first);
        CHECK(echelon_reduce(&e, 0, &err) == 0);
        for (size_t i = 0; i < cols; i++)
            for (size_t j = 0; e.rows[i] && j < e.rows[i]->n; j++) {
                CHECK(j == 0 ? e.rows[i]->cols[0] == i : !e.rows[e.rows[i]->cols[j]]);
                CHECK(j > 0 || hagg_load(e.rows[i]->factors, 0, size) == 1);
            }
        echelon_free(&e);
        matrix_free(&a);
        matrix_free(&left);
    }
}

static void adds_up_repeated_columns(const struct field *f)
{
    struct hagg_err err = { 0 };
    unsigned char three[8] = { 0 }, minus[8] = { 0 };
    static const unsigned char zero[8];
    struct echelon e;
    bool independent = true;

    hagg_store(three, 0, field_elem_size(f), 3);
    field_sub(f, minus, zero, three, 1);
    CHECK(echelon_init(&e, f, 4, &err) == 0);
    echelon_term(&e, 2, three);
    echelon_term(&e, 2, minus);
    CHECK(echelon_add_row(&e, &independent, &err) == 0 && !independent && e.rank == 0);
    echelon_term(&e, 3, three);
    echelon_term(&e, 1, three);
    CHECK(echelon_add_row(&e, &independent, &err) == 0 && independent);
    /* 3 x1 + 3 x3, so x1 + x3 */
    CHECK(e.rows[1] && e.rows[1]->n == 2 &&
          hagg_load(e.rows[1]->factors, 1, f->info.elem_size) == 1);
    echelon_free(&e);
}

int main(void)
{
    static const char *const specs[] = { "prime:p=5", "m31", "goldilocks", "gf256" };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct field *f = field_open(specs[i], &err);

        if (!CHECK(f))
            continue;
        has_the_rank_of_the_matrix(f);
        adds_up_repeated_columns(f);
        field_free(f);
    }
    return check_end();
}
