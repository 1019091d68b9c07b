#include "record_files.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "record.h"

/* 1: begins as a record does; 0: not; -1: cannot be read. */
static int begins_as_record(const char *path, struct hagg_err *err)
{
    unsigned char bytes[sizeof record_start];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
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

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int take_entry(const FTSENT *entry, record_files_fn *take, void *arg, uint64_t *n_others,
                      struct hagg_err *err)
{
    int is_record;

    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        errno = entry->fts_errno;
        return err_errno(err, "%s", entry->fts_path);
    case FTS_F:
        is_record = begins_as_record(entry->fts_path, err);
        if (is_record < 0)
            return -1;
        *n_others += !is_record;
        return is_record ? take(arg, entry->fts_path, err) : 0;
    default:
        return 0;
    }
}

static int each_below(const char *path, record_files_fn *take, void *arg, uint64_t *n_others,
                      struct hagg_err *err)
{
    char *roots[] = { strdup(path), NULL };
    FTS *tree =
        roots[0] ? fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name) : NULL;
    const FTSENT *entry = NULL;
    int status = tree ? 0 : err_errno(err, "%s", path);

    while (status == 0 && (errno = 0, entry = fts_read(tree)))
        status = take_entry(entry, take, arg, n_others, err);
    if (status == 0 && errno)
        status = err_errno(err, "%s", path);
    if (tree)
        fts_close(tree);
    free(roots[0]);
    return status;
}

int record_files_each(const char *path, record_files_fn *take, void *arg, uint64_t *n_others,
                      struct hagg_err *err)
{
    struct stat st;
    bool is_directory = strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode);

    return is_directory ? each_below(path, take, arg, n_others, err) : take(arg, path, err);
}
