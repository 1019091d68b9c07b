#include "records/filecache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "infile.h"

#define MAX_OPEN 512

struct filecache_file {
    char *name;
    int fd; /* -1 if not open */
};

/* Half of the limit of the process, because the outputs need descriptors too. */
static size_t choose_max_open(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 2 > MAX_OPEN)
        return MAX_OPEN;
    return (size_t)limit.rlim_cur / 2;
}

int filecache_add(struct filecache *c, const char *path, size_t *index, struct hagg_err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    char *name;

    if (c->capacity == 0) {
        pthread_mutex_init(&c->lock, NULL);
        c->max_open = choose_max_open();
    }
    if (ARRAY_RESERVE(c->files, c->n + 1, c->capacity))
        return err_errno(err, "%s", path);
    name = strdup(is_stdin ? "standard input" : path);
    if (!name)
        return err_errno(err, "%s", path);
    c->files[c->n] = (struct filecache_file){ name, is_stdin ? STDIN_FILENO : -1 };
    *index = c->n++;
    return 0;
}

const char *filecache_name(const struct filecache *c, size_t index)
{
    return c->files[index].name;
}

int filecache_acquire(struct filecache *c, size_t index, struct hagg_err *err)
{
    struct filecache_file *f = &c->files[index];
    int fd;

    pthread_mutex_lock(&c->lock);
    fd = f->fd;
    if (fd < 0) {
        fd = infile_open(f->name, err);
        if (fd >= 0 && c->n_open < c->max_open) {
            f->fd = fd;
            c->n_open++;
        }
    }
    pthread_mutex_unlock(&c->lock);
    return fd;
}

void filecache_release(struct filecache *c, size_t index, int fd)
{
    bool kept;

    pthread_mutex_lock(&c->lock);
    kept = c->files[index].fd == fd;
    pthread_mutex_unlock(&c->lock);
    if (!kept)
        close(fd);
}

void filecache_free(struct filecache *c)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->files[i].fd > STDIN_FILENO)
            close(c->files[i].fd);
        free(c->files[i].name);
    }
    if (c->capacity > 0)
        pthread_mutex_destroy(&c->lock);
    free(c->files);
    *c = (struct filecache){ 0 };
}
