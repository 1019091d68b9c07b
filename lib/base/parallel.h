/*
 * parallel.h - runs the items of a job on several threads.
 */
#ifndef HAGG_PARALLEL_H
#define HAGG_PARALLEL_H

#include <stddef.h>

#include "err.h"

struct parallel;

/* Returns a pool of n_threads threads, including the calling one: n_threads - 1 are started.
 * Returns NULL on failure. */
struct parallel *parallel_new(unsigned n_threads, struct hagg_err *err);

/* p may be NULL. */
void parallel_free(struct parallel *p);

/* Returns the number of threads including the calling one; 1 if p is NULL. */
unsigned parallel_threads(const struct parallel *p);

/* Calls work(arg, i) once for each i < n, and returns when all calls have returned. If p is NULL,
 * the calls are made one after the other. */
void parallel_run(struct parallel *p, void (*work)(void *arg, size_t i), void *arg, size_t n);

#endif
