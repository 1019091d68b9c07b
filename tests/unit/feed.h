/*
 * feed.h - provides bytes as a file, or as a pipe that a child process fills.
 */
#ifndef HAGG_FEED_H
#define HAGG_FEED_H

#include <stddef.h>
#include <sys/types.h>

/* Returns a path from which these bytes can be read like a file, valid until the next call. Ends
 * the program on failure. */
const char *feed_file(const void *bytes, size_t n);

/* The same for a topology with keys: the text, and a line protocol keys after it. */
const char *feed_keys(const char *text);

/* Returns the content of the file at path, malloc'ed for the caller. */
unsigned char *feed_content(const char *path, size_t *n);

/* Makes a pipe that a child fills, with n_write bytes per write. Returns the descriptor to read
 * from. */
int feed_pipe(const void *bytes, size_t n, size_t n_write, pid_t *child);

/* Waits for the child, which ends when everything is read or the pipe is closed. */
void feed_wait(pid_t child);

/* Returns a path of a descriptor, for functions that open a path. Valid until the next call. */
const char *feed_path(int fd);

#endif
