#include "secrets/keyuse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "records/outfile.h"

/* First line of the file, before the digest and the seed. */
static const char magic[16] = "hagg key use 1\n";

struct use {
    char magic[sizeof magic];
    uint8_t digest[16];
    uint8_t seed[KEYUSE_SEED_BYTES];
};

/* Reads the recorded use. HAGG_E_MALFORMED if the file is not valid. */
static int read_use(const char *path, struct use *use, struct hagg_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    ssize_t got;

    if (fd < 0)
        return err_errno(err, "%s", path);
    got = read(fd, use, sizeof *use);
    if (got < 0 || fstat(fd, &st)) {
        err_errno(err, "%s", path);
        close(fd);
        return -1;
    }
    close(fd);
    if (got != (ssize_t)sizeof *use || st.st_size != (off_t)sizeof *use ||
        memcmp(use->magic, magic, sizeof magic))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: is damaged, so it does not show what the key has padded: make a new "
                       "key with hagg-keygen",
                       path);
    return 0;
}

static int write_use(int fd, const struct use *use)
{
    ssize_t wrote = write(fd, use, sizeof *use);

    if (wrote >= 0 && wrote != (ssize_t)sizeof *use)
        errno = ENOSPC;
    return wrote == (ssize_t)sizeof *use && fsync(fd) == 0 ? 0 : -1;
}

/* Returns 1 if the file was created, 0 if it existed. */
static int try_link(const char *path, const struct use *use, struct hagg_err *err)
{
    char *temporary;
    int fd, status = -1;

    if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return err_errno(err, "%s", path);
    fd = mkostemp(temporary, O_CLOEXEC); /* mode 0600 */
    if (fd < 0) {
        err_errno(err, "%s", path);
        free(temporary);
        return -1;
    }
    if (write_use(fd, use))
        err_errno(err, "%s", path);
    else if (link(temporary, path) == 0)
        status = 1;
    else if (errno == EEXIST)
        status = 0;
    else
        err_errno(err, "%s", path);
    close(fd);
    unlink(temporary);
    free(temporary);
    /* also if it existed: the process that created it may have crashed before its sync */
    if (status >= 0 && outfile_sync_directory(path, err))
        return -1;
    return status;
}

/* Resolves symbolic links and standard input to the same path. */
static char *real_name(const char *key_path)
{
    return realpath(strcmp(key_path, "-") ? key_path : "/proc/self/fd/0", NULL);
}

int keyuse_place(const char *key_path, const uint8_t id[16], char **place, struct hagg_err *err)
{
    bool is_stdin = strcmp(key_path, "-") == 0;
    char hex[17], *name;
    struct stat st;
    int status;

    *place = NULL;
    if (is_stdin ? fstat(STDIN_FILENO, &st) : stat(key_path, &st))
        return err_errno(err, "%s", key_path);
    if (!S_ISREG(st.st_mode)) {
        if (is_stdin)
            return 0;
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: is not a regular file, so its use cannot be recorded: pass a pipe as -",
                       key_path);
    }
    if (st.st_nlink > 1)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: has %llu hard links, so its use cannot be recorded under one name: "
                       "remove the others",
                       key_path, (unsigned long long)st.st_nlink);
    name = real_name(key_path);
    if (!name)
        return err_errno(err, "%s", key_path);
    for (int i = 0; i < 8; i++)
        snprintf(hex + 2 * i, 3, "%02x", id[i]);
    status = asprintf(place, "%s.%s", name, hex);
    free(name);
    if (status < 0) {
        *place = NULL;
        return err_errno(err, "%s", key_path);
    }
    return 0;
}

int keyuse_claim(const char *key_path, const uint8_t digest[16], uint8_t seed[KEYUSE_SEED_BYTES],
                 struct hagg_err *err)
{
    struct use use, earlier;
    char *path;
    int status;

    if (asprintf(&path, "%s.used", key_path) < 0)
        return err_errno(err, "%s", key_path);
    memcpy(use.magic, magic, sizeof magic);
    memcpy(use.digest, digest, sizeof use.digest);
    memcpy(use.seed, seed, sizeof use.seed);
    status = try_link(path, &use, err);
    if (status == 0) {
        status = read_use(path, &earlier, err);
        if (status == 0 && memcmp(earlier.digest, use.digest, sizeof use.digest))
            status = err_set(err, HAGG_E_PRIVACY,
                             "%s: has already padded another vector: make a new key with "
                             "hagg-keygen",
                             key_path);
        use = earlier;
    } else if (status == 1)
        status = 0;
    memcpy(seed, use.seed, KEYUSE_SEED_BYTES);
    explicit_bzero(&use, sizeof use);
    explicit_bzero(&earlier, sizeof earlier);
    free(path);
    return status;
}
