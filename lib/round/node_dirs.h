/*
 * node_dirs.h - the directories of a node in a round: in, out and private.
 */
#ifndef HAGG_ROUND_NODE_DIRS_H
#define HAGG_ROUND_NODE_DIRS_H

#include <sys/types.h>

#include "err.h"

/* Creates the directory, those above it, and in, out and private in it, unless they exist. inbox is
 * the mode of a new in; a new out or private has mode 0700.
 *
 * HAGG_E_PRIVACY if other users could have changed or read the files of the node: the directory,
 * in, out or private belongs to another user, is a link, or can be written to by others, except in;
 * others have any access to private; or a directory of the path belongs to a user other than root,
 * or can be written to by others and is not sticky. */
int node_dirs_prepare(const char *path, mode_t inbox, struct hagg_err *err);

#endif
