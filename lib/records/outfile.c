#include "records/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "infile.h"
#include "records/disk_hint.h"
#include "records/target.h"

static int fail_open(struct outfile *f, const char *path, struct hagg_err *err)
{
    if (errno == ENOENT)
        err_set(err, HAGG_E_SYSTEM, "%s: cannot be written, because its directory does not exist",
                path);
    else
        err_errno(err, "%s", path);
    outfile_discard(f);
    return -1;
}

/* Notes whether others can read a file that this process has not created. */
static void note_readers(struct outfile *f)
{
    struct stat st;

    f->readable =
        fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

static int open_stdout(struct outfile *f, bool allow_terminal, struct hagg_err *err)
{
    struct stat st;

    if (!allow_terminal && isatty(STDOUT_FILENO))
        return err_set(err, HAGG_E_USAGE,
                       "standard output is a terminal: redirect it, or use -o FILE, or -o - to "
                       "write there anyway");
    if (fstat(STDOUT_FILENO, &st) == 0 && infile_was_read(&st))
        return target_fail_input("standard output", err);
    f->path = strdup("standard output");
    if (!f->path)
        return fail_open(f, "standard output", err);
    f->fd = STDOUT_FILENO;
    note_readers(f);
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

/* Opens a device or a descriptor, to be written in place. */
static int open_in_place(struct outfile *f, enum target target, struct hagg_err *err)
{
    f->fd = target == TARGET_DESCRIPTOR
                ? fcntl(infile_descriptor(f->path), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                : open(f->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
    if (f->fd < 0)
        return fail_open(f, f->path, err);
    note_readers(f);
    return 0;
}

int outfile_open(struct outfile *f, const char *path, mode_t mode, bool allow_terminal,
                 struct hagg_err *err)
{
    enum target target;

    *f = (struct outfile){ .fd = -1 };
    if (strcmp(path, "-") == 0)
        return open_stdout(f, allow_terminal, err);
    if (target_check(path, &target, err))
        return -1;
    f->path = strdup(path);
    if (!f->path)
        return fail_open(f, path, err);
    if (target == TARGET_DEVICE || target == TARGET_DESCRIPTOR)
        return open_in_place(f, target, err);
    return open_new(f, path, mode, err);
}

static int fail_existing(const char *path, struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM,
                   "%s: already exists and is not replaced: use another name, or remove it first",
                   path);
}

int outfile_check_absent(const char *path, struct hagg_err *err)
{
    return access(path, F_OK) == 0 ? fail_existing(path, err) : 0;
}

int outfile_set_exclusive(struct outfile *f, struct hagg_err *err)
{
    f->exclusive = true;
    return f->is_new ? outfile_check_absent(f->path, err) : 0;
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

/* Links a file to an unused name beside path. from may be a link to a descriptor. Returns the name,
 * malloc'ed, or NULL. */
static char *link_beside(const char *from, int flags, const char *path)
{
    for (unsigned i = 0; i < 1000; i++) {
        char *name;

        if (asprintf(&name, "%s.%06u", path, (unsigned)getpid() % 1000 * 1000 + i) < 0)
            return NULL;
        if (linkat(AT_FDCWD, from, AT_FDCWD, name, flags) == 0)
            return name;
        free(name);
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

/* Links a file without a name to a temporary name, because a link cannot replace an existing
 * file. */
static int link_temporary(struct outfile *f, struct hagg_err *err)
{
    char self[64];

    snprintf(self, sizeof self, "/proc/self/fd/%d", f->fd);
    f->temporary = link_beside(self, AT_SYMLINK_FOLLOW, f->path);
    return f->temporary ? 0 : err_errno(err, "%s", f->path);
}

/* Keeps the file that will be replaced, under a temporary name. On a file system without hard links
 * it is not kept. */
static int keep_old(struct outfile *f, struct hagg_err *err)
{
    f->replaces = true;
    f->old = link_beside(f->path, 0, f->path);
    if (f->old || errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS)
        return 0;
    return err_errno(err, "%s", f->path);
}

/* Does everything that can fail before a name is changed. */
static int prepare(struct outfile *f, struct hagg_err *err)
{
    enum target target;
    int fd = f->fd;

    if (f->is_new && !f->temporary && link_temporary(f, err))
        return -1;
    f->fd = -1;
    if (fd != STDOUT_FILENO && close(fd))
        return err_errno(err, "%s", f->path);
    if (!f->is_new || f->exclusive)
        return 0;
    if (target_check(f->path, &target, err))
        return -1;
    return target == TARGET_OLD ? keep_old(f, err) : 0;
}

/* Gives the file its name. */
static int put_in_place(struct outfile *f, struct hagg_err *err)
{
    if (!f->is_new)
        return 0;
    /* a link never replaces a file */
    if (f->exclusive && link(f->temporary, f->path))
        return errno == EEXIST ? fail_existing(f->path, err) : err_errno(err, "%s", f->path);
    f->in_place = f->exclusive;
    if (f->exclusive ? unlink(f->temporary) : rename(f->temporary, f->path))
        return err_errno(err, "%s", f->path);
    f->in_place = true;
    free(f->temporary);
    f->temporary = NULL;
    return 0;
}

/* Restores what was there before. A file that replaced another one, which could not be kept, is
 * better than none. */
static void take_back(struct outfile *f)
{
    if (f->in_place && f->old)
        rename(f->old, f->path);
    else if (f->in_place && !f->replaces)
        unlink(f->path);
    else if (f->old)
        unlink(f->old);
    free(f->old);
    f->old = NULL;
    f->in_place = false;
}

static void forget_old(struct outfile *f)
{
    if (f->old)
        unlink(f->old);
    free(f->old);
    f->old = NULL;
}

/* Returns true if two paths differ only after the last slash. */
static bool is_same_directory(const char *a, const char *b)
{
    const char *a_slash = strrchr(a, '/'), *b_slash = strrchr(b, '/');
    size_t a_len = a_slash ? (size_t)(a_slash - a) : 0, b_len = b_slash ? (size_t)(b_slash - b) : 0;

    return a_len == b_len && !a_slash == !b_slash && memcmp(a, b, a_len) == 0;
}

static int publish(struct outfile *const files[], size_t n, struct hagg_err *err)
{
    const char *synced = NULL;

    for (size_t i = 0; i < n; i++)
        if (prepare(files[i], err))
            return -1;
    for (size_t i = 0; i < n; i++)
        if (put_in_place(files[i], err))
            return -1;
    for (size_t i = 0; i < n; i++) {
        if (!files[i]->is_new || (synced && is_same_directory(synced, files[i]->path)))
            continue;
        if (outfile_sync_directory(files[i]->path, err))
            return -1;
        synced = files[i]->path;
    }
    return 0;
}

int outfile_publish(struct outfile *const files[], size_t n, struct hagg_err *err)
{
    sigset_t all, before;
    int status;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    status = publish(files, n, err);
    for (size_t i = n; i-- > 0;)
        if (status)
            take_back(files[i]);
        else
            forget_old(files[i]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
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
    return outfile_sync(f, err) || outfile_publish(&f, 1, err) ? -1 : 0;
}
