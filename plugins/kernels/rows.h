/*
 * rows.h - processes a few rows of a matrix at a time, so that an input is loaded once for all of
 * them and their sums stay in registers. Code is generated for each number of rows.
 */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>

/* Returns how many of n_rows to process next, at most most. Rows are distributed evenly, because a
 * single row is slowest: 13 rows with at most 6 at a time are 5, 4, 4. */
static inline size_t rows_next(size_t n_rows, size_t most)
{
    size_t groups = (n_rows + most - 1) / most;

    return (n_rows + groups - 1) / groups;
}

/* Use it before a loop over a constant number of rows, so that its arrays become registers. */
#if defined(__clang__)
#define ROWS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ROWS_UNROLL _Pragma("GCC unroll 16")
#endif

/* DO(0) .. DO(n_rows - 1), for a constant n_rows up to 8. gcc would unroll a loop too late to keep
 * the structure of each row in registers. */
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

/* Calls DO with n_rows, 1 .. most, as a constant. most is a constant of at most 13; no code is
 * generated for more rows. */
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
