#include "round/links.h"

#include <stdlib.h>

#include "base/array.h"

int links_add_third(struct links *l, uint32_t of, uint32_t with, uint32_t third,
                    struct hagg_err *err)
{
    if (ARRAY_RESERVE(l->pairs, l->n + 1, l->capacity))
        return err_errno(err, "no memory for the links of a round");
    l->pairs[l->n++] = (struct link){ of, with, third };
    return 0;
}

int links_add(struct links *l, uint32_t of, uint32_t with, struct hagg_err *err)
{
    return links_add_third(l, of, with, 0, err);
}

static int compare(const void *left, const void *right)
{
    const struct link *a = left, *b = right;

    if (a->of != b->of)
        return a->of < b->of ? -1 : 1;
    if (a->with != b->with)
        return a->with < b->with ? -1 : 1;
    return a->third < b->third ? -1 : a->third > b->third;
}

void links_sort(struct links *l)
{
    size_t n = 0;

    if (l->n == 0)
        return;
    qsort(l->pairs, l->n, sizeof *l->pairs, compare);
    for (size_t i = 0; i < l->n; i++)
        if (i == 0 || compare(&l->pairs[n - 1], &l->pairs[i]))
            l->pairs[n++] = l->pairs[i];
    l->n = n;
}

int links_reverse(const struct links *l, struct links *back, struct hagg_err *err)
{
    for (size_t i = 0; i < l->n; i++)
        if (links_add_third(back, l->pairs[i].with, l->pairs[i].of, l->pairs[i].third, err))
            return -1;
    links_sort(back);
    return 0;
}

/* The number of pairs before this one. */
static size_t place(const struct links *l, struct link pair)
{
    size_t low = 0, high = l->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(&l->pairs[middle], &pair) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct link *links_of(const struct links *l, uint32_t of, size_t *n)
{
    size_t first = place(l, (struct link){ of, 0, 0 });

    for (*n = 0; first + *n < l->n && l->pairs[first + *n].of == of; ++*n)
        ;
    return l->pairs + first;
}

void links_free(struct links *l)
{
    free(l->pairs);
    *l = (struct links){ 0 };
}
