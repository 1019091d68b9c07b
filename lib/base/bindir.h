/*
 * bindir.h - where the running command is, so that an installation may be moved as a whole.
 */
#ifndef HAGG_BINDIR_H
#define HAGG_BINDIR_H

#include <stddef.h>

/* The directory of the running executable, without a slash at its end; -1 if the kernel does not
 * report it or size is too small. */
int bindir_get(char *dir, size_t size);

#endif
