/*
 * bindir.h - the directory of the running command, so that an installation can be moved.
 */
#ifndef HAGG_BINDIR_H
#define HAGG_BINDIR_H

#include <stddef.h>

/* Writes the directory of the running executable to dir, without a trailing slash. Returns -1 if
 * the kernel does not report it or size is too small. */
int bindir_get(char *dir, size_t size);

#endif
