/*
 * array.h - growing arrays, at an amortised constant cost per element.
 */
#ifndef HAGG_ARRAY_H
#define HAGG_ARRAY_H

#include <stddef.h>

/* Makes room for at least n elements of the given size. array is the address of the pointer to the
 * elements, which is NULL while *capacity is 0; release it with free(). Returns 0, or -1 with errno
 * set and everything unchanged. */
int array_reserve(void *array, size_t n, size_t *capacity, size_t size);

/* The same, for lvalues instead of their addresses. */
#define ARRAY_RESERVE(array, n, capacity) array_reserve(&(array), (n), &(capacity), sizeof *(array))

#endif
