/*
 * alloc.h - watches the memory that the code under test allocates, and refuses a chosen request.
 *
 * With unit_alloc linked, every malloc, calloc, realloc, reallocarray, aligned_alloc, strdup and
 * free of our own objects is intercepted, but not those inside shared libraries.
 */
#ifndef HAGG_ALLOC_H
#define HAGG_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Restarts counting, and refuses nothing. */
void alloc_watch(void);

/* The same, but refuses request number n from now, counted from 0. */
void alloc_refuse(unsigned long n);

/* Since then: the total of bytes requested, including those freed; and whether a request was
 * refused. */
size_t alloc_bytes(void);
bool alloc_refused(void);

/* From now on, the first len bytes (or all, if fewer) of blocks of least to most bytes must be zero
 * when they are freed. */
void alloc_expect_wiped(size_t least, size_t most, size_t len);

/* Returns how many of these were freed since, or -1 if one was not wiped. */
int alloc_n_wiped(void);

#endif
