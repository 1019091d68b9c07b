/*
 * outfile.h - output files that appear complete or not at all.
 *
 * A file is written without a name where the file system can do that, beside its final name where
 * it cannot; then synced, and renamed. Until then what stood there stays. Of a set of files, all
 * are synced before the first gets its name.
 */
#ifndef HAGG_OUTFILE_H
#define HAGG_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "err.h"

struct outfile {
    char *path;      /* for messages: "standard output" for "-" */
    char *temporary; /* its name until it is published, or NULL while it has none */
    bool is_new;     /* false: written in place, a pipe or device */
    int fd;
};

/* Opens path for writing with this mode, less the umask; "-" is standard output, refused while that
 * is a terminal unless allow_terminal. What exists and is no regular file is written in place. Of a
 * link to a file, the file is replaced and not the link. */
int outfile_open(struct outfile *f, const char *path, mode_t mode, bool allow_terminal,
                 struct hagg_err *err);

/* Says how large a file that was just opened will be, about: room is found for it in one piece. */
void outfile_reserve(const struct outfile *f, uint64_t n_bytes);

/* Asks the kernel to begin writing to disk what outfile_sync will wait for. */
void outfile_start_sync(const struct outfile *f);

/* Waits until what was written is on disk. */
int outfile_sync(struct outfile *f, struct hagg_err *err);

/* Closes the file and gives it its name, which lasts once outfile_sync_directory was called. */
int outfile_publish(struct outfile *f, struct hagg_err *err);

/* A name lasts once the directory it is in is on disk. */
int outfile_sync_directory(const char *path, struct hagg_err *err);

/* All three, for a file that is alone. */
int outfile_finish(struct outfile *f, struct hagg_err *err);

/* Removes what was not published. One that is all zero is fine. */
void outfile_discard(struct outfile *f);

#endif
