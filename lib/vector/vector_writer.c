#include "vector/vector_writer.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records/disk_hint.h"
#include "vector/byteorder.h"
#include "fd.h"
#include "vector/npy.h"
#include "vector/vector.h"
#include "vector/vector_text.h"

/* Bytes of each write, except the last. */
#define BUFFER_BYTES ((size_t)1 << 20)

struct vector_writer {
    int fd;
    const char *name;
    bool is_text;
    char type[LIMIT_TYPE + 1];
    size_t left; /* elements not yet written */
    uint8_t *buffer;
    size_t len;
    size_t dirty;    /* most bytes ever flushed from the buffer, which must be wiped */
    size_t unsynced; /* bytes since the last hint to the kernel */
};

static struct vector_writer *make(int fd, const char *name, const char *type, bool is_text,
                                  size_t n_elems)
{
    struct vector_writer *w = malloc(sizeof *w);

    if (!w)
        return NULL;
    *w = (struct vector_writer){ .fd = fd, .name = name, .is_text = is_text, .left = n_elems };
    memcpy(w->type, type, sizeof w->type);
    w->buffer = malloc(BUFFER_BYTES);
    if (!w->buffer) {
        free(w);
        return NULL;
    }
    return w;
}

struct vector_writer *vector_writer_new(int fd, const char *name, const char *format,
                                        const char *type, const uint64_t *shape, size_t n_shape,
                                        struct hagg_err *err)
{
    struct vector_writer *w;
    size_t n_elems;

    if (vector_check_names(format, type, err))
        return NULL;
    if (n_shape > LIMIT_DIMENSIONS || !vector_count(shape, n_shape, &n_elems)) {
        err_set(err, HAGG_E_MALFORMED, "%s: the shape is too large to be written", name);
        return NULL;
    }
    w = make(fd, name, type, strcmp(format, "text") == 0, n_elems);
    if (!w) {
        err_errno(err, "%s", name);
        return NULL;
    }
    if (strcmp(format, "npy") == 0)
        w->len = npy_format(w->buffer, type, shape, n_shape);
    if (!w->is_text && fd != STDOUT_FILENO)
        disk_hint_reserve(fd, w->len + (uint64_t)n_elems * vector_type_size(type));
    return w;
}

void vector_writer_free(struct vector_writer *w)
{
    if (!w)
        return;
    explicit_bzero(w->buffer, w->len > w->dirty ? w->len : w->dirty);
    free(w->buffer);
    free(w);
}

static int write_out(struct vector_writer *w, const uint8_t *bytes, size_t n, struct hagg_err *err)
{
    if (fd_write(w->fd, w->name, bytes, n, err))
        return -1;
    w->unsynced += n;
    if (w->unsynced >= DISK_HINT_BYTES && w->fd != STDOUT_FILENO) {
        disk_hint_sync(w->fd);
        w->unsynced = 0;
    }
    return 0;
}

static int flush(struct vector_writer *w, struct hagg_err *err)
{
    size_t len = w->len;

    w->len = 0;
    if (w->dirty < len)
        w->dirty = len;
    return write_out(w, w->buffer, len, err);
}

/* Always fills the buffer to its end, so that writes stay aligned in the file. */
static int put(struct vector_writer *w, const uint8_t *bytes, size_t n, struct hagg_err *err)
{
    while (n > 0) {
        size_t now = n - n % BUFFER_BYTES;

        if (w->len == 0 && now > 0) {
            if (write_out(w, bytes, now, err))
                return -1;
        } else {
            now = n < BUFFER_BYTES - w->len ? n : BUFFER_BYTES - w->len;
            memcpy(w->buffer + w->len, bytes, now);
            w->len += now;
            if (w->len == BUFFER_BYTES && flush(w, err))
                return -1;
        }
        bytes += now;
        n -= now;
    }
    return 0;
}

/* For big-endian hosts, because the file is little-endian. */
static int put_swapped(struct vector_writer *w, const uint8_t *bytes, size_t n, size_t size,
                       struct hagg_err *err)
{
    uint64_t block[512];
    int status = 0;

    while (n > 0 && status == 0) {
        size_t now = n < sizeof block / size ? n : sizeof block / size;

        memcpy(block, bytes, now * size);
        byteorder_swap(block, now, size);
        status = put(w, (const uint8_t *)block, now * size, err);
        bytes += now * size;
        n -= now;
    }
    explicit_bzero(block, sizeof block);
    return status;
}

static int put_text(struct vector_writer *w, const uint8_t *elems, size_t n, size_t size,
                    struct hagg_err *err)
{
    while (n > 0) {
        size_t done;

        w->len += vector_text_format(elems, n, w->type, (char *)w->buffer + w->len,
                                     BUFFER_BYTES - w->len, &done);
        elems += done * size;
        n -= done;
        if (n > 0 && flush(w, err))
            return -1;
    }
    return 0;
}

int vector_writer_elems(struct vector_writer *w, const void *elems, size_t n, struct hagg_err *err)
{
    size_t size = vector_type_size(w->type);

    assert(n <= w->left);
    w->left -= n;
    if (w->is_text)
        return put_text(w, elems, n, size, err);
    if (byteorder_host_is_big)
        return put_swapped(w, elems, n, size, err);
    return put(w, elems, n * size, err);
}

int vector_writer_end(struct vector_writer *w, struct hagg_err *err)
{
    assert(w->left == 0);
    return flush(w, err);
}
