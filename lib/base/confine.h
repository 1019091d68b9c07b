/*
 * confine.h - gives up what a command does not need, so that an error in a parser, or a plugin, can
 * do less harm. What the kernel does not support is left out. None of this can be undone.
 */
#ifndef HAGG_CONFINE_H
#define HAGG_CONFINE_H

#include <stddef.h>

/* Core files and debuggers of the same user would reveal secrets in memory: forbids both. */
void confine_memory(void);

/* Forbids new privileges, and system calls that no command needs: programs, processes, sockets,
 * other processes' memory, mounts, modules, changes of users, input for terminals. Threads can
 * still be started. */
void confine_calls(void);

/* Forbids programs, and to create, write or remove files, except in these directories and below
 * them, and to write to devices in /dev. Files that are open stay as they are. Of a directory that
 * does not exist, the nearest one above it counts. NULL in the list is left out. */
void confine_files(const char *const *directories, size_t n);

#endif
