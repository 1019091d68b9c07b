/*
 * scratch.h - files in a directory of the test's own, which is gone when the test ends.
 */
#ifndef HAGG_SCRATCH_H
#define HAGG_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "header.h"

/* The path of a name in the directory. It is good until 16 more were asked for. */
const char *scratch_path(const char *name);

/* A file with these bytes, whatever was there before. */
void scratch_write(const char *path, const void *bytes, size_t n);

/* Whether there is a file with exactly these bytes. */
bool scratch_holds(const char *path, const void *bytes, size_t n);

/* How many names the directory has that begin so. */
size_t scratch_count(const char *beginning);

/* Adds a record to the end of the file. */
void scratch_record(const char *path, const struct header *h, size_t elem_size,
                    const uint64_t *elems, size_t n_elems);

#endif
