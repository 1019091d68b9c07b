#include "records/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "infile.h"

/* Refuses a path through a symbolic link that somebody else may have planted. */
static int check_folders(const char *path, struct hagg_err *err)
{
    char *copy = strdup(path);
    int status = copy ? 0 : err_errno(err, "%s", path);

    /* from the second byte, because the root is no link */
    for (char *slash = copy && *copy ? strchr(copy + 1, '/') : NULL; slash && status == 0;
         slash = strchr(slash + 1, '/')) {
        struct stat st;

        *slash = 0;
        if (lstat(copy, &st) == 0 && S_ISLNK(st.st_mode) && st.st_uid != geteuid() &&
            st.st_uid != 0)
            status = err_set(err, HAGG_E_PRIVACY,
                             "%s: %s is a symbolic link of another user: name the directory itself",
                             path, copy);
        *slash = '/';
    }
    free(copy);
    return status;
}

int target_fail_input(const char *name, struct hagg_err *err)
{
    return err_set(err, HAGG_E_USAGE, "%s: is also an input of this command: name another output",
                   name);
}

static int check_file(const char *path, const struct stat *st, struct hagg_err *err)
{
    if (S_ISDIR(st->st_mode)) {
        errno = EISDIR;
        return err_errno(err, "%s", path);
    }
    if (S_ISLNK(st->st_mode))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: is a symbolic link, and an output never follows one: name the file "
                       "itself, or remove the link",
                       path);
    if (!S_ISREG(st->st_mode))
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: is not a regular file, so others could read the output: remove it, or "
                       "name another output",
                       path);
    if (infile_was_read(st))
        return target_fail_input(path, err);
    if (st->st_uid != geteuid())
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: belongs to another user: remove it, or name another output", path);
    return 0;
}

int target_check(const char *path, enum target *target, struct hagg_err *err)
{
    struct stat st;

    if (infile_descriptor(path) >= 0) {
        *target = TARGET_DESCRIPTOR;
        return 0;
    }
    if (infile_is_device(path)) {
        *target = TARGET_DEVICE;
        return 0;
    }
    *target = TARGET_NEW;
    if (check_folders(path, err))
        return -1;
    /* any other failure is found when the file is opened */
    if (lstat(path, &st))
        return 0;
    *target = TARGET_OLD;
    return check_file(path, &st, err);
}
