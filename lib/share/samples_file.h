/*
 * samples_file.h - reads the number of samples from a file.
 */
#ifndef HAGG_SAMPLES_FILE_H
#define HAGG_SAMPLES_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Sets *count to the number in the file, or in standard input if path is "-". HAGG_E_MALFORMED
 * unless it contains one decimal number up to INT64_MAX, with at most one newline after it, and
 * nothing else. The number is secret: messages do not contain it. */
int samples_file_load(uint64_t *count, const char *path, struct hagg_err *err);

/* The same for n counts, each on a line of its own. */
int samples_file_load_lines(uint64_t *counts, size_t n, const char *path, struct hagg_err *err);

#endif
