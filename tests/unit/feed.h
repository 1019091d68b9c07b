/*
 * feed.h - bytes as a file or as a pipe that a child process fills, for readers to read.
 */
#ifndef HAGG_FEED_H
#define HAGG_FEED_H

#include <stddef.h>
#include <sys/types.h>

/* A path at which these bytes can be read, from their first one on, as from a file. It is good
 * until the next call, and is what a failed test shows; it ends the program if it must. */
const char *feed_file(const void *bytes, size_t n);

/* What was written to the file at path. Malloc'ed for the caller. */
unsigned char *feed_content(const char *path, size_t *n);

/* A pipe whose other end a child fills, so many bytes a write. The descriptor to read from. */
int feed_pipe(const void *bytes, size_t n, size_t n_write, pid_t *child);

/* Waits for the child, which ends once all is read or the pipe is closed. */
void feed_wait(pid_t child);

/* The path of a descriptor, for what opens by path. It is good until the next call. */
const char *feed_path(int fd);

#endif
