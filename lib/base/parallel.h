/*
 * parallel.h - runs pieces of work on several threads.
 */
#ifndef HAGG_PARALLEL_H
#define HAGG_PARALLEL_H

#include <stddef.h>

#include "err.h"

struct parallel;

/* A pool of n_threads, the calling one among them; one thread needs no pool and gives none started.
 * NULL on failure. */
struct parallel *parallel_new(unsigned n_threads, struct hagg_err *err);

/* NULL is fine. */
void parallel_free(struct parallel *p);

/* How many threads run at once; 1 for a pool that is NULL. */
unsigned parallel_threads(const struct parallel *p);

/* Calls work(arg, i) once for every i < n, and returns when all have returned. A pool that is NULL
 * runs them one after the other. */
void parallel_run(struct parallel *p, void (*work)(void *arg, size_t i), void *arg, size_t n);

#endif
