#include "writer.h"

#include <assert.h>
#include <cbor.h>
#include <stdlib.h>
#include <string.h>

#include "fd.h"
#include "record.h"
#include "xxh.h"

/* Gathers small pieces; a piece of this size or more goes straight to the kernel. */
#define BUFFER_BYTES 65536

struct writer {
    const char *name;
    int fd;
    uint8_t *buffer;
    size_t len;
    size_t elem_size;
    uint64_t left; /* elements announced and not yet written */
    XXH3_state_t *hash;
};

struct writer *writer_new(int fd, const char *name, struct hagg_err *err)
{
    struct writer *w = calloc(1, sizeof *w);

    if (w) {
        *w = (struct writer){ .name = name, .fd = fd };
        w->buffer = malloc(BUFFER_BYTES);
        w->hash = XXH3_createState();
    }
    if (!w || !w->buffer || !w->hash) {
        err_errno(err, "%s", name);
        writer_free(w);
        return NULL;
    }
    return w;
}

void writer_free(struct writer *w)
{
    if (!w)
        return;
    if (w->buffer)
        explicit_bzero(w->buffer, BUFFER_BYTES);
    free(w->buffer);
    if (w->hash)
        XXH3_freeState(w->hash);
    free(w);
}

static int flush(struct writer *w, struct hagg_err *err)
{
    size_t len = w->len;

    w->len = 0;
    return fd_write(w->fd, w->name, w->buffer, len, err);
}

static int put(struct writer *w, const void *bytes, size_t n, struct hagg_err *err)
{
    if (n > BUFFER_BYTES - w->len && flush(w, err))
        return -1;
    if (n >= BUFFER_BYTES)
        return fd_write(w->fd, w->name, bytes, n, err);
    memcpy(w->buffer + w->len, bytes, n);
    w->len += n;
    return 0;
}

static int put_hashed(struct writer *w, const void *bytes, size_t n, struct hagg_err *err)
{
    XXH3_128bits_update(w->hash, bytes, n);
    return put(w, bytes, n, err);
}

int writer_begin(struct writer *w, const struct header *h, size_t elem_size, uint64_t n_elems,
                 struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    uint8_t heads[18];
    uint8_t *header;
    size_t len;
    int status;

    assert(n_elems <= LIMIT_PAYLOAD / elem_size);
    assert(h->kind != HEADER_VECTOR || n_elems == h->length);
    if (header_encode(h, &header, &len, &cause))
        return err_set(err, cause.status, "%s: %s", w->name, cause.text);
    XXH3_128bits_reset(w->hash);
    status = put(w, record_start, sizeof record_start, err);
    if (status == 0)
        status = put_hashed(w, header, len, err);
    free(header);
    if (status)
        return -1;
    len = cbor_encode_tag(record_tag(elem_size), heads, sizeof heads);
    len +=
        cbor_encode_bytestring_start((size_t)n_elems * elem_size, heads + len, sizeof heads - len);
    w->elem_size = elem_size;
    w->left = n_elems;
    return put_hashed(w, heads, len, err);
}

int writer_elems(struct writer *w, const void *elems, size_t n_elems, struct hagg_err *err)
{
    assert(n_elems <= w->left);
    if (n_elems == 0)
        return 0; /* an empty vector may have no address */
    w->left -= n_elems;
    return put_hashed(w, elems, n_elems * w->elem_size, err);
}

int writer_end(struct writer *w, struct hagg_err *err)
{
    XXH128_canonical_t digest;
    uint8_t head[9];
    size_t len;

    assert(w->left == 0);
    XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(w->hash));
    len = cbor_encode_bytestring_start(sizeof digest.digest, head, sizeof head);
    if (put(w, head, len, err) || put(w, digest.digest, sizeof digest.digest, err))
        return -1;
    return flush(w, err);
}
