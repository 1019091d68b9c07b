#include "payload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "payload_state.h"
#include "reader.h"

void payload_free(struct payload *p)
{
    if (!p)
        return;
    chunks_end(&p->chunks);
    digest_free(p->hash);
    free(p->name);
    free(p);
}

static int fail(const struct payload *p, struct hagg_err *err, enum hagg_status status,
                const char *what)
{
    return err_set(err, status, "%s: record %llu (byte %llu): %s", p->name,
                   (unsigned long long)p->record, (unsigned long long)p->start, what);
}

static int pread_fully(struct payload *p, int fd, uint8_t *to, size_t n, struct hagg_err *err)
{
    while (n > 0) {
        ssize_t now = pread(fd, to, n, (off_t)p->offset);

        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return err_errno(err, "%s", p->name);
        if (now == 0)
            return fail(p, err, HAGG_E_MALFORMED,
                        "ends too early: it became shorter while it was being read");
        to += now;
        n -= (size_t)now;
        p->offset += (uint64_t)now;
    }
    return 0;
}

static int verify(struct payload *p, int fd, struct hagg_err *err)
{
    uint8_t bytes[1 + DIGEST_BYTES]; /* the head of a byte string of 16, and the digest */
    uint8_t computed[DIGEST_BYTES];

    if (pread_fully(p, fd, bytes, sizeof bytes, err))
        return -1;
    if (bytes[0] != 0x40 + DIGEST_BYTES)
        return fail(p, err, HAGG_E_MALFORMED, "digest is not a string of 16 bytes");
    digest_get(p->hash, computed);
    if (memcmp(computed, bytes + 1, DIGEST_BYTES))
        return fail(p, err, HAGG_E_MALFORMED,
                    "digest does not match, so the record is damaged: get it again");
    p->verified = true;
    return 0;
}

/* A payload, and the file that it is read from. */
struct source {
    struct payload *payload;
    int fd;
};

static int read_raw(void *source, void *to, size_t n, struct hagg_err *err)
{
    struct source *s = source;

    if (pread_fully(s->payload, s->fd, to, n, err))
        return -1;
    digest_add(s->payload->hash, to, n);
    return 0;
}

int payload_read(struct payload *p, int fd, void *buf, size_t max_elems, size_t *n_elems,
                 struct hagg_err *err)
{
    uint64_t left = p->n_elems - p->n_read;
    size_t now = left < max_elems ? (size_t)left : max_elems;
    struct source source = { p, fd };
    int status;

    *n_elems = 0;
    if (p->verified)
        return 0;
    if (p->sealed && !p->chunks.seal)
        return fail(p, err, HAGG_E_PRIVACY, "is sealed: " READER_SEALED);
    if (p->sealed) {
        status = chunks_read(&p->chunks, read_raw, &source, buf, now * p->elem_size, err);
        if (status == 0)
            return fail(p, err, HAGG_E_PRIVACY, READER_NOT_AUTHENTIC);
    } else
        status = read_raw(&source, buf, now * p->elem_size, err);
    if (status < 0)
        return -1;
    p->n_read += now;
    *n_elems = now;
    return p->n_read == p->n_elems ? verify(p, fd, err) : 0;
}
