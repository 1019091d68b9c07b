/*
 * record_files.h - finds the files of records that a path stands for.
 */
#ifndef HAGG_COST_RECORD_FILES_H
#define HAGG_COST_RECORD_FILES_H

#include <stdint.h>

#include "err.h"

typedef int record_files_fn(void *arg, const char *path, struct hagg_err *err);

/* Calls take for the path itself or, if it is a directory, for every regular file below it that
 * begins as a record does, by name; the others are added to *n_others. Symbolic links below it are
 * not followed. */
int record_files_each(const char *path, record_files_fn *take, void *arg, uint64_t *n_others,
                      struct hagg_err *err);

#endif
