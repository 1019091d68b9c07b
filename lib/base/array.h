/*
 * array.h - arrays that grow: room for more elements, at a constant cost for each.
 */
#ifndef HAGG_ARRAY_H
#define HAGG_ARRAY_H

#include <stddef.h>

/* Room for n elements of this size, at least. array is the address of the pointer to them, which
 * is NULL while *capacity is 0; free() releases it. 0; or -1 with errno, and then nothing has
 * changed. */
int array_reserve(void *array, size_t n, size_t *capacity, size_t size);

/* The same for a pointer and a capacity that are named as they are. */
#define ARRAY_RESERVE(array, n, capacity) array_reserve(&(array), (n), &(capacity), sizeof *(array))

#endif
