#include "payload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "payload_state.h"

#define DIGEST_BYTES 16

void payload_free(struct payload *p)
{
    if (!p)
        return;
    if (p->hash)
        XXH3_freeState(p->hash);
    free(p->name);
    free(p);
}

static int fail(const struct payload *p, struct hagg_err *err, const char *what)
{
    return err_set(err, HAGG_E_MALFORMED, "%s: record %llu (byte %llu): %s", p->name,
                   (unsigned long long)p->record, (unsigned long long)p->start, what);
}

struct payload *payload_copy(const struct payload *p)
{
    struct payload *copy = malloc(sizeof *copy);

    if (!copy)
        return NULL;
    *copy = *p;
    copy->name = strdup(p->name);
    copy->hash = XXH3_createState();
    if (!copy->name || !copy->hash) {
        payload_free(copy);
        return NULL;
    }
    XXH3_copyState(copy->hash, p->hash);
    return copy;
}

static int pread_fully(const struct payload *p, int fd, uint8_t *to, size_t n, uint64_t offset,
                       struct hagg_err *err)
{
    while (n > 0) {
        ssize_t now = pread(fd, to, n, (off_t)offset);

        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return err_errno(err, "%s", p->name);
        if (now == 0)
            return fail(p, err, "ends too early: it became shorter while it was read");
        to += now;
        n -= (size_t)now;
        offset += (uint64_t)now;
    }
    return 0;
}

/* As it stands in the file. */
static int read_digest(const struct payload *p, int fd, uint8_t digest[DIGEST_BYTES],
                       struct hagg_err *err)
{
    uint8_t bytes[1 + DIGEST_BYTES]; /* the head of a byte string of 16, and the digest */

    if (pread_fully(p, fd, bytes, sizeof bytes, p->offset + p->left, err))
        return -1;
    if (bytes[0] != 0x40 + DIGEST_BYTES)
        return fail(p, err, "digest is not a byte string of 16");
    memcpy(digest, bytes + 1, DIGEST_BYTES);
    return 0;
}

int payload_digest(struct payload *p, int fd, uint8_t digest[16], struct hagg_err *err)
{
    if (read_digest(p, fd, p->digest, err))
        return -1;
    p->told = true;
    memcpy(digest, p->digest, DIGEST_BYTES);
    return 0;
}

static int verify(struct payload *p, int fd, struct hagg_err *err)
{
    XXH128_canonical_t computed;

    if (!p->told && read_digest(p, fd, p->digest, err))
        return -1;
    XXH128_canonicalFromHash(&computed, XXH3_128bits_digest(p->hash));
    if (memcmp(computed.digest, p->digest, DIGEST_BYTES))
        return fail(p, err, "digest does not match: the record is damaged, get it again");
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
    if (pread_fully(p, fd, buf, want, p->offset, err))
        return -1;
    XXH3_128bits_update(p->hash, buf, want);
    p->offset += want;
    p->left -= want;
    *n_elems = want / p->elem_size;
    return p->left == 0 ? verify(p, fd, err) : 0;
}
