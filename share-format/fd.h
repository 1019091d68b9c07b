/*
 * fd.h - read(2) and write(2) that continue after a signal.
 */
#ifndef HAGG_FD_H
#define HAGG_FD_H

#include <stddef.h>
#include <sys/types.h>

#include "err.h"

/* Writes all n bytes. name is for messages. */
int fd_write(int fd, const char *name, const void *bytes, size_t n, struct hagg_err *err);

/* Reads once. Returns the number of bytes read, at most n; 0 at the end, -1 on failure. */
ssize_t fd_read(int fd, const char *name, void *to, size_t n, struct hagg_err *err);

#endif
