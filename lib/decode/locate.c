#include "decode/locate.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/matrix.h"

/* Makes a matrix with one column for each point a and its value y: 1, a, .. a^(k+t-1), then -y, -y
 * a, .. -y a^t. A row vector (Q, E) in its left null space has Q(a) = y E(a) at every point. */
static int key_equation(struct matrix *m, const struct field *f, const unsigned char *points,
                        const unsigned char *values, uint32_t n, uint32_t k, uint32_t t,
                        struct hagg_err *err)
{
    static const unsigned char zero[8];
    size_t size = field_elem_size(f);

    if (matrix_new(m, f, (size_t)k + 2 * t + 1, n, err))
        return -1;
    for (uint32_t i = 0; i < n; i++) {
        const unsigned char *point = points + i * size;

        hagg_store(matrix_at(m, 0, i), 0, size, 1);
        for (uint32_t j = 1; j < k + t; j++)
            field_mul(f, matrix_at(m, j, i), matrix_at(m, j - 1, i), point);
        field_sub(f, matrix_at(m, k + t, i), zero, values + i * size, 1);
        for (uint32_t j = 1; j <= t; j++)
            field_mul(f, matrix_at(m, k + t + j, i), matrix_at(m, k + t + j - 1, i), point);
    }
    return 0;
}

/* Returns true if the polynomial with n coefficients, lowest first, is zero at the point. */
static bool is_root(const struct field *f, const unsigned char *coefficients, uint32_t n,
                    const void *point)
{
    static const unsigned char zero[8];
    size_t size = field_elem_size(f);
    unsigned char value[8] = { 0 };

    for (uint32_t j = n; j-- > 0;) {
        field_mul(f, value, value, point);
        field_add(f, value, value, coefficients + j * size, 1);
    }
    return memcmp(value, zero, size) == 0;
}

/* Assumes at most t wrong values. Returns 1 and marks them, or 0 if there are more; -1 on
 * failure. */
static int locate(const struct field *f, const unsigned char *points, const void *values,
                  uint32_t n, uint32_t k, uint32_t t, bool *wrong, struct hagg_err *err)
{
    struct matrix equation, solutions;
    int status;

    if (key_equation(&equation, f, points, values, n, k, t, err))
        return -1;
    status = matrix_left_null_space(&solutions, f, &equation, err);
    matrix_free(&equation);
    if (status)
        return -1;
    status = solutions.rows > 0;
    for (uint32_t i = 0; i < n && status; i++)
        wrong[i] =
            is_root(f, matrix_at(&solutions, 0, k + t), t + 1, points + i * field_elem_size(f));
    matrix_free(&solutions);
    return status;
}

/* Returns 1 if the values that are not marked, at least k, are those of a polynomial of degree
 * below k; 0 if not; -1 on failure. */
static int agree(const struct field *f, const unsigned char *points, const unsigned char *values,
                 uint32_t n, uint32_t k, const bool *wrong, struct hagg_err *err)
{
    size_t size = field_elem_size(f);
    unsigned char *left = malloc(2 * n * size);
    bool *none = calloc(n, sizeof *none);
    uint32_t n_left = 0;
    int status;

    if (left && none) {
        for (uint32_t i = 0; i < n; i++)
            if (!wrong[i]) {
                memcpy(left + n_left * size, points + i * size, size);
                memcpy(left + (n + n_left++) * size, values + i * size, size);
            }
        status = locate(f, left, left + n * size, n_left, k, 0, none, err);
        explicit_bzero(left + n * size, n_left * size);
    } else
        status = err_errno(err, "no memory to find a wrong share");
    free(left);
    free(none);
    return status;
}

int locate_errors(const struct field *f, const void *points, const void *values, uint32_t n,
                  uint32_t k, bool *wrong, struct hagg_err *err)
{
    uint32_t low = 0, high = (n - k) / 2;
    int status = 0;

    /* If t is too large, E has extra roots, which would mark values that are right. With the
     * smallest t that has a solution, the roots of E are exactly the wrong values. If some t has a
     * solution, so has every larger one, so a binary search finds the smallest. */
    while (low < high && status >= 0) {
        uint32_t middle = low + (high - low) / 2;

        status = locate(f, points, values, n, k, middle, wrong, err);
        if (status > 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (status >= 0)
        status = locate(f, points, values, n, k, low, wrong, err);
    /* if more values are wrong, the equation may have a meaningless solution */
    return status > 0 ? agree(f, points, values, n, k, wrong, err) : status;
}
