#include "rangeset.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first range that ends at number or later. */
static size_t find(const struct rangeset *set, uint64_t number)
{
    size_t low = 0, high = set->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (set->ranges[middle].last < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int make_room(struct rangeset *set, struct hagg_err *err)
{
    size_t capacity = 2 * set->capacity + 16;
    struct header_range *ranges;

    if (set->n < set->capacity)
        return 0;
    ranges = reallocarray(set->ranges, capacity, sizeof *ranges);
    if (!ranges)
        return err_errno(err, "no memory for a set of clients");
    set->ranges = ranges;
    set->capacity = capacity;
    return 0;
}

int rangeset_add(struct rangeset *set, uint32_t first, uint32_t last, struct hagg_err *err)
{
    /* ranges that overlap the new one or touch it melt into it */
    size_t begin = find(set, first > 0 ? first - 1 : 0), end = begin;
    struct header_range merged = { first, last };

    while (end < set->n && set->ranges[end].first <= (uint64_t)last + 1) {
        if (set->ranges[end].first < merged.first)
            merged.first = set->ranges[end].first;
        if (set->ranges[end].last > merged.last)
            merged.last = set->ranges[end].last;
        end++;
    }
    if (begin == end && make_room(set, err))
        return -1;
    if (set->n > end || begin == end)
        memmove(set->ranges + begin + 1, set->ranges + end, (set->n - end) * sizeof *set->ranges);
    set->n = set->n - (end - begin) + 1;
    set->ranges[begin] = merged;
    return 0;
}

void rangeset_free(struct rangeset *set)
{
    free(set->ranges);
    *set = (struct rangeset){ 0 };
}
