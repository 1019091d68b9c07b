/*
 * rows.h - a few rows of a matrix at a time, so that an input is loaded once for all of them and
 * their sums stay in registers. How many is a constant in the code that is made for them.
 */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>

/* How many of n_rows to take next, up to most. Rows are dealt out evenly: 13 at 6 a time are 5, 4,
 * 4, since a lone row is the slowest. */
static inline size_t rows_next(size_t n_rows, size_t most)
{
    size_t groups = (n_rows + most - 1) / most;

    return (n_rows + groups - 1) / groups;
}

/* Before a loop over a constant number of rows, whose arrays are then registers. */
#if defined(__clang__)
#define ROWS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ROWS_UNROLL _Pragma("GCC unroll 16")
#endif

/* DO(0) .. DO(n_rows - 1), for a constant n_rows up to 8: where a loop would be unrolled too late
 * for gcc to keep the structure that belongs to a row in registers. */
#define ROWS_EACH(n_rows, DO)                                                                      \
    do {                                                                                           \
        DO(0);                                                                                     \
        if ((n_rows) > 1)                                                                          \
            DO(1);                                                                                 \
        if ((n_rows) > 2)                                                                          \
            DO(2);                                                                                 \
        if ((n_rows) > 3)                                                                          \
            DO(3);                                                                                 \
        if ((n_rows) > 4)                                                                          \
            DO(4);                                                                                 \
        if ((n_rows) > 5)                                                                          \
            DO(5);                                                                                 \
        if ((n_rows) > 6)                                                                          \
            DO(6);                                                                                 \
        if ((n_rows) > 7)                                                                          \
            DO(7);                                                                                 \
    } while (0)

/* Calls DO with n_rows, 1 .. most, as a constant; no code is made for more rows than most, which is
 * a constant of at most 13. */
#define ROWS_WITH(n_rows, most, DO)                                                                \
    do {                                                                                           \
        if ((n_rows) == 1)                                                                         \
            DO(1);                                                                                 \
        else if ((n_rows) == 2)                                                                    \
            DO(2);                                                                                 \
        else if ((n_rows) == 3)                                                                    \
            DO(3);                                                                                 \
        else if ((most) > 3 && (n_rows) == 4)                                                      \
            DO(4);                                                                                 \
        else if ((most) > 4 && (n_rows) == 5)                                                      \
            DO(5);                                                                                 \
        else if ((most) > 5 && (n_rows) == 6)                                                      \
            DO(6);                                                                                 \
        else if ((most) > 6 && (n_rows) == 7)                                                      \
            DO(7);                                                                                 \
        else if ((most) > 7 && (n_rows) == 8)                                                      \
            DO(8);                                                                                 \
        else if ((most) > 8 && (n_rows) == 9)                                                      \
            DO(9);                                                                                 \
        else if ((most) > 9 && (n_rows) == 10)                                                     \
            DO(10);                                                                                \
        else if ((most) > 10 && (n_rows) == 11)                                                    \
            DO(11);                                                                                \
        else if ((most) > 11 && (n_rows) == 12)                                                    \
            DO(12);                                                                                \
        else if ((most) > 12)                                                                      \
            DO(13);                                                                                \
    } while (0)

#endif
