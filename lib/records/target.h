/*
 * target.h - the rule for the paths of outputs, the same for every output of every command.
 *
 * An output is a new file, or replaces a regular file of the user. A device in /dev and a
 * descriptor of the process (/dev/stdout, /dev/fd/N) are written in place. Everything else is
 * refused: what is written to a FIFO, a link or a file of somebody else may be read by others. The
 * last component of the path is never a symbolic link, and no other component is a symbolic link of
 * another user than root. An output never replaces an input of the same process.
 */
#ifndef HAGG_TARGET_H
#define HAGG_TARGET_H

#include "err.h"

enum target {
    TARGET_NEW,        /* there is no such file */
    TARGET_OLD,        /* a regular file that may be replaced */
    TARGET_DEVICE,     /* in /dev */
    TARGET_DESCRIPTOR, /* of the process; see infile_descriptor */
};

/* Finds what path is now. HAGG_E_PRIVACY if the rule above refuses it, HAGG_E_USAGE if it is an
 * input. */
int target_check(const char *path, enum target *target, struct hagg_err *err);

/* Sets the error for an output that is an input. */
int target_fail_input(const char *name, struct hagg_err *err);

#endif
