/*
 * outfile.h - output files that appear complete or not at all.
 *
 * A file is written beside its final name, synced and renamed; until then what stood there stays. A
 * set of files is renamed only when all of them are written.
 */
#ifndef HAGG_OUTFILE_H
#define HAGG_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "err.h"

struct outfile {
    char *path;      /* for messages: "standard output" for "-" */
    char *temporary; /* NULL: written in place, a pipe or device */
    int fd;
};

/* Opens path for writing with this mode, less the umask; "-" is standard output, refused while that
 * is a terminal unless allow_terminal. What exists and is no regular file is written in place. */
int outfile_open(struct outfile *f, const char *path, mode_t mode, bool allow_terminal,
                 struct hagg_err *err);

/* Asks the kernel to begin writing to disk what outfile_close will wait for. */
void outfile_start_sync(const struct outfile *f);

/* Syncs and closes. The file has still its temporary name. */
int outfile_close(struct outfile *f, struct hagg_err *err);

/* Gives it its name, and makes that last. */
int outfile_publish(struct outfile *f, struct hagg_err *err);

/* A name lasts once the directory it is in is on disk. */
int outfile_sync_directory(const char *path, struct hagg_err *err);

/* Removes what was not published. One that is all zero is fine. */
void outfile_discard(struct outfile *f);

#endif
