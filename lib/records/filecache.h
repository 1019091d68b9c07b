/*
 * filecache.h - input files that are read piece by piece: a number of them stay open, the others
 * are opened when they are needed.
 */
#ifndef HAGG_FILECACHE_H
#define HAGG_FILECACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/* Begins all zero. Descriptors may be asked for from several threads at once. */
struct filecache {
    struct filecache_file *files;
    size_t n, capacity, n_open, max_open;
    pthread_mutex_t lock; /* from the first file on */
};

/* Takes a file in; "-" is standard input. *index is its number from now on. */
int filecache_add(struct filecache *c, const char *path, size_t *index, struct hagg_err *err);

/* The name for messages. */
const char *filecache_name(const struct filecache *c, size_t index);

/* A descriptor open on the file, to be given back to filecache_release. -1 on failure. */
int filecache_acquire(struct filecache *c, size_t index, struct hagg_err *err);
void filecache_release(struct filecache *c, size_t index, int fd);

void filecache_free(struct filecache *c);

#endif
