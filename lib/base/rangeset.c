#include "base/rangeset.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Returns the index of the first range that ends at number or later. */
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

int rangeset_add(struct rangeset *set, uint32_t first, uint32_t last, struct hagg_err *err)
{
    /* ranges that overlap or adjoin the new one are merged into it */
    size_t begin = find(set, first > 0 ? first - 1 : 0), end = begin;
    struct header_range merged = { first, last };

    while (end < set->n && set->ranges[end].first <= (uint64_t)last + 1) {
        if (set->ranges[end].first < merged.first)
            merged.first = set->ranges[end].first;
        if (set->ranges[end].last > merged.last)
            merged.last = set->ranges[end].last;
        end++;
    }
    if (begin == end && ARRAY_RESERVE(set->ranges, set->n + 1, set->capacity))
        return err_errno(err, "no memory for a set of clients");
    if (set->n > end || begin == end)
        memmove(set->ranges + begin + 1, set->ranges + end, (set->n - end) * sizeof *set->ranges);
    set->n = set->n - (end - begin) + 1;
    set->ranges[begin] = merged;
    return 0;
}

int rangeset_append(struct rangeset *set, uint32_t first, uint32_t last, struct hagg_err *err)
{
    if (ARRAY_RESERVE(set->ranges, set->n + 1, set->capacity))
        return err_errno(err, "no memory for a set of clients");
    set->ranges[set->n++] = (struct header_range){ first, last };
    return 0;
}

static int compare_ranges(const void *a, const void *b)
{
    uint32_t x = ((const struct header_range *)a)->first;
    uint32_t y = ((const struct header_range *)b)->first;

    return (x > y) - (x < y);
}

void rangeset_settle(struct rangeset *set)
{
    size_t n = 0;

    if (set->n > 0)
        qsort(set->ranges, set->n, sizeof *set->ranges, compare_ranges);
    for (size_t i = 0; i < set->n; i++) {
        struct header_range range = set->ranges[i];

        if (n > 0 && range.first <= (uint64_t)set->ranges[n - 1].last + 1) {
            if (range.last > set->ranges[n - 1].last)
                set->ranges[n - 1].last = range.last;
        } else
            set->ranges[n++] = range;
    }
    set->n = n;
}

uint64_t rangeset_overlap(const struct rangeset *set, uint32_t first, uint32_t last)
{
    uint64_t count = 0;

    for (size_t i = find(set, first); i < set->n && set->ranges[i].first <= last; i++) {
        uint32_t low = set->ranges[i].first > first ? set->ranges[i].first : first;
        uint32_t high = set->ranges[i].last < last ? set->ranges[i].last : last;

        count += (uint64_t)high - low + 1;
    }
    return count;
}

bool rangeset_difference(const struct header_range *a, size_t n_a, const struct header_range *b,
                         size_t n_b, struct header_range *range, bool *in_a)
{
    size_t i = 0;

    while (i < n_a && i < n_b && a[i].first == b[i].first && a[i].last == b[i].last)
        i++;
    if (i == n_a && i == n_b)
        return false;
    if (i == n_a || i == n_b) {
        *in_a = i < n_a;
        *range = i < n_a ? a[i] : b[i];
    } else if (a[i].first != b[i].first) {
        *in_a = a[i].first < b[i].first;
        *range = *in_a ? a[i] : b[i];
    } else {
        /* same first number: the difference starts after the end of the shorter range */
        *in_a = a[i].last > b[i].last;
        range->first = (*in_a ? b[i].last : a[i].last) + 1;
        range->last = *in_a ? a[i].last : b[i].last;
    }
    return true;
}

uint64_t rangeset_count(const struct rangeset *set)
{
    uint64_t count = 0;

    for (size_t i = 0; i < set->n; i++)
        count += (uint64_t)set->ranges[i].last - set->ranges[i].first + 1;
    return count;
}

void rangeset_free(struct rangeset *set)
{
    free(set->ranges);
    *set = (struct rangeset){ 0 };
}
