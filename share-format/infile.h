/*
 * infile.h - opens input files, so that nobody who can write to an inbox can stop a command, and
 * remembers them, so that no output replaces an input.
 *
 * An input is a regular file; or, if its path says so, a descriptor of the process (/dev/stdin,
 * /dev/fd/N, as a shell makes for <(command)) or a device in /dev. A FIFO with a name is refused,
 * because opening or reading it may never end. Symbolic links to regular files are followed.
 */
#ifndef HAGG_INFILE_H
#define HAGG_INFILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "err.h"

/* Opens path for reading; "-" is standard input. Returns the descriptor, or -1. */
int infile_open(const char *path, struct hagg_err *err);

/* Closes a descriptor of infile_open, unless it is standard input or -1. */
void infile_close(int fd);

/* Refuses a secret that others can read or change: HAGG_E_PRIVACY if fd is a regular file with
 * permissions for group or others. name is for messages. */
int infile_check_private(int fd, const char *name, struct hagg_err *err);

/* Remembers that fd is an input, if it is a regular file. infile_open does this. */
int infile_note(int fd, const char *name, struct hagg_err *err);

/* Returns true if the process has opened this file as an input. */
bool infile_was_read(const struct stat *st);

/* Undoes infile_note, for an old output that was read only to decide whether to replace it. */
void infile_forget(const struct stat *st);

/* Returns the number of the descriptor that a path such as /dev/stdin, /dev/fd/3 or /proc/self/fd/3
 * names; -1 if it names none. */
int infile_descriptor(const char *path);

/* Returns true if a path in /dev is itself a device, not a link to one. */
bool infile_is_device(const char *path);

#endif
