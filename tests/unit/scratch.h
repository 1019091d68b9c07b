/*
 * scratch.h - files in a temporary directory, which is removed when the test ends.
 */
#ifndef HAGG_SCRATCH_H
#define HAGG_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "header.h"

/* Returns the path of a name in the directory, valid for the next 16 calls. */
const char *scratch_path(const char *name);

/* Writes a file with these bytes, and replaces an existing one. */
void scratch_write(const char *path, const void *bytes, size_t n);

/* Returns true if the file has exactly these bytes. */
bool scratch_holds(const char *path, const void *bytes, size_t n);

/* Returns the number of names in the directory that begin with this. */
size_t scratch_count(const char *beginning);

/* Appends a record to the file. */
void scratch_record(const char *path, const struct header *h, size_t elem_size,
                    const uint64_t *elems, size_t n_elems);

#endif
