/*
 * rows.h - reads a payload that consists of rows of equal length, many short rows at a time, and
 * passes them on one after the other.
 *
 * Payloads of aligned sharings have rows. A short row is not worth a system call, and a long one
 * need not be in memory as a whole if it is used only once.
 */
#ifndef HAGG_ROWS_H
#define HAGG_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct rows_shape {
    size_t elem_size, row_elems;
    uint64_t n_rows;
    size_t piece_elems; /* columns that are used at once; at least 1 */
    bool keeps;         /* True if a row is used several times before the next one. */
};

/* Initialise to all zero. */
struct rows {
    struct rows_shape shape;
    bool whole;    /* True if the buffer has whole rows. */
    size_t room;   /* elements of the buffer */
    uint64_t left; /* elements that were not read yet */
    unsigned char *buffer;
    size_t row, next, n; /* elements of the buffer: the current row, what follows, the end */
    size_t touched;      /* elements of the buffer that must be wiped */
    int (*read)(void *source, void *to, size_t n_elems, struct hagg_err *err);
    void *source;
};

/* Makes room for about max_bytes, at least for one row if it is kept, otherwise for one piece. read
 * is called for consecutive elements; if rows are empty, once for each of them, with 0 elements. */
int rows_new(struct rows *r, const struct rows_shape *shape, size_t max_bytes,
             int (*read)(void *source, void *to, size_t n_elems, struct hagg_err *err),
             void *source, struct hagg_err *err);

/* Returns the n elements from a column of a row on; NULL on failure. If next is true, this is the
 * row after the last one, and its pieces must be requested one after the other: columns 0,
 * piece_elems, .. If it is false, this is the same row as before, which must be kept. Valid until
 * the next row is requested; if rows are not kept, until the next call. */
const void *rows_at(struct rows *r, bool next, size_t column, size_t n, struct hagg_err *err);

/* Wipes the rows. */
void rows_free(struct rows *r);

#endif
