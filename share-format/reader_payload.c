#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "payload_state.h"
#include "reader_state.h"
#include "record.h"

static int fail_sealed(const struct reader *r, struct hagg_err *err)
{
    return reader_fail(r, err, HAGG_E_MALFORMED,
                       "is sealed, but not in the form that FORMAT.md specifies");
}

/* Reads until n bytes have arrived or the stream ends. Adds the number of bytes read to *got. */
static int read_fully(struct reader *r, uint8_t *to, size_t n, size_t *got, struct hagg_err *err)
{
    while (n > 0 && !r->at_end) {
        ssize_t now = fd_read(r->fd, r->name, to, n, err);

        if (now < 0)
            return -1;
        r->at_end = now == 0;
        to += now;
        n -= (size_t)now;
        *got += (size_t)now;
    }
    return 0;
}

/* The head of a byte string of this many bytes. */
static int read_string_head(struct reader *r, uint64_t *n_bytes, struct hagg_err *err)
{
    struct head string;

    if (reader_head(r, &string, "payload", true, err))
        return -1;
    if (string.major != HEAD_BYTES)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload is not a byte string of whole elements");
    if (string.value > LIMIT_PAYLOAD)
        return reader_fail(r, err, HAGG_E_MALFORMED, "payload is larger than 2^52 bytes");
    *n_bytes = string.value;
    return 0;
}

/* A byte string of n bytes. */
static int read_string(struct reader *r, uint8_t *to, size_t n, struct hagg_err *err)
{
    uint64_t n_bytes;

    if (read_string_head(r, &n_bytes, err))
        return -1;
    if (n_bytes != n)
        return fail_sealed(r, err);
    if (reader_fill(r, n, err))
        return -1;
    if (r->end - r->begin < n)
        return reader_early_end(r, "payload", err);
    memcpy(to, r->buffer + r->begin, n);
    digest_add(r->hash, to, n);
    reader_use(r, n);
    return 0;
}

/* The items of a sealed payload, after the head of the array. */
static int read_sealed_heads(struct reader *r, struct hagg_err *err)
{
    struct seal_head *seal = &r->seal;
    struct hagg_err cause = { 0 };
    struct head width;

    if (reader_head(r, &width, "payload", true, err))
        return -1;
    if (width.major != HEAD_UINT || !record_is_width(width.value))
        return fail_sealed(r, err);
    seal->width = r->elem_size = (size_t)width.value;
    if (read_string(r, seal->from_key, sizeof seal->from_key, err) ||
        read_string(r, seal->to_key, sizeof seal->to_key, err) ||
        read_string(r, seal->enc, sizeof seal->enc, err) || read_string_head(r, &r->left, err))
        return -1;
    if (seal_content(r->left, &seal->n_bytes))
        return fail_sealed(r, err);
    if (seal_check(&r->header, &cause))
        return reader_fail(r, err, cause.status, "%s", cause.text);
    return 0;
}

/* Reads everything before the elements or, of a sealed payload, before the chunks. */
static int read_payload_heads(struct reader *r, struct hagg_err *err)
{
    uint64_t n_bytes;
    struct head first;

    if (reader_head(r, &first, "payload", true, err))
        return -1;
    r->sealed = first.major == HEAD_ARRAY && first.value == RECORD_SEALED_ITEMS;
    if (r->sealed) {
        if (read_sealed_heads(r, err))
            return -1;
        n_bytes = r->seal.n_bytes;
    } else {
        r->elem_size = first.major == HEAD_TAG ? record_elem_size(first.value) : 0;
        if (r->elem_size == 0)
            return reader_fail(r, err, HAGG_E_MALFORMED,
                               "payload is not a typed array of unsigned integers");
        if (read_string_head(r, &r->left, err))
            return -1;
        n_bytes = r->left;
    }
    if (n_bytes % r->elem_size)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload is not a byte string of whole elements");
    r->n_elems = n_bytes / r->elem_size;
    return 0;
}

/* Checks that the payload fits its header. */
static int check_payload(const struct reader *r, struct hagg_err *err)
{
    const struct header *h = &r->header;
    struct hagg_err cause = { 0 };

    if (h->kind == HEADER_DATA && r->elem_size != 1)
        return reader_fail(r, err, HAGG_E_MALFORMED, "payload of data has elements of %zu bytes",
                           r->elem_size);
    if (h->kind == HEADER_ROSTER &&
        (r->elem_size != 1 ||
         (r->n_elems > 0 && r->n_elems != HEADER_RUN_BYTES * header_count_clients(h))))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload of a roster is neither empty nor 16 bytes for each client");
    if (!r->sealed && seal_check_open(h, &cause))
        return reader_fail(r, err, cause.status, "%s", cause.text);
    if (h->seed && (r->elem_size != 1 || r->n_elems != HEADER_SEED_BYTES))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload of a record with 'seed' is not %d elements of 1 byte",
                           HEADER_SEED_BYTES);
    if (header_is_whole(h) && !h->seed && r->n_elems != h->length)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has %llu elements, but its header declares %llu",
                           (unsigned long long)r->n_elems, (unsigned long long)h->length);
    return 0;
}

static int read_digest(struct reader *r, struct hagg_err *err)
{
    uint8_t computed[DIGEST_BYTES];
    struct head h;

    if (reader_head(r, &h, "digest", false, err))
        return -1;
    if (h.major != HEAD_BYTES || h.value != sizeof r->digest)
        return reader_fail(r, err, HAGG_E_MALFORMED, "digest is not a string of 16 bytes");
    if (reader_fill(r, sizeof r->digest, err))
        return -1;
    if (r->end - r->begin < sizeof r->digest)
        return reader_early_end(r, "digest", err);
    memcpy(r->digest, r->buffer + r->begin, sizeof r->digest);
    reader_use(r, sizeof r->digest);
    r->in_record = false;
    digest_get(r->hash, computed);
    if (memcmp(computed, r->digest, sizeof r->digest))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "digest does not match, so the record is damaged: get it again");
    return 0;
}

/* Reads the next n bytes of the payload as they are in the file. */
static int read_raw(void *reader, void *to, size_t n, struct hagg_err *err)
{
    struct reader *r = reader;
    size_t got;

    if (n < r->capacity && reader_fill(r, n, err))
        return -1;
    got = r->end - r->begin < n ? r->end - r->begin : n;
    if (got > 0) /* without elements, to may be NULL */
        memcpy(to, r->buffer + r->begin, got);
    reader_use(r, got);
    if (got < n) {
        size_t direct = 0;

        if (read_fully(r, (uint8_t *)to + got, n - got, &direct, err))
            return -1;
        r->offset += direct;
        got += direct;
    }
    if (got < n)
        return reader_early_end(r, "payload", err);
    digest_add(r->hash, to, got);
    r->left -= got;
    return 0;
}

static int fail_not_authentic(const struct reader *r, struct hagg_err *err)
{
    return reader_fail(r, err, HAGG_E_PRIVACY, "%s", READER_NOT_AUTHENTIC);
}

/* Asks the opener, which may refuse the record, and opens the first chunk. */
static int begin_opening(struct reader *r, struct hagg_err *err)
{
    const struct seal_head *head = reader_seal(r);
    struct hagg_err cause = { 0 };
    struct seal *seal = NULL;
    int status;

    if (!r->opener)
        return 0;
    if (r->opener->begin(r->opener, &r->header, head, &seal, &cause))
        return reader_fail(r, err, cause.status, "%s", cause.text);
    if (!seal)
        return 0;
    chunks_begin(&r->chunks, seal, head->n_bytes);
    r->chunks_offset = r->offset;
    r->chunks_left = r->left;
    digest_copy(r->chunks_hash, r->hash);
    status = chunks_open(&r->chunks, read_raw, r, err);
    return status > 0 ? 0 : status == 0 ? fail_not_authentic(r, err) : -1;
}

int reader_begin_payload(struct reader *r, struct hagg_err *err)
{
    chunks_end(&r->chunks);
    r->n_read = 0;
    return read_payload_heads(r, err) || check_payload(r, err) || begin_opening(r, err) ? -1 : 0;
}

int reader_read(struct reader *r, void *buf, size_t max_elems, size_t *n_elems,
                struct hagg_err *err)
{
    uint64_t left = r->n_elems - r->n_read;
    size_t now = left < max_elems ? (size_t)left : max_elems;
    int status;

    *n_elems = 0;
    if (!r->in_record)
        return 0;
    if (reader_is_closed(r))
        return reader_fail(r, err, HAGG_E_PRIVACY, "is sealed: %s", READER_SEALED);
    if (r->sealed) {
        status = chunks_read(&r->chunks, read_raw, r, buf, now * r->elem_size, err);
        if (status == 0)
            return fail_not_authentic(r, err);
    } else
        status = read_raw(r, buf, now * r->elem_size, err);
    if (status < 0)
        return -1;
    r->n_read += now;
    *n_elems = now;
    return r->n_read == r->n_elems ? read_digest(r, err) : 0;
}

int reader_read_closed(struct reader *r, void *buf, size_t max_bytes, size_t *n_bytes,
                       struct hagg_err *err)
{
    size_t now = r->left < max_bytes ? (size_t)r->left : max_bytes;

    assert(reader_is_closed(r));
    *n_bytes = 0;
    if (!r->in_record)
        return 0;
    if (read_raw(r, buf, now, err))
        return -1;
    *n_bytes = now;
    return r->left == 0 ? read_digest(r, err) : 0;
}

int reader_finish(struct reader *r, struct hagg_err *err)
{
    uint8_t block[65536];
    int status = 0;

    if (!r->in_record)
        return 0;
    while (status == 0 && r->left > 0)
        status = read_raw(r, block, r->left < sizeof block ? (size_t)r->left : sizeof block, err);
    explicit_bzero(block, sizeof block);
    return status ? -1 : read_digest(r, err);
}

/* The item after a payload: the head of a byte string of 16, and the digest. */
#define DIGEST_ITEM_BYTES 17

/* Seeks to the end of the record. Returns 1 if done, 0 if the stream is not a regular file. */
static int seek_behind(struct reader *r, struct hagg_err *err)
{
    uint64_t ahead = r->left + DIGEST_ITEM_BYTES, read_ahead = r->end - r->begin;
    struct stat st;
    off_t at;

    if (fstat(r->fd, &st))
        return err_errno(err, "%s", r->name);
    at = S_ISREG(st.st_mode) ? lseek(r->fd, 0, SEEK_CUR) : -1;
    if (at < 0)
        return 0;
    if (ahead <= read_ahead)
        reader_use(r, ahead);
    else {
        uint64_t further = ahead - read_ahead;

        if ((uint64_t)st.st_size < (uint64_t)at + further)
            return reader_early_end(r, "payload", err);
        if (lseek(r->fd, (off_t)further, SEEK_CUR) < 0)
            return err_errno(err, "%s", r->name);
        reader_use(r, read_ahead);
        r->offset += further;
    }
    r->in_record = false;
    return 1;
}

int reader_skip(struct reader *r, struct hagg_err *err)
{
    int moved;

    if (!r->in_record)
        return 0;
    moved = seek_behind(r, err);
    return moved < 0 ? -1 : moved > 0 ? 0 : reader_finish(r, err);
}

/* Returns the file offset of the stream's byte 0: standard input may begin anywhere. */
static uint64_t stream_origin(const struct reader *r)
{
    off_t at = lseek(r->fd, 0, SEEK_CUR);

    return at < 0 ? 0 : (uint64_t)at - (r->end - r->begin) - r->offset;
}

struct payload *reader_detach(struct reader *r, struct hagg_err *err)
{
    struct payload *p = calloc(1, sizeof *p);

    if (!p || !(p->name = strdup(r->name)) || !(p->hash = digest_new())) {
        err_errno(err, "%s", r->name);
        payload_free(p);
        return NULL;
    }
    p->record = r->record;
    p->start = r->start;
    p->offset = stream_origin(r) + (r->chunks.seal ? r->chunks_offset : r->offset);
    p->n_elems = r->n_elems;
    p->elem_size = r->elem_size;
    p->sealed = r->sealed;
    digest_copy(p->hash, r->chunks.seal ? r->chunks_hash : r->hash);
    if (seek_behind(r, err) <= 0) {
        payload_free(p);
        return NULL;
    }
    chunks_rewind(&r->chunks, r->n_elems * r->elem_size);
    p->chunks = r->chunks;
    r->chunks = (struct chunks){ 0 };
    return p;
}
