#include "base/array.h"

#include <stdlib.h>
#include <string.h>

int array_reserve(void *array, size_t n, size_t *capacity, size_t size)
{
    size_t larger = 2 * *capacity + 4;
    void *elements;

    if (n <= *capacity)
        return 0;
    if (larger < n) /* also if 2 * *capacity overflowed */
        larger = n;
    /* *array is not a void *, so reading it as one would break strict aliasing: copy its bytes */
    memcpy(&elements, array, sizeof elements);
    elements = reallocarray(elements, larger, size);
    if (!elements)
        return -1;
    memcpy(array, &elements, sizeof elements);
    *capacity = larger;
    return 0;
}
