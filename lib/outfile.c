#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
                       "standard output is a terminal: redirect it, or say -o FILE, or -o - to "
                       "insist");
    f->path = strdup("standard output");
    if (!f->path)
        return fail_open(f, "standard output", err);
    f->fd = STDOUT_FILENO;
    return 0;
}

/* A new file beside path, with a name that nobody has. */
static int open_temporary(struct outfile *f, const char *path, mode_t mode, struct hagg_err *err)
{
    mode_t mask = umask(077);
    int fd = -1;

    umask(mask);
    if (asprintf(&f->temporary, "%s.XXXXXX", path) < 0)
        f->temporary = NULL;
    else
        fd = mkostemp(f->temporary, O_CLOEXEC);
    if (fd < 0) {
        free(f->temporary);
        f->temporary = NULL;
        return fail_open(f, path, err);
    }
    f->fd = fd;
    if (fchmod(fd, mode & ~mask))
        return fail_open(f, path, err);
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
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        f->fd = open(path, O_WRONLY | O_CLOEXEC);
        return f->fd < 0 ? fail_open(f, path, err) : 0;
    }
    return open_temporary(f, path, mode, err);
}

void outfile_start_sync(const struct outfile *f)
{
    /* a hint only: outfile_close finds out whether it was written */
    if (f->temporary)
        sync_file_range(f->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int outfile_close(struct outfile *f, struct hagg_err *err)
{
    int fd = f->fd;

    f->fd = -1;
    if (f->temporary && fsync(fd)) {
        err_errno(err, "%s", f->path);
        close(fd);
        return -1;
    }
    if (fd != STDOUT_FILENO && close(fd))
        return err_errno(err, "%s", f->path);
    return 0;
}

int outfile_sync_directory(const char *path, struct hagg_err *err)
{
    char *copy = strdup(path);
    int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int status = 0;

    free(copy);
    if (fd < 0)
        return err_errno(err, "%s", path);
    /* file systems that cannot sync a directory say EINVAL */
    if (fsync(fd) && errno != EINVAL)
        status = err_errno(err, "%s", path);
    close(fd);
    return status;
}

int outfile_publish(struct outfile *f, struct hagg_err *err)
{
    if (!f->temporary)
        return 0;
    if (rename(f->temporary, f->path))
        return err_errno(err, "%s", f->path);
    free(f->temporary);
    f->temporary = NULL;
    return outfile_sync_directory(f->path, err);
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
