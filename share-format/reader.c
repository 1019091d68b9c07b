#include "reader.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunks.h"
#include "digest.h"
#include "fd.h"
#include "head.h"
#include "infile.h"
#include "payload_state.h"
#include "record.h"

/* For heads, headers and small payloads; larger reads bypass it. */
#define BUFFER_BYTES 16384

/* The minimum after a header: the heads of an empty payload, and the digest. */
#define AFTER_HEADER_BYTES 20

struct reader {
    char *name;
    int fd;
    uint8_t *buffer; /* bytes begin .. end have been read but not used */
    size_t begin, end, capacity;
    bool at_end;
    uint64_t offset;  /* of the byte at begin */
    uint64_t start;   /* of the record */
    uint64_t record;  /* its number, 0 before the first */
    bool in_record;   /* its digest has not been verified yet */
    uint64_t left;    /* bytes of payload not yet read, as they are in the file */
    uint64_t n_elems; /* of the payload */
    uint64_t n_read;  /* elements returned */
    size_t elem_size;
    struct header header;
    bool sealed;
    struct opener *opener; /* or NULL */
    struct chunks chunks;  /* of a record that is sealed and can be opened */
    uint8_t digest[16];
    struct digest *hash;
};

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
    if (!r->name || !r->buffer || !r->hash) {
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

static int fail_early_end(const struct reader *r, const char *where, struct hagg_err *err)
{
    return reader_fail(r, err, HAGG_E_MALFORMED, "ends too early, in its %s: get it again", where);
}

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

/* Ensures that the buffer has n unused bytes, or all remaining bytes of the stream. Does not wait
 * for more than n bytes on a pipe. */
static int fill(struct reader *r, size_t n, struct hagg_err *err)
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

static void use(struct reader *r, size_t n)
{
    r->begin += n;
    r->offset += n;
}

/* Every record begins with the same six bytes. */
static int read_start(struct reader *r, struct hagg_err *err)
{
    size_t n;

    if (fill(r, sizeof record_start, err))
        return -1;
    n = r->end - r->begin < sizeof record_start ? r->end - r->begin : sizeof record_start;
    if (memcmp(r->buffer + r->begin, record_start, n) == 0) {
        if (n < sizeof record_start)
            return fail_early_end(r, "first bytes", err);
        use(r, n);
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

        if (fill(r, want, err))
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
            return fail_early_end(r, "header", err);
        want = have + AFTER_HEADER_BYTES;
        if (want > BUFFER_BYTES)
            want = 2 * have;
    }
    digest_reset(r->hash);
    digest_add(r->hash, r->buffer + r->begin, used);
    use(r, used);
    return 0;
}

/* Reads a head of the payload or the digest, and hashes it if hashed is set. */
static int read_head(struct reader *r, struct head *h, const char *where, bool hashed,
                     struct hagg_err *err)
{
    int got;

    if (fill(r, 9, err))
        return -1;
    got = head_read(h, r->buffer + r->begin, r->end - r->begin);
    if (got == 0)
        return fail_early_end(r, where, err);
    if (got < 0 || (h->len_bytes != head_shortest(h->value)))
        return reader_fail(r, err, HAGG_E_MALFORMED, "%s is not in deterministic encoding", where);
    if (hashed)
        digest_add(r->hash, r->buffer + r->begin, h->len_bytes);
    use(r, h->len_bytes);
    return 0;
}

/* The head of a byte string of this many bytes. */
static int read_string_head(struct reader *r, uint64_t *n_bytes, struct hagg_err *err)
{
    struct head string;

    if (read_head(r, &string, "payload", true, err))
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
    if (fill(r, n, err))
        return -1;
    if (r->end - r->begin < n)
        return fail_early_end(r, "payload", err);
    memcpy(to, r->buffer + r->begin, n);
    digest_add(r->hash, to, n);
    use(r, n);
    return 0;
}

/* The items of a sealed payload, after the head of the array. */
static int read_sealed_heads(struct reader *r, struct seal_head *seal, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    struct head width;

    if (read_head(r, &width, "payload", true, err))
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
static int read_payload_heads(struct reader *r, struct seal_head *seal, struct hagg_err *err)
{
    uint64_t n_bytes;
    struct head first;

    if (read_head(r, &first, "payload", true, err))
        return -1;
    r->sealed = first.major == HEAD_ARRAY && first.value == RECORD_SEALED_ITEMS;
    if (r->sealed) {
        if (read_sealed_heads(r, seal, err))
            return -1;
        n_bytes = seal->n_bytes;
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

    if (h->kind == HEADER_DATA && r->elem_size != 1)
        return reader_fail(r, err, HAGG_E_MALFORMED, "payload of data has elements of %zu bytes",
                           r->elem_size);
    if (h->kind == HEADER_ROSTER &&
        (r->elem_size != 1 ||
         (r->n_elems > 0 && r->n_elems != HEADER_RUN_BYTES * header_count_clients(h))))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload of a roster is neither empty nor 16 bytes for each client");
    if (h->kind == HEADER_ROSTER && h->to.tier[0] && !r->sealed)
        return reader_fail(r, err, HAGG_E_MALFORMED, "a roster that is not sealed has no 'to'");
    if (header_is_whole(h) && r->n_elems != h->length)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has %llu elements, but its header declares %llu",
                           (unsigned long long)r->n_elems, (unsigned long long)h->length);
    return 0;
}

/* Asks the opener, which may refuse the record. */
static int begin_opening(struct reader *r, const struct seal_head *head, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    struct seal *seal = NULL;

    chunks_end(&r->chunks);
    if (!r->opener)
        return 0;
    if (r->opener->begin(r->opener, &r->header, r->sealed ? head : NULL, &seal, &cause))
        return reader_fail(r, err, cause.status, "%s", cause.text);
    if (seal)
        chunks_begin(&r->chunks, seal, head->n_bytes);
    return 0;
}

static int read_digest(struct reader *r, struct hagg_err *err)
{
    uint8_t computed[DIGEST_BYTES];
    struct head h;

    if (read_head(r, &h, "digest", false, err))
        return -1;
    if (h.major != HEAD_BYTES || h.value != sizeof r->digest)
        return reader_fail(r, err, HAGG_E_MALFORMED, "digest is not a string of 16 bytes");
    if (fill(r, sizeof r->digest, err))
        return -1;
    if (r->end - r->begin < sizeof r->digest)
        return fail_early_end(r, "digest", err);
    memcpy(r->digest, r->buffer + r->begin, sizeof r->digest);
    use(r, sizeof r->digest);
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

    if (n < r->capacity && fill(r, n, err))
        return -1;
    got = r->end - r->begin < n ? r->end - r->begin : n;
    if (got > 0) /* without elements, to may be NULL */
        memcpy(to, r->buffer + r->begin, got);
    use(r, got);
    if (got < n) {
        size_t direct = 0;

        if (read_fully(r, (uint8_t *)to + got, n - got, &direct, err))
            return -1;
        r->offset += direct;
        got += direct;
    }
    if (got < n)
        return fail_early_end(r, "payload", err);
    digest_add(r->hash, to, got);
    r->left -= got;
    return 0;
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
            return reader_fail(r, err, HAGG_E_PRIVACY, "%s", READER_NOT_AUTHENTIC);
    } else
        status = read_raw(r, buf, now * r->elem_size, err);
    if (status < 0)
        return -1;
    r->n_read += now;
    *n_elems = now;
    return r->n_read == r->n_elems ? read_digest(r, err) : 0;
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
        use(r, ahead);
    else {
        uint64_t further = ahead - read_ahead;

        if ((uint64_t)st.st_size < (uint64_t)at + further)
            return fail_early_end(r, "payload", err);
        if (lseek(r->fd, (off_t)further, SEEK_CUR) < 0)
            return err_errno(err, "%s", r->name);
        use(r, read_ahead);
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
    p->offset = stream_origin(r) + r->offset;
    p->n_elems = r->n_elems;
    p->elem_size = r->elem_size;
    p->sealed = r->sealed;
    digest_copy(p->hash, r->hash);
    if (seek_behind(r, err) <= 0) {
        payload_free(p);
        return NULL;
    }
    p->chunks = r->chunks;
    r->chunks = (struct chunks){ 0 };
    return p;
}

int reader_next(struct reader *r, struct hagg_err *err)
{
    struct seal_head seal = { 0 };

    if (reader_finish(r, err))
        return -1;
    if (fill(r, 1, err))
        return -1;
    if (r->begin == r->end)
        return 0;
    r->start = r->offset;
    r->record++;
    if (read_start(r, err) || read_header(r, err) || read_payload_heads(r, &seal, err) ||
        check_payload(r, err) || begin_opening(r, &seal, err))
        return -1;
    r->n_read = 0;
    r->in_record = true;
    return 1;
}
