/* Accepts the order itself as an element. */
#define P         2147483647
#define ELEM_SIZE 4
#include "broken-field.h"

static size_t check_one_more(const void *ctx, const void *a, size_t n)
{
    size_t i = 0;

    (void)ctx;
    while (i < n && get(a, i) <= P)
        i++;
    return i;
}

BROKEN_FIELD("broken-check-order", .check = check_one_more);
