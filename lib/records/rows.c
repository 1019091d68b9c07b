#include "records/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/large.h"

int rows_new(struct rows *r, const struct rows_shape *shape, size_t max_bytes,
             int (*read)(void *source, void *to, size_t n_elems, struct hagg_err *err),
             void *source, struct hagg_err *err)
{
    size_t max_elems = max_bytes / shape->elem_size, row = shape->row_elems;

    *r = (struct rows){ .shape = *shape, .read = read, .source = source };
    r->left = shape->n_rows * row;
    r->whole = shape->keeps || row <= max_elems;
    if (r->whole)
        r->room = row == 0 || max_elems < row ? row : max_elems - max_elems % row;
    else
        r->room = max_elems < shape->piece_elems ? shape->piece_elems
                                                 : max_elems - max_elems % shape->piece_elems;
    if (r->room > r->left)
        r->room = (size_t)r->left;
    r->buffer = malloc((r->room + 1) * shape->elem_size);
    if (!r->buffer)
        return err_errno(err, "no memory for a row of %zu elements", row);
    large_hint(r->buffer, r->room * shape->elem_size);
    return 0;
}

/* Fills the buffer with the next elements, at most max. */
static int fill(struct rows *r, size_t max, struct hagg_err *err)
{
    r->n = r->left < max ? (size_t)r->left : max;
    r->next = 0;
    r->left -= r->n;
    if (r->touched < r->n)
        r->touched = r->n;
    return r->read(r->source, r->buffer, r->n, err);
}

const void *rows_at(struct rows *r, bool next, size_t column, size_t n, struct hagg_err *err)
{
    size_t row = r->shape.row_elems;

    if (r->whole && next && column == 0) {
        if (r->next == r->n && fill(r, r->room, err))
            return NULL;
        r->row = r->next;
        r->next += row;
    }
    if (r->whole)
        return r->buffer + (r->row + column) * r->shape.elem_size;
    if (r->next == r->n && fill(r, row - column < r->room ? row - column : r->room, err))
        return NULL;
    r->row = r->next;
    r->next += n;
    return r->buffer + r->row * r->shape.elem_size;
}

void rows_free(struct rows *r)
{
    if (r->buffer)
        explicit_bzero(r->buffer, r->touched * r->shape.elem_size);
    free(r->buffer);
    *r = (struct rows){ 0 };
}
