#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fd.h"
#include "infile.h"
#include "reader_state.h"
#include "record.h"

/* For heads, headers and small payloads; larger reads bypass it. */
#define BUFFER_BYTES 16384

/* The minimum after a header: the heads of an empty payload, and the digest. */
#define AFTER_HEADER_BYTES 20

struct reader *reader_open(const char *path, struct opener *opener, struct hagg_err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    struct reader *r = calloc(1, sizeof *r);

    if (!r) {
        err_errno(err, "%s", path);
        return NULL;
    }
    r->fd = -1;
    r->opener = opener;
    r->capacity = BUFFER_BYTES;
    r->name = strdup(is_stdin ? "standard input" : path);
    r->buffer = malloc(r->capacity);
    r->hash = digest_new();
    r->chunks_hash = digest_new();
    if (!r->name || !r->buffer || !r->hash || !r->chunks_hash) {
        err_errno(err, "%s", path);
        reader_free(r);
        return NULL;
    }
    r->fd = infile_open(path, err);
    if (r->fd < 0) {
        reader_free(r);
        return NULL;
    }
    return r;
}

int reader_check_private(const struct reader *r, struct hagg_err *err)
{
    return infile_check_private(r->fd, r->name, err);
}

void reader_free(struct reader *r)
{
    if (!r)
        return;
    infile_close(r->fd);
    header_clear(&r->header);
    chunks_end(&r->chunks);
    /* it may contain keys */
    if (r->buffer)
        explicit_bzero(r->buffer, r->capacity);
    free(r->buffer);
    digest_free(r->hash);
    digest_free(r->chunks_hash);
    free(r->name);
    free(r);
}

const struct header *reader_header(const struct reader *r)
{
    return &r->header;
}

size_t reader_elem_size(const struct reader *r)
{
    return r->elem_size;
}

uint64_t reader_n_elems(const struct reader *r)
{
    return r->n_elems;
}

bool reader_is_sealed(const struct reader *r)
{
    return r->sealed;
}

bool reader_is_closed(const struct reader *r)
{
    return r->sealed && !r->chunks.seal;
}

const struct seal_head *reader_seal(const struct reader *r)
{
    return r->sealed ? &r->seal : NULL;
}

uint64_t reader_record(const struct reader *r)
{
    return r->record;
}

uint64_t reader_offset(const struct reader *r)
{
    return r->start;
}

const uint8_t *reader_digest(const struct reader *r)
{
    return r->digest;
}

uint64_t reader_len_bytes(const struct reader *r)
{
    return r->offset - r->start;
}

const char *reader_name(const struct reader *r)
{
    return r->name;
}

int reader_fail(const struct reader *r, struct hagg_err *err, enum hagg_status status,
                const char *format, ...)
{
    char what[sizeof err->text];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    return err_set(err, status, "%s: record %llu (byte %llu): %s", r->name,
                   (unsigned long long)r->record, (unsigned long long)r->start, what);
}

int reader_early_end(const struct reader *r, const char *where, struct hagg_err *err)
{
    return reader_fail(r, err, HAGG_E_MALFORMED, "ends too early, in its %s: get it again", where);
}

int reader_fill(struct reader *r, size_t n, struct hagg_err *err)
{
    if (r->end - r->begin >= n)
        return 0;
    memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
    r->end -= r->begin;
    r->begin = 0;
    if (r->capacity < n) {
        uint8_t *larger = malloc(n);

        if (!larger)
            return err_errno(err, "%s", r->name);
        memcpy(larger, r->buffer, r->end);
        explicit_bzero(r->buffer, r->capacity);
        free(r->buffer);
        r->buffer = larger;
        r->capacity = n;
    }
    while (r->end < n && !r->at_end) {
        ssize_t now = fd_read(r->fd, r->name, r->buffer + r->end, r->capacity - r->end, err);

        if (now < 0)
            return -1;
        r->at_end = now == 0;
        r->end += (size_t)now;
    }
    return 0;
}

void reader_use(struct reader *r, size_t n)
{
    r->begin += n;
    r->offset += n;
}

/* Every record begins with the same six bytes. */
static int read_start(struct reader *r, struct hagg_err *err)
{
    size_t n;

    if (reader_fill(r, sizeof record_start, err))
        return -1;
    n = r->end - r->begin < sizeof record_start ? r->end - r->begin : sizeof record_start;
    if (memcmp(r->buffer + r->begin, record_start, n) == 0) {
        if (n < sizeof record_start)
            return reader_early_end(r, "first bytes", err);
        reader_use(r, n);
        return 0;
    }
    if (r->record == 1)
        return err_set(err, HAGG_E_MALFORMED, "%s: is not a hagg file", r->name);
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: the data after record %llu, from byte %llu on, is not a record", r->name,
                   (unsigned long long)r->record - 1, (unsigned long long)r->start);
}

/* Reads until the header is complete, with a buffer of at most twice the bytes received. While the
 * header is small, it waits only for bytes that the record must have, because on a pipe the next
 * record may arrive much later. */
static int read_header(struct reader *r, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    size_t want = AFTER_HEADER_BYTES, used = 0;

    for (;;) {
        size_t have;
        int got;

        if (reader_fill(r, want, err))
            return -1;
        have = r->end - r->begin;
        header_clear(&r->header);
        got = header_decode(&r->header, r->buffer + r->begin,
                            have < LIMIT_HEADER ? have : LIMIT_HEADER, &used, &cause);
        if (got < 0)
            return reader_fail(r, err, cause.status, "%s", cause.text);
        if (got > 0)
            break;
        if (have >= LIMIT_HEADER)
            return reader_fail(r, err, HAGG_E_MALFORMED, "header is larger than %u bytes",
                               LIMIT_HEADER);
        if (r->at_end)
            return reader_early_end(r, "header", err);
        want = have + AFTER_HEADER_BYTES;
        if (want > BUFFER_BYTES)
            want = 2 * have;
    }
    digest_reset(r->hash);
    digest_add(r->hash, r->buffer + r->begin, used);
    reader_use(r, used);
    return 0;
}

int reader_head(struct reader *r, struct head *h, const char *where, bool hashed,
                struct hagg_err *err)
{
    int got;

    if (reader_fill(r, 9, err))
        return -1;
    got = head_read(h, r->buffer + r->begin, r->end - r->begin);
    if (got == 0)
        return reader_early_end(r, where, err);
    if (got < 0 || (h->len_bytes != head_shortest(h->value)))
        return reader_fail(r, err, HAGG_E_MALFORMED, "%s is not in deterministic encoding", where);
    if (hashed)
        digest_add(r->hash, r->buffer + r->begin, h->len_bytes);
    reader_use(r, h->len_bytes);
    return 0;
}

int reader_next(struct reader *r, struct hagg_err *err)
{
    if (reader_finish(r, err))
        return -1;
    if (reader_fill(r, 1, err))
        return -1;
    if (r->begin == r->end)
        return 0;
    r->start = r->offset;
    r->record++;
    if (read_start(r, err) || read_header(r, err) || reader_begin_payload(r, err))
        return -1;
    r->in_record = true;
    return 1;
}
