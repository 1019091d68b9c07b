#include "identity/private_key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fd.h"
#include "infile.h"
#include "records/outfile.h"

/* A private key has 119 bytes; some add text before it. */
#define MAX_BYTES 16384

static struct x25519 *read_key(int fd, const char *name, struct hagg_err *err)
{
    char text[MAX_BYTES];
    struct x25519 *key = NULL;
    size_t n = 0;
    ssize_t got;

    while ((got = fd_read(fd, name, text + n, sizeof text - n, err)) > 0)
        n += (size_t)got;
    if (got == 0 && n == sizeof text)
        err_set(err, HAGG_E_MALFORMED, "%s: is too large for a private key", name);
    else if (got == 0)
        key = x25519_from_pem(text, n, name, err);
    explicit_bzero(text, sizeof text);
    return key;
}

struct x25519 *private_key_load(const char *path, struct hagg_err *err)
{
    const char *name = strcmp(path, "-") ? path : "standard input";
    int fd = infile_open(path, err);
    struct x25519 *key = NULL;

    if (fd >= 0 && infile_check_private(fd, name, err) == 0)
        key = read_key(fd, name, err);
    if (fd >= 0)
        infile_close(fd);
    return key;
}

static int write_key(const struct x25519 *key, const char *path, struct hagg_err *err)
{
    struct outfile file = { .fd = -1 };
    char *text;
    size_t n;
    int status;

    if (x25519_to_pem(key, &text, &n, err))
        return -1;
    status = outfile_open(&file, path, 0600, false, err);
    if (status == 0)
        status = outfile_set_exclusive(&file, err);
    if (status == 0)
        status = fd_write(file.fd, file.path, text, n, err);
    if (status == 0)
        status = outfile_finish(&file, err);
    outfile_discard(&file);
    explicit_bzero(text, n);
    free(text);
    return status;
}

struct x25519 *private_key_make(const char *path, struct hagg_err *err)
{
    struct x25519 *key;
    struct stat st;

    /* standard output is for the public key, so "-" never makes one */
    if (strcmp(path, "-") == 0 || lstat(path, &st) == 0 || errno != ENOENT)
        return private_key_load(path, err);
    key = x25519_generate(err);
    if (key && write_key(key, path, err)) {
        x25519_free(key);
        return NULL;
    }
    return key;
}
