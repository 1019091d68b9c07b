/*
 * alloc.h - watches the memory that the code under test takes, and refuses it at a chosen moment.
 *
 * Linked with unit_alloc, every malloc, calloc, realloc, reallocarray, aligned_alloc, strdup and
 * free of our own objects comes through here; those inside shared libraries do not.
 */
#ifndef HAGG_ALLOC_H
#define HAGG_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Counts from zero again and refuses nothing. */
void alloc_watch(void);

/* The same, but the request number n from now, counted from 0, is refused. */
void alloc_refuse(unsigned long n);

/* Since then: bytes asked for in all, whatever was freed; and whether one was refused. */
size_t alloc_bytes(void);
bool alloc_refused(void);

/* From now on, blocks of least to most bytes must be all zero when they are freed: in their first
 * len bytes, or as far as they were asked for, whichever is less. */
void alloc_expect_wiped(size_t least, size_t most, size_t len);

/* How many of them were freed since, or -1 when one was not wiped. */
int alloc_n_wiped(void);

#endif
