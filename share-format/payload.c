#include "payload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "payload_state.h"

void payload_free(struct payload *p)
{
    if (!p)
        return;
    digest_free(p->hash);
    free(p->name);
    free(p);
}

static int fail(const struct payload *p, struct hagg_err *err, const char *what)
{
    return err_set(err, HAGG_E_MALFORMED, "%s: record %llu (byte %llu): %s", p->name,
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
            return fail(p, err, "ends too early: it became shorter while it was being read");
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
        return fail(p, err, "digest is not a string of 16 bytes");
    digest_get(p->hash, computed);
    if (memcmp(computed, bytes + 1, DIGEST_BYTES))
        return fail(p, err, "digest does not match, so the record is damaged: get it again");
    p->verified = true;
    return 0;
}

int payload_read(struct payload *p, int fd, void *buf, size_t max_elems, size_t *n_elems,
                 struct hagg_err *err)
{
    size_t want;

    *n_elems = 0;
    if (p->verified)
        return 0;
    want = p->left / p->elem_size < max_elems ? (size_t)p->left : max_elems * p->elem_size;
    if (pread_fully(p, fd, buf, want, err))
        return -1;
    digest_add(p->hash, buf, want);
    p->left -= want;
    *n_elems = want / p->elem_size;
    return p->left == 0 ? verify(p, fd, err) : 0;
}
