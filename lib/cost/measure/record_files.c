#include "cost/measure/record_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "record.h"

/* 1: begins like a record; 0: does not; -1: cannot be read. */
static int begins_as_record(const char *path, struct hagg_err *err)
{
    unsigned char bytes[sizeof record_start];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    size_t n = 0;
    ssize_t now = 1;

    if (fd < 0)
        return err_errno(err, "%s", path);
    while (n < sizeof bytes && now > 0) {
        now = fd_read(fd, path, bytes + n, sizeof bytes - n, err);
        n += now > 0 ? (size_t)now : 0;
    }
    close(fd);
    if (now < 0)
        return -1;
    return n == sizeof bytes && memcmp(bytes, record_start, sizeof bytes) == 0;
}

struct walk {
    record_files_fn *fn;
    void *arg;
    uint64_t *n_others;
};

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_below(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

static int walk_directory(const struct walk *w, const char *path, struct hagg_err *err);

static int walk_entry(const struct walk *w, const char *path, struct hagg_err *err)
{
    struct stat st;
    int is_record;

    if (lstat(path, &st))
        return err_errno(err, "%s", path);
    if (S_ISDIR(st.st_mode))
        return walk_directory(w, path, err);
    if (!S_ISREG(st.st_mode))
        return 0;
    is_record = begins_as_record(path, err);
    *w->n_others += is_record == 0;
    return is_record > 0 ? w->fn(w->arg, path, err) : is_record;
}

/* The length of a path limits the depth of the recursion. */
static int walk_directory(const struct walk *w, const char *path, struct hagg_err *err)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_below, by_name), status = 0;

    if (n < 0)
        return err_errno(err, "%s", path);
    for (int i = 0; i < n; i++) {
        char *below = NULL;

        if (status == 0 && asprintf(&below, "%s/%s", path, entries[i]->d_name) < 0) {
            below = NULL;
            status = err_errno(err, "%s", path);
        }
        if (status == 0)
            status = walk_entry(w, below, err);
        free(below);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int record_files_each(const char *path, record_files_fn *fn, void *arg, uint64_t *n_others,
                      struct hagg_err *err)
{
    struct walk w = { fn, arg, n_others };
    struct stat st;
    bool is_directory = strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode);

    return is_directory ? walk_directory(&w, path, err) : fn(arg, path, err);
}
