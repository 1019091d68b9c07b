#include "round/node_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OTHERS_WRITE (S_IWGRP | S_IWOTH)

/* Others must not be able to replace a directory below this one. */
static int check_above(const char *path, struct hagg_err *err)
{
    struct stat st;

    if (stat(path, &st))
        return err_errno(err, "%s", path);
    if (st.st_uid != 0 && st.st_uid != geteuid())
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: belongs to another user, who could replace the directories in it: use "
                       "a directory of your own or of root",
                       path);
    if ((st.st_mode & OTHERS_WRITE) && !(st.st_mode & S_ISVTX))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: other users could replace the directories in it: use chmod go-w, or "
                       "chmod +t if they may create their own",
                       path);
    return 0;
}

/* Creates and checks the directories above the last one. */
static int prepare_above(char *path, struct hagg_err *err)
{
    int status = 0;

    for (char *slash = strchr(path + 1, '/'); slash && status == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0755) && errno != EEXIST)
            status = err_errno(err, "%s: cannot create the directory", path);
        else
            status = check_above(path, err);
        *slash = '/';
    }
    return status;
}

/* Checks an open directory of the node. Users other than the owner must not have these
 * permissions. */
static int check_own(int fd, const char *path, mode_t forbidden, struct hagg_err *err)
{
    struct stat st;

    if (fstat(fd, &st))
        return err_errno(err, "%s", path);
    if (st.st_uid != geteuid())
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: belongs to another user: move it away, and use a directory of your own",
                       path);
    if (st.st_mode & forbidden)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: other users have access to it: make sure that they changed nothing, "
                       "then use chmod %s",
                       path, forbidden == OTHERS_WRITE ? "go-w" : "700");
    return 0;
}

/* Creates a directory with exactly this mode, or opens an existing one. The umask could forbid more
 * than the owner wants. */
static int open_own(const char *path, mode_t mode, struct hagg_err *err)
{
    bool is_new = mkdir(path, 0700) == 0;
    int fd;

    if (!is_new && errno != EEXIST)
        return err_errno(err, "%s: cannot create the directory", path);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: is not a directory, or is a symbolic link: move it away", path);
    /* without permission to open it, the directory is somebody else's */
    if (fd < 0 && errno == EACCES)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: belongs to another user: move it away, and use a directory of your own",
                       path);
    if (fd < 0)
        return err_errno(err, "%s", path);
    if (is_new && fchmod(fd, mode)) {
        err_errno(err, "%s", path);
        close(fd);
        return -1;
    }
    return fd;
}

static int prepare_own(const char *path, const char *name, mode_t mode, mode_t forbidden,
                       struct hagg_err *err)
{
    char *own;
    int fd, status;

    if (asprintf(&own, "%s%s", path, name) < 0)
        return err_errno(err, "%s", path);
    fd = open_own(own, mode, err);
    status = fd < 0 ? -1 : check_own(fd, own, forbidden, err);
    if (fd >= 0)
        close(fd);
    free(own);
    return status;
}

int node_dirs_prepare(const char *path, mode_t inbox, struct hagg_err *err)
{
    char *copy = strdup(path);
    size_t len = strlen(path);
    int status;

    while (len > 1 && path[len - 1] == '/')
        len--;
    if (copy)
        copy[len] = 0;
    status = copy ? prepare_above(copy, err) : err_errno(err, "%s", path);
    /* others need to pass through it to reach the inbox */
    if (status == 0)
        status = prepare_own(copy, "", 0711, OTHERS_WRITE, err);
    if (status == 0)
        status = prepare_own(copy, "/in", inbox, 0, err);
    if (status == 0)
        status = prepare_own(copy, "/out", 0700, OTHERS_WRITE, err);
    if (status == 0)
        status = prepare_own(copy, "/private", 0700, S_IRWXG | S_IRWXO, err);
    free(copy);
    return status;
}
