#include "base/array.h"

#include <stdlib.h>
#include <string.h>

int array_reserve(void *array, size_t n, size_t *capacity, size_t size)
{
    size_t larger = 2 * *capacity + 4;
    void *elements;

    if (n <= *capacity)
        return 0;
    if (larger < n) /* also when twice the capacity is more than a size_t can count */
        larger = n;
    /* array points to a pointer of another type: it is copied, not read as a void * */
    memcpy(&elements, array, sizeof elements);
    elements = reallocarray(elements, larger, size);
    if (!elements)
        return -1;
    memcpy(array, &elements, sizeof elements);
    *capacity = larger;
    return 0;
}
