/*
 * record_files.h - finds the files with records at a path.
 */
#ifndef HAGG_COST_RECORD_FILES_H
#define HAGG_COST_RECORD_FILES_H

#include <stdint.h>

#include "err.h"

typedef int record_files_fn(void *arg, const char *path, struct hagg_err *err);

/* Calls fn for the path itself or, if it is a directory, for every regular file below it that
 * begins like a record, sorted by name. The number of other files is added to *n_others. Symbolic
 * links below the directory are not followed. */
int record_files_each(const char *path, record_files_fn *fn, void *arg, uint64_t *n_others,
                      struct hagg_err *err);

#endif
