/*
 * filecache.h - many input files that are read piece by piece. A limited number of them stay open;
 * the others are opened for each read.
 */
#ifndef HAGG_FILECACHE_H
#define HAGG_FILECACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/* Initialise to all zero. filecache_acquire and filecache_release may be called from several
 * threads at once. */
struct filecache {
    struct filecache_file *files;
    size_t n, capacity, n_open, max_open;
    pthread_mutex_t lock; /* initialised with the first file */
};

/* Adds a file, without opening it, and sets *index to its number. "-" is standard input. */
int filecache_add(struct filecache *c, const char *path, size_t *index, struct hagg_err *err);

/* Returns the name for messages. */
const char *filecache_name(const struct filecache *c, size_t index);

/* Returns a descriptor of the file, to be released with filecache_release; -1 on failure. */
int filecache_acquire(struct filecache *c, size_t index, struct hagg_err *err);
void filecache_release(struct filecache *c, size_t index, int fd);

void filecache_free(struct filecache *c);

#endif
