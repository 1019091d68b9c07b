/*
 * outfile.h - output files that appear complete or not at all.
 *
 * A file is written without a name if the file system supports that, otherwise under a temporary
 * name in the same directory. It is then synced and renamed. Until then an existing file of that
 * name is unchanged. In a set of files, all are synced before the first is renamed.
 */
#ifndef HAGG_OUTFILE_H
#define HAGG_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "err.h"

struct outfile {
    char *path;      /* final name; "standard output" for "-" */
    char *temporary; /* name until it is published, or NULL */
    bool is_new;     /* False if written in place: a pipe or device. */
    bool exclusive;  /* True if it must not replace a file. */
    int fd;
};

/* Opens path for writing, with this mode minus the umask. "-" is standard output, which is refused
 * if it is a terminal unless allow_terminal is set. An existing path that is not a regular file is
 * written in place. If path is a symbolic link to a file, the file is replaced, not the link. */
int outfile_open(struct outfile *f, const char *path, mode_t mode, bool allow_terminal,
                 struct hagg_err *err);

/* Makes outfile_publish fail if a file of that name exists then, and fails if one exists now. Call
 * it after outfile_open. */
int outfile_set_exclusive(struct outfile *f, struct hagg_err *err);

/* Reserves space for a file that was just opened. n_bytes is its approximate size. */
void outfile_reserve(const struct outfile *f, uint64_t n_bytes);

/* Makes the kernel start writing to disk, so that outfile_sync has less to wait for. */
void outfile_start_sync(const struct outfile *f);

/* Waits until the content is on disk. */
int outfile_sync(struct outfile *f, struct hagg_err *err);

/* Closes the file and renames it to its final name. Call outfile_sync_directory afterwards to make
 * the name durable. */
int outfile_publish(struct outfile *f, struct hagg_err *err);

/* Syncs the directory of path, so that the name survives a crash. */
int outfile_sync_directory(const char *path, struct hagg_err *err);

/* Calls the three functions above, for a single file. */
int outfile_finish(struct outfile *f, struct hagg_err *err);

/* Removes the file if it was not published. f may be all zero. */
void outfile_discard(struct outfile *f);

#endif
