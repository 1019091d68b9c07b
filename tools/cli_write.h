/*
 * cli_write.h - writes a text to a file. In a file of its own, because commands that write no files
 * are not linked with libcrypto.
 */
#ifndef HAGG_CLI_WRITE_H
#define HAGG_CLI_WRITE_H

#include "base/text.h"
#include "err.h"

/* The file appears complete or not at all; "-" is standard output. */
int cli_write(const char *path, const struct text *t, struct hagg_err *err);

#endif
