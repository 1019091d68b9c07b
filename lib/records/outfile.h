/*
 * outfile.h - output files that appear complete or not at all.
 *
 * A file is written without a name if the file system supports that, otherwise under a temporary
 * name in the same directory. It is then synced and renamed. Until then an existing file of that
 * name is unchanged. target.h states which existing files are replaced or written to.
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
    char *old;       /* while it is published: another name of the file that it replaces, or NULL */
    bool replaces;   /* While it is published: true if it replaces a file. */
    bool in_place;   /* True if it has its final name. */
    bool is_new;     /* False if written in place: a device or a descriptor of the process. */
    bool readable;   /* True if it is a file, opened by the shell, that others can read. */
    bool exclusive;  /* True if it must not replace a file. */
    int fd;
};

/* Opens path for writing, with this mode minus the umask. "-" is standard output, which is refused
 * if it is a terminal unless allow_terminal is set. */
int outfile_open(struct outfile *f, const char *path, mode_t mode, bool allow_terminal,
                 struct hagg_err *err);

/* Makes outfile_publish fail if a file of that name exists then, and fails if one exists now. Call
 * it after outfile_open. */
int outfile_set_exclusive(struct outfile *f, struct hagg_err *err);

/* Fails, with the same message, if a file of that name exists. */
int outfile_check_absent(const char *path, struct hagg_err *err);

/* Reserves space for a file that was just opened. n_bytes is its approximate size. */
void outfile_reserve(const struct outfile *f, uint64_t n_bytes);

/* Makes the kernel start writing to disk, so that outfile_sync has less to wait for. */
void outfile_start_sync(const struct outfile *f);

/* Waits until the content is on disk. */
int outfile_sync(struct outfile *f, struct hagg_err *err);

/* Closes the files, renames all of them to their final names, and syncs their directories. Call
 * outfile_sync for each of them before. On failure no name is changed: files that were replaced are
 * there again, and new ones are not. (On a file system without hard links, a file that was replaced
 * before the failure stays replaced.) Signals are blocked meanwhile, so only SIGKILL or a power
 * loss can leave some files new and others old. */
int outfile_publish(struct outfile *const files[], size_t n, struct hagg_err *err);

/* Syncs the directory of path, so that names in it survive a crash. */
int outfile_sync_directory(const char *path, struct hagg_err *err);

/* Calls outfile_sync and outfile_publish for a single file. */
int outfile_finish(struct outfile *f, struct hagg_err *err);

/* Removes the file if it was not published. f may be all zero. */
void outfile_discard(struct outfile *f);

#endif
