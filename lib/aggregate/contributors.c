#include "aggregate/contributors.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Returns the index of the first span that ends at number or later. */
static size_t find(const struct contributors *c, uint32_t number)
{
    size_t low = 0, high = c->n;

    /* clients mostly arrive in ascending order */
    if (c->n > 0 && c->spans[c->n - 1].last < number)
        return c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->spans[middle].last < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int contributors_add(struct contributors *c, struct header_range range, size_t source,
                     uint32_t *client, size_t *earlier, struct hagg_err *err)
{
    size_t at = find(c, range.first);

    if (at < c->n && c->spans[at].first <= range.last) {
        *client = c->spans[at].first > range.first ? c->spans[at].first : range.first;
        *earlier = c->spans[at].source;
        return 0;
    }
    if (ARRAY_RESERVE(c->spans, c->n + 1, c->capacity))
        return err_errno(err, "no memory for a set of clients");
    memmove(c->spans + at + 1, c->spans + at, (c->n - at) * sizeof *c->spans);
    c->spans[at] = (struct contributors_span){ range.first, range.last, source };
    c->n++;
    return 1;
}

int contributors_ranges(const struct contributors *c, struct header_range **ranges, size_t *n,
                        struct hagg_err *err)
{
    *n = 0;
    *ranges = calloc(c->n + 1, sizeof **ranges);
    if (!*ranges)
        return err_errno(err, "no memory for a set of clients");
    for (size_t i = 0; i < c->n; i++) {
        struct header_range *before = *n > 0 ? &(*ranges)[*n - 1] : NULL;

        if (before && before->last + 1 == c->spans[i].first)
            before->last = c->spans[i].last;
        else
            (*ranges)[(*n)++] = (struct header_range){ c->spans[i].first, c->spans[i].last };
    }
    return 0;
}

void contributors_free(struct contributors *c)
{
    free(c->spans);
    *c = (struct contributors){ 0 };
}
