#include "records/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "records/disk_hint.h"

static int fail_open(struct outfile *f, const char *path, struct hagg_err *err)
{
    err_errno(err, "%s", path);
    outfile_discard(f);
    return -1;
}

static int open_stdout(struct outfile *f, bool allow_terminal, struct hagg_err *err)
{
    if (!allow_terminal && isatty(STDOUT_FILENO))
        return err_set(err, HAGG_E_USAGE,
                       "standard output is a terminal: redirect it, or use -o FILE, or -o - to "
                       "write there anyway");
    f->path = strdup("standard output");
    if (!f->path)
        return fail_open(f, "standard output", err);
    f->fd = STDOUT_FILENO;
    return 0;
}

static mode_t current_umask(void)
{
    mode_t mask = umask(077);

    umask(mask);
    return mask;
}

/* Opens a new file with an unused name in the directory of path. */
static int open_named(struct outfile *f, const char *path, struct hagg_err *err)
{
    if (asprintf(&f->temporary, "%s.XXXXXX", path) < 0) {
        f->temporary = NULL;
        return fail_open(f, path, err);
    }
    f->fd = mkostemp(f->temporary, O_CLOEXEC);
    if (f->fd < 0) {
        free(f->temporary);
        f->temporary = NULL;
        return fail_open(f, path, err);
    }
    return 0;
}

/* Opens a new file in the directory of path that has no name until it is published, so that a
 * killed process leaves nothing behind. Not every file system supports this. */
static bool open_nameless(struct outfile *f, const char *path)
{
    char *copy = strdup(path);

    if (copy)
        f->fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    free(copy);
    return f->fd >= 0;
}

static int open_new(struct outfile *f, const char *path, mode_t mode, struct hagg_err *err)
{
    if (!open_nameless(f, path) && open_named(f, path, err))
        return -1;
    f->is_new = true;
    if (fchmod(f->fd, mode & ~current_umask()))
        return fail_open(f, path, err);
    return 0;
}

/* Replaces the path of a symbolic link by that of its target. */
static int follow_link(struct outfile *f)
{
    struct stat st;
    char *file;

    if (lstat(f->path, &st) || !S_ISLNK(st.st_mode))
        return 0;
    file = realpath(f->path, NULL);
    if (!file)
        return -1;
    free(f->path);
    f->path = file;
    return 0;
}

int outfile_open(struct outfile *f, const char *path, mode_t mode, bool allow_terminal,
                 struct hagg_err *err)
{
    struct stat st;

    *f = (struct outfile){ .fd = -1 };
    if (strcmp(path, "-") == 0)
        return open_stdout(f, allow_terminal, err);
    f->path = strdup(path);
    if (!f->path)
        return fail_open(f, path, err);
    if (stat(path, &st) == 0) {
        if (!S_ISREG(st.st_mode)) {
            f->fd = open(path, O_WRONLY | O_CLOEXEC);
            return f->fd < 0 ? fail_open(f, path, err) : 0;
        }
        /* otherwise the rename would replace the link, for instance /dev/stdout */
        if (follow_link(f))
            return fail_open(f, path, err);
    }
    return open_new(f, f->path, mode, err);
}

static int fail_existing(const struct outfile *f, struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM,
                   "%s: already exists and is not replaced: use another name, or remove it first",
                   f->path);
}

int outfile_set_exclusive(struct outfile *f, struct hagg_err *err)
{
    f->exclusive = true;
    return f->is_new && access(f->path, F_OK) == 0 ? fail_existing(f, err) : 0;
}

void outfile_reserve(const struct outfile *f, uint64_t n_bytes)
{
    if (f->is_new)
        disk_hint_reserve(f->fd, n_bytes);
}

void outfile_start_sync(const struct outfile *f)
{
    if (f->is_new)
        disk_hint_sync(f->fd);
}

int outfile_sync(struct outfile *f, struct hagg_err *err)
{
    if (f->is_new && fsync(f->fd))
        return err_errno(err, "%s", f->path);
    return 0;
}

int outfile_sync_directory(const char *path, struct hagg_err *err)
{
    char *copy = strdup(path);
    int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int status = 0;

    free(copy);
    /* a directory that is writable but not readable */
    if (fd < 0 && errno == EACCES)
        return 0;
    if (fd < 0)
        return err_errno(err, "%s", path);
    /* EINVAL: the file system cannot sync a directory */
    if (fsync(fd) && errno != EINVAL)
        status = err_errno(err, "%s", path);
    close(fd);
    return status;
}

/* Links a file without a name to a temporary name, because a link cannot replace an existing
 * file. */
static int link_temporary(struct outfile *f, struct hagg_err *err)
{
    char self[64];

    snprintf(self, sizeof self, "/proc/self/fd/%d", f->fd);
    for (unsigned i = 0; i < 1000; i++) {
        if (asprintf(&f->temporary, "%s.%06u", f->path, (unsigned)getpid() % 1000 * 1000 + i) < 0)
            f->temporary = NULL;
        else if (linkat(AT_FDCWD, self, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        else {
            free(f->temporary);
            f->temporary = NULL;
            if (errno == EEXIST)
                continue;
        }
        break;
    }
    return err_errno(err, "%s", f->path);
}

int outfile_publish(struct outfile *f, struct hagg_err *err)
{
    int fd = f->fd;

    if (f->is_new && !f->temporary && link_temporary(f, err))
        return -1;
    f->fd = -1;
    if (fd != STDOUT_FILENO && close(fd))
        return err_errno(err, "%s", f->path);
    if (!f->is_new)
        return 0;
    /* a link never replaces a file */
    if (f->exclusive && link(f->temporary, f->path))
        return errno == EEXIST ? fail_existing(f, err) : err_errno(err, "%s", f->path);
    if (f->exclusive ? unlink(f->temporary) : rename(f->temporary, f->path))
        return err_errno(err, "%s", f->path);
    free(f->temporary);
    f->temporary = NULL;
    return 0;
}

void outfile_discard(struct outfile *f)
{
    if (f->fd > STDERR_FILENO)
        close(f->fd);
    if (f->temporary)
        unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    *f = (struct outfile){ .fd = -1 };
}

int outfile_finish(struct outfile *f, struct hagg_err *err)
{
    bool is_new = f->is_new;

    if (outfile_sync(f, err) || outfile_publish(f, err))
        return -1;
    return is_new ? outfile_sync_directory(f->path, err) : 0;
}
