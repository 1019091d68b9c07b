#include "writer.h"

#include <assert.h>
#include <cbor.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "fd.h"
#include "record.h"
#include "digest.h"
#include "size.h"

/* All calls except the last of a record end at a multiple of this in the file. The kernel then
 * keeps the file in large pages, which are cheaper to write, read and drop. */
#define BUFFER_BYTES ((size_t)128 * 1024)

/* Initial buffer of a writer that collects records. */
#define MEMORY_BYTES ((size_t)4 * 1024)

struct writer {
    const char *name;
    int fd;
    bool in_memory;   /* True to collect the records in the buffer. */
    uint8_t *buffer;  /* small pieces, and ends of large ones */
    size_t len, most; /* bytes in the buffer, and the maximum so far */
    size_t capacity;  /* of the buffer */
    size_t start;     /* file offset of the buffer, modulo BUFFER_BYTES */
    size_t elem_size;
    uint64_t left; /* elements announced and not yet written */
    uint64_t size; /* bytes of the record, from its first to its last */
    struct digest *hash;
    struct sealer *sealer; /* or NULL */
    const uint8_t *seed;
    struct seal *seal;           /* of the record, if it is sealed */
    uint8_t *chunk;              /* its next chunk */
    size_t n_chunk, chunk_bytes; /* bytes in it, and its room without the tag */
};

static struct writer *make(int fd, bool in_memory, const char *name, struct hagg_err *err)
{
    struct writer *w = calloc(1, sizeof *w);

    if (w) {
        *w = (struct writer){ .name = name, .fd = fd, .in_memory = in_memory };
        w->capacity = in_memory ? MEMORY_BYTES : BUFFER_BYTES;
        w->buffer = malloc(w->capacity);
        w->hash = digest_new();
    }
    if (!w || !w->buffer || !w->hash) {
        err_errno(err, "%s", name);
        writer_free(w);
        return NULL;
    }
    return w;
}

struct writer *writer_new(int fd, const char *name, struct hagg_err *err)
{
    return make(fd, false, name, err);
}

struct writer *writer_new_memory(const char *name, struct hagg_err *err)
{
    return make(-1, true, name, err);
}

void writer_set_sealer(struct writer *w, struct sealer *sealer, const uint8_t *seed)
{
    w->sealer = sealer;
    w->seed = seed;
}

static void end_seal(struct writer *w)
{
    seal_free(w->seal);
    if (w->chunk)
        explicit_bzero(w->chunk, w->chunk_bytes);
    free(w->chunk);
    w->seal = NULL;
    w->chunk = NULL;
    w->n_chunk = 0;
}

void writer_free(struct writer *w)
{
    if (!w)
        return;
    end_seal(w);
    if (w->buffer)
        explicit_bzero(w->buffer, w->most);
    free(w->buffer);
    digest_free(w->hash);
    free(w);
}

/* Writes the buffer and n more bytes, in one call if the kernel accepts them at once. */
static int flush(struct writer *w, const uint8_t *bytes, size_t n, struct hagg_err *err)
{
    struct iovec parts[2] = { { w->buffer, w->len }, { (void *)(uintptr_t)bytes, n } };
    size_t len = w->len, done;
    ssize_t now;

    w->start = (w->start + len + n) % BUFFER_BYTES;
    w->len = 0;
    if (len == 0 || n == 0)
        return fd_write(w->fd, w->name, len ? w->buffer : bytes, len + n, err);
    do
        now = writev(w->fd, parts, 2);
    while (now < 0 && errno == EINTR);
    if (now < 0)
        return err_errno(err, "%s", w->name);
    done = (size_t)now;
    if (done < len) {
        if (fd_write(w->fd, w->name, w->buffer + done, len - done, err))
            return -1;
        done = len;
    }
    return fd_write(w->fd, w->name, bytes + (done - len), n - (done - len), err);
}

/* Makes room for n more bytes. Not realloc, which would leave the old bytes in freed memory. */
static int reserve(struct writer *w, size_t n, struct hagg_err *err)
{
    size_t capacity = w->capacity;
    uint8_t *larger;

    while (capacity - w->len < n)
        capacity *= 2;
    if (capacity == w->capacity)
        return 0;
    larger = malloc(capacity);
    if (!larger)
        return err_errno(err, "%s", w->name);
    memcpy(larger, w->buffer, w->len);
    explicit_bzero(w->buffer, w->most);
    free(w->buffer);
    w->buffer = larger;
    w->capacity = capacity;
    w->most = w->len;
    return 0;
}

static int put(struct writer *w, const uint8_t *bytes, size_t n, struct hagg_err *err)
{
    size_t end = w->start + w->len + n;

    if (w->in_memory) {
        if (reserve(w, n, err))
            return -1;
    } else if (end >= BUFFER_BYTES) {
        size_t kept = end % BUFFER_BYTES;

        if (flush(w, bytes, n - kept, err))
            return -1;
        bytes += n - kept;
        n = kept;
    }
    memcpy(w->buffer + w->len, bytes, n);
    w->len += n;
    if (w->most < w->len)
        w->most = w->len;
    return 0;
}

static int put_hashed(struct writer *w, const void *bytes, size_t n, struct hagg_err *err)
{
    digest_add(w->hash, bytes, n);
    return put(w, bytes, n, err);
}

/* Asks the sealer, and makes room for a chunk. */
static int begin_seal(struct writer *w, const struct header *h, struct seal_head *head,
                      struct hagg_err *err)
{
    struct hagg_err cause = { 0 };

    end_seal(w);
    if (!w->sealer)
        return 0;
    if (w->sealer->begin(w->sealer, h, w->seed, head, &w->seal, &cause) < 0)
        return err_set(err, cause.status, "%s: %s", w->name, cause.text);
    if (!w->seal)
        return 0;
    w->chunk_bytes = head->n_bytes < SEAL_CHUNK_BYTES ? (size_t)head->n_bytes : SEAL_CHUNK_BYTES;
    w->chunk = malloc(w->chunk_bytes + SEAL_TAG_BYTES);
    return w->chunk ? 0 : err_errno(err, "%s", w->name);
}

static size_t put_string(uint8_t *to, size_t room, const uint8_t *bytes, size_t n)
{
    size_t len = cbor_encode_bytestring_start(n, to, room);

    memcpy(to + len, bytes, n);
    return len + n;
}

/* Room for everything that precedes the chunks of a sealed payload. */
#define HEADS_ROOM 96

/* Encodes everything that precedes the elements or chunks, and returns its length. */
static size_t encode_heads(const struct seal_head *head, bool sealed, uint8_t to[HEADS_ROOM])
{
    size_t len = 0;

    if (!sealed) {
        len = cbor_encode_tag(record_tag(head->width), to, HEADS_ROOM);
        return len +
               cbor_encode_bytestring_start((size_t)head->n_bytes, to + len, HEADS_ROOM - len);
    }
    len += cbor_encode_array_start(RECORD_SEALED_ITEMS, to, HEADS_ROOM);
    len += cbor_encode_uint(head->width, to + len, HEADS_ROOM - len);
    len += put_string(to + len, HEADS_ROOM - len, head->from_key, sizeof head->from_key);
    len += put_string(to + len, HEADS_ROOM - len, head->to_key, sizeof head->to_key);
    len += put_string(to + len, HEADS_ROOM - len, head->enc, sizeof head->enc);
    return len + cbor_encode_bytestring_start((size_t)seal_length(head->n_bytes), to + len,
                                              HEADS_ROOM - len);
}

/* Writes everything that precedes the elements or chunks. */
static int put_heads(struct writer *w, const struct header *h, const struct seal_head *head,
                     bool sealed, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    uint8_t heads[HEADS_ROOM];
    uint8_t *header;
    size_t len;
    int status;

    if (header_encode(h, &header, &len, &cause))
        return err_set(err, cause.status, "%s: %s", w->name, cause.text);
    digest_reset(w->hash);
    status = put(w, record_start, sizeof record_start, err);
    if (status == 0)
        status = put_hashed(w, header, len, err);
    free(header);
    if (status)
        return -1;
    w->size = len + size_without_header(head->width, head->n_bytes, sealed);
    len = encode_heads(head, sealed, heads);
    return put_hashed(w, heads, len, err);
}

int writer_begin(struct writer *w, const struct header *h, size_t elem_size, uint64_t n_elems,
                 struct hagg_err *err)
{
    struct seal_head head = { .width = elem_size, .n_bytes = size_elems(elem_size, n_elems) };
    struct hagg_err cause = { 0 };

    assert(n_elems <= LIMIT_PAYLOAD / elem_size);
    assert(!h->seed || (elem_size == 1 && n_elems == HEADER_SEED_BYTES));
    assert(!header_is_whole(h) || h->seed || n_elems == h->length);
    assert(header_has_vector(h) || elem_size == 1);
    assert(h->kind != HEADER_ROSTER || n_elems == 0 ||
           n_elems == HEADER_RUN_BYTES * header_count_clients(h));
    if (begin_seal(w, h, &head, err))
        return -1;
    if (!w->seal && seal_check_open(h, &cause))
        return err_set(err, cause.status, "%s: %s", w->name, cause.text);
    w->elem_size = elem_size;
    w->left = n_elems;
    return put_heads(w, h, &head, w->seal, err);
}

int writer_begin_closed(struct writer *w, const struct header *h, const struct seal_head *seal,
                        struct hagg_err *err)
{
    end_seal(w);
    w->elem_size = 1;
    w->left = seal_length(seal->n_bytes);
    return put_heads(w, h, seal, true, err);
}

uint64_t writer_size(const struct writer *w)
{
    return w->size;
}

/* Seals the next chunk and writes it. */
static int put_chunk(struct writer *w, const uint8_t *plain, size_t n, bool last,
                     struct hagg_err *err)
{
    if (w->seal->chunk(w->seal, last, plain, n, w->chunk, err) <= 0)
        return -1;
    return put_hashed(w, w->chunk, n + SEAL_TAG_BYTES, err);
}

/* Seals every full chunk, except that the last one waits for writer_end. */
static int put_sealed(struct writer *w, const uint8_t *bytes, size_t n, struct hagg_err *err)
{
    while (n > 0) {
        size_t room = w->chunk_bytes - w->n_chunk, now = n < room ? n : room;
        bool more = n > now || w->left > 0;

        if (w->n_chunk == 0 && now == w->chunk_bytes && more) {
            if (put_chunk(w, bytes, now, false, err))
                return -1;
        } else {
            memcpy(w->chunk + w->n_chunk, bytes, now);
            w->n_chunk += now;
            if (w->n_chunk == w->chunk_bytes && more) {
                w->n_chunk = 0;
                if (put_chunk(w, w->chunk, w->chunk_bytes, false, err))
                    return -1;
            }
        }
        bytes += now;
        n -= now;
    }
    return 0;
}

int writer_elems(struct writer *w, const void *elems, size_t n_elems, struct hagg_err *err)
{
    assert(n_elems <= w->left);
    if (n_elems == 0)
        return 0; /* an empty vector may be NULL */
    w->left -= n_elems;
    return w->seal ? put_sealed(w, elems, n_elems * w->elem_size, err)
                   : put_hashed(w, elems, n_elems * w->elem_size, err);
}

int writer_end(struct writer *w, struct hagg_err *err)
{
    uint8_t digest[DIGEST_BYTES];
    uint8_t head[9];
    size_t len;

    assert(w->left == 0);
    if (w->seal && put_chunk(w, w->chunk, w->n_chunk, true, err))
        return -1;
    end_seal(w);
    digest_get(w->hash, digest);
    len = cbor_encode_bytestring_start(sizeof digest, head, sizeof head);
    if (put(w, head, len, err) || put(w, digest, sizeof digest, err))
        return -1;
    return writer_flush(w, err);
}

int writer_flush(struct writer *w, struct hagg_err *err)
{
    return !w->in_memory && w->len > 0 ? flush(w, NULL, 0, err) : 0;
}

int writer_move(struct writer *to, struct writer *from, struct hagg_err *err)
{
    if (put(to, from->buffer, from->len, err))
        return -1;
    explicit_bzero(from->buffer, from->most);
    from->len = from->most = 0;
    return 0;
}

size_t writer_collected(const struct writer *w)
{
    return w->len;
}

int writer_cut(struct writer *w, struct hagg_err *err)
{
    return put(w, record_start, 1, err) || writer_flush(w, err) ? -1 : 0;
}
