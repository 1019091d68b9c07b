#include "state/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "digest.h"
#include "fd.h"

#define FORMAT       "hagg-state "
#define MAGIC        FORMAT "2 "
#define DIGEST       "digest "
#define DIGEST_BYTES 16
#define DIGEST_LINE  (sizeof DIGEST - 1 + 2 * DIGEST_BYTES + 1)

/* No sheet is nearly as large. */
#define MAX_BYTES ((off_t)1 << 30)

static int damaged(const struct sheet *s, struct hagg_err *err)
{
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: is damaged, so it is unknown what was done before: restore the state "
                   "directory from a backup",
                   s->path);
}

/* Other versions have other files, so their entries would not be found. */
static int other_version(const struct sheet *s, struct hagg_err *err)
{
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: is of another version of hagg: finish its rounds with that version, then "
                   "use a new state directory, new rounds and new vectors",
                   s->path);
}

static void wipe_free(char *bytes, size_t n)
{
    if (bytes)
        explicit_bzero(bytes, n);
    free(bytes);
}

/* Reads the whole file. *bytes is malloc'ed for the caller and ends with a NUL. */
static int read_file(struct sheet *s, int fd, char **bytes, size_t *n, struct hagg_err *err)
{
    struct stat st;
    ssize_t got = 1;

    *bytes = NULL;
    if (fstat(fd, &st))
        return err_errno(err, "%s", s->path);
    if (!S_ISREG(st.st_mode) || st.st_size > MAX_BYTES)
        return damaged(s, err);
    *bytes = malloc((size_t)st.st_size + 1);
    if (!*bytes)
        return err_errno(err, "%s", s->path);
    for (*n = 0; *n < (size_t)st.st_size && got > 0; *n += (size_t)got) {
        got = fd_read(fd, s->path, *bytes + *n, (size_t)st.st_size - *n, err);
        if (got < 0) {
            wipe_free(*bytes, *n);
            return -1;
        }
    }
    (*bytes)[*n] = 0;
    return 0;
}

static void put_digest(struct text *t, const char *bytes, size_t n)
{
    uint8_t digest[DIGEST_BYTES];

    digest_bytes(digest, bytes, n);
    text_printf(t, DIGEST);
    text_hex(t, digest, sizeof digest);
    text_printf(t, "\n");
}

/* Checks the first and the last line, and stores the others. Modifies bytes. */
static int parse(struct sheet *s, char *bytes, size_t n, struct hagg_err *err)
{
    struct text last = { 0 };
    char *line, *next, *end;
    bool sound;

    if (n < DIGEST_LINE || strlen(bytes) != n)
        return damaged(s, err);
    end = bytes + n - DIGEST_LINE;
    put_digest(&last, bytes, n - DIGEST_LINE);
    sound = text_ok(&last) && strcmp(last.bytes, end) == 0;
    text_free(&last);
    *end = 0;
    next = strchr(bytes, '\n');
    if (!sound || !next || strncmp(bytes, FORMAT, sizeof FORMAT - 1))
        return damaged(s, err);
    if (strncmp(bytes, MAGIC, sizeof MAGIC - 1))
        return other_version(s, err);
    *next = 0;
    if (strcmp(bytes + sizeof MAGIC - 1, s->name))
        return damaged(s, err);
    for (line = next + 1; line < end; line = next + 1) {
        next = strchr(line, '\n');
        if (!next)
            return damaged(s, err);
        *next = 0;
        if (sheet_set(s, s->n, line, err))
            return -1;
    }
    s->changed = false;
    return 0;
}

int sheet_load(struct sheet *s, const char *directory, const char *name, struct hagg_err *err)
{
    char *bytes;
    size_t n = 0;
    int fd, status;

    *s = (struct sheet){ .name = strdup(name) };
    if (!s->name || asprintf(&s->path, "%s/%s", directory, name) < 0) {
        s->path = NULL;
        return err_errno(err, "%s", directory);
    }
    fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT ? 0 : err_errno(err, "%s", s->path);
    s->exists = true;
    status = read_file(s, fd, &bytes, &n, err);
    close(fd);
    if (status)
        return -1;
    status = parse(s, bytes, n, err);
    wipe_free(bytes, n);
    return status;
}

/* Sheets with fewer lines have no index. */
#define FEW_LINES 32

/* FNV-1a of the first word. */
static size_t hash_word(const char *line)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (; *line && *line != ' '; line++)
        h = (h ^ (unsigned char)*line) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

/* Lines with the same first word follow each other in the order of the lines. */
static void index_line(struct sheet *s, size_t i)
{
    size_t at = hash_word(s->lines[i]) & (s->index_size - 1);

    while (s->index[at] > 0)
        at = (at + 1) & (s->index_size - 1);
    s->index[at] = (uint32_t)i + 1;
}

static void drop_index(struct sheet *s)
{
    free(s->index);
    s->index = NULL;
    s->index_size = 0;
}

/* Keeps the index at most half full. Without memory there is none, which is only slower. */
static void index_new_line(struct sheet *s)
{
    if (s->n < FEW_LINES)
        return;
    if (2 * s->n <= s->index_size) {
        index_line(s, s->n - 1);
        return;
    }
    drop_index(s);
    s->index_size = 8 * FEW_LINES;
    while (s->index_size < 4 * s->n)
        s->index_size *= 2;
    s->index = calloc(s->index_size, sizeof *s->index);
    if (!s->index)
        s->index_size = 0;
    for (size_t i = 0; s->index && i < s->n; i++)
        index_line(s, i);
}

static bool begins_with(const char *line, const char *words, size_t len)
{
    return strncmp(line, words, len) == 0 && (line[len] == ' ' || !line[len]);
}

size_t sheet_find(const struct sheet *s, const char *words, size_t from)
{
    size_t len = strlen(words);

    if (s->index) {
        for (size_t at = hash_word(words);; at++) {
            size_t i = s->index[at & (s->index_size - 1)];

            if (i == 0)
                return s->n;
            if (i > from && begins_with(s->lines[i - 1], words, len))
                return i - 1;
        }
    }
    for (size_t i = from; i < s->n; i++)
        if (begins_with(s->lines[i], words, len))
            return i;
    return s->n;
}

int sheet_set(struct sheet *s, size_t i, const char *line, struct hagg_err *err)
{
    char *copy = strdup(line);

    if (!copy || ARRAY_RESERVE(s->lines, s->n + 1, s->capacity)) {
        free(copy);
        return err_errno(err, "%s", s->path);
    }
    s->changed = true;
    if (i < s->n) {
        drop_index(s);
        wipe_free(s->lines[i], strlen(s->lines[i]));
        s->lines[i] = copy;
        return 0;
    }
    s->lines[s->n++] = copy;
    index_new_line(s);
    return 0;
}

void sheet_remove(struct sheet *s, size_t i)
{
    drop_index(s);
    wipe_free(s->lines[i], strlen(s->lines[i]));
    s->n--;
    memmove(s->lines + i, s->lines + i + 1, (s->n - i) * sizeof *s->lines);
    s->changed = true;
}

/* Returns the content of the file, malloc'ed for the caller; NULL if out of memory. The memory is
 * allocated once, so that there are no copies of secrets to wipe. */
static char *content(const struct sheet *s, size_t *n)
{
    size_t size = sizeof MAGIC + strlen(s->name) + DIGEST_LINE + 1;
    struct text last = { 0 };
    char *bytes, *at;

    for (size_t i = 0; i < s->n; i++)
        size += strlen(s->lines[i]) + 1;
    bytes = malloc(size);
    if (!bytes)
        return NULL;
    at = bytes + sprintf(bytes, MAGIC "%s\n", s->name);
    for (size_t i = 0; i < s->n; i++) {
        at = stpcpy(at, s->lines[i]);
        *at++ = '\n';
    }
    put_digest(&last, bytes, (size_t)(at - bytes));
    if (text_ok(&last))
        at = stpcpy(at, last.bytes);
    else {
        wipe_free(bytes, (size_t)(at - bytes));
        bytes = NULL;
    }
    text_free(&last);
    *n = bytes ? (size_t)(at - bytes) : 0;
    return bytes;
}

static char *temporary_of(const struct sheet *s, struct hagg_err *err)
{
    char *path;

    if (asprintf(&path, "%s.new", s->path) >= 0)
        return path;
    err_errno(err, "%s", s->path);
    return NULL;
}

int sheet_prepare(struct sheet *s, bool sync, struct hagg_err *err)
{
    char *temporary = temporary_of(s, err), *bytes = NULL;
    size_t n = 0;
    int fd = -1, status = -1;

    if (!temporary)
        return -1;
    bytes = content(s, &n);
    if (bytes)
        fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        err_errno(err, "%s", s->path);
    else {
        status = fd_write(fd, s->path, bytes, n, err);
        if (status == 0 && sync && fsync(fd))
            status = err_errno(err, "%s", s->path);
        if (close(fd) && status == 0)
            status = err_errno(err, "%s", s->path);
    }
    wipe_free(bytes, n);
    free(temporary);
    return status;
}

int sheet_rename(struct sheet *s, struct hagg_err *err)
{
    char *temporary = temporary_of(s, err);
    int status = temporary ? 0 : -1;

    if (status == 0 && rename(temporary, s->path))
        status = err_errno(err, "%s", s->path);
    free(temporary);
    if (status == 0) {
        s->exists = true;
        s->changed = false;
    }
    return status;
}

void sheet_discard(const struct sheet *s)
{
    struct hagg_err err;
    char *temporary = temporary_of(s, &err);

    if (temporary)
        unlink(temporary);
    free(temporary);
}

int sheet_write(struct sheet *s, struct hagg_err *err)
{
    if (sheet_prepare(s, true, err) == 0 && sheet_rename(s, err) == 0)
        return 0;
    sheet_discard(s);
    return -1;
}

void sheet_free(struct sheet *s)
{
    for (size_t i = 0; i < s->n; i++)
        wipe_free(s->lines[i], strlen(s->lines[i]));
    drop_index(s);
    free(s->lines);
    free(s->name);
    free(s->path);
    *s = (struct sheet){ 0 };
}
