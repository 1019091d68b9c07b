#include "scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hagg/plugin.h"
#include "writer.h"

static char directory[PATH_MAX];

/* Ends the program, because a test that cannot be set up has failed. */
static void need(bool held, const char *what)
{
    if (!held) {
        perror(what);
        exit(1);
    }
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

static void remove_all(void)
{
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_directory(void)
{
    const char *tmp = getenv("TMPDIR");

    /* in memory if possible, because many files are synced here */
    if (!tmp)
        tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(directory, sizeof directory, "%s/hagg-unit-XXXXXX", tmp);
    need(mkdtemp(directory) != NULL, directory);
    atexit(remove_all);
}

const char *scratch_path(const char *name)
{
    static char paths[16][PATH_MAX + 256];
    static unsigned next;
    char *path = paths[next++ % 16];

    if (!directory[0])
        make_directory();
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

void scratch_write(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    need(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0, path);
}

bool scratch_holds(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "rb");
    char *got = malloc(n + 1);
    bool same;

    need(got != NULL, path);
    same = file && fread(got, 1, n + 1, file) == n && memcmp(got, bytes, n) == 0;
    if (file)
        fclose(file);
    free(got);
    return same;
}

size_t scratch_count(const char *beginning)
{
    DIR *dir = opendir(directory);
    struct dirent *entry;
    size_t n = 0;

    need(dir != NULL, directory);
    while ((entry = readdir(dir)))
        n += entry->d_name[0] != '.' && strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    closedir(dir);
    return n;
}

void scratch_record(const char *path, const struct header *h, size_t elem_size,
                    const uint64_t *elems, size_t n_elems)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    unsigned char *packed = malloc(n_elems * elem_size + 1);
    struct hagg_err err = { 0 };
    struct writer *w;

    need(fd >= 0 && packed, path);
    for (size_t i = 0; i < n_elems; i++)
        hagg_store(packed, i, elem_size, elems[i]);
    w = writer_new(fd, path, &err);
    if (!w || writer_begin(w, h, elem_size, n_elems, &err) ||
        writer_elems(w, packed, n_elems, &err) || writer_end(w, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    writer_free(w);
    free(packed);
    close(fd);
}
