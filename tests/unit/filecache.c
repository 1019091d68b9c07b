#include "records/filecache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "base/parallel.h"
#include "scratch.h"

enum { FILES = 700 };

static size_t n_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void read_it(struct filecache *c, size_t index)
{
    struct hagg_err err = { 0 };
    int fd = filecache_acquire(c, index, &err);
    size_t got = SIZE_MAX;

    CHECK(fd >= 0 && pread(fd, &got, sizeof got, 0) == sizeof got && got == index);
    filecache_release(c, index, fd);
}

/* More files than can stay open; the others are opened and closed each time. */
static void reads_many_files(size_t most)
{
    size_t before = n_open(), index;
    struct filecache c = { 0 };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < FILES; i++) {
        char name[32];

        snprintf(name, sizeof name, "f%zu", i);
        scratch_write(scratch_path(name), &i, sizeof i);
        CHECK(filecache_add(&c, scratch_path(name), &index, &err) == 0 && index == i);
        CHECK_STR(filecache_name(&c, i), scratch_path(name));
    }
    CHECK(n_open() == before);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < FILES; i++)
            read_it(&c, round ? FILES - 1 - i : i);
    CHECK(n_open() == before + most);
    filecache_free(&c);
    CHECK(n_open() == before && c.files == NULL && c.n == 0);
    filecache_free(&c);
}

static void read_one(void *cache, size_t i)
{
    read_it(cache, i % FILES);
}

/* Does not use CHECK, which is not thread-safe. Tests for data races, with the thread sanitizer,
 * and for descriptors that one thread closes while another uses them. */
static void read_quietly(void *cache, size_t i)
{
    size_t index = i % FILES, got = SIZE_MAX;
    struct hagg_err err = { 0 };
    int fd = filecache_acquire(cache, index, &err);

    if (fd < 0 || pread(fd, &got, sizeof got, 0) != sizeof got || got != index)
        abort();
    filecache_release(cache, index, fd);
}

static void serves_threads(void)
{
    struct hagg_err err = { 0 };
    struct parallel *pool = parallel_new(4, &err);
    struct filecache c = { 0 };
    size_t index, before = n_open();

    for (size_t i = 0; i < FILES; i++) {
        char name[32];

        snprintf(name, sizeof name, "f%zu", i);
        CHECK(filecache_add(&c, scratch_path(name), &index, &err) == 0);
    }
    parallel_run(pool, read_quietly, &c, 5 * FILES);
    read_one(&c, 3);
    filecache_free(&c);
    CHECK(n_open() == before);
    parallel_free(pool);
}

static void knows_standard_input(void)
{
    int saved = dup(STDIN_FILENO), file = open(scratch_path("f0"), O_RDONLY);
    struct filecache c = { 0 };
    struct hagg_err err = { 0 };
    size_t index;

    CHECK(dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    CHECK(filecache_add(&c, "-", &index, &err) == 0);
    CHECK_STR(filecache_name(&c, index), "standard input");
    CHECK(filecache_acquire(&c, index, &err) == STDIN_FILENO);
    filecache_release(&c, index, STDIN_FILENO);
    read_it(&c, 0);
    filecache_free(&c);
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void names_what_is_gone(void)
{
    const char *path = scratch_path("gone");
    struct filecache c = { 0 };
    struct hagg_err err = { 0 };
    char want[8192];
    size_t index;

    CHECK(filecache_add(&c, path, &index, &err) == 0);
    CHECK(filecache_acquire(&c, index, &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: No such file or directory", path);
    CHECK_STR(err.text, want);
    filecache_free(&c);
    for (unsigned long at = 0; at < 2; at++) {
        alloc_refuse(at);
        CHECK(filecache_add(&c, path, &index, &err) == -1 && err.status == HAGG_E_SYSTEM);
        alloc_watch();
        filecache_free(&c);
    }
}

int main(void)
{
    struct rlimit limit;

    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = 2000;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    reads_many_files(512);
    serves_threads();
    knows_standard_input();
    names_what_is_gone();
    limit.rlim_cur = 100;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    reads_many_files(50);
    return check_end();
}
