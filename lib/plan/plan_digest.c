#include "plan/plan_digest.h"

#include <string.h>

#include "records/describe.h"

/* Bytes of a digest in a message that has two of them. */
#define FIRST_BYTES 8

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;

    return found ? (int)((found - digits) % 16) : -1;
}

int plan_digest_parse(uint8_t digest[HEADER_PLAN_BYTES], const char *text)
{
    size_t n = 0;

    memset(digest, 0, HEADER_PLAN_BYTES);
    for (; *text; text++) {
        int value = digit(*text);

        if (strchr(" \t\r\n:", *text))
            continue;
        if (value < 0 || n == 2 * HEADER_PLAN_BYTES)
            return -1;
        digest[n / 2] = (uint8_t)(digest[n / 2] << 4 | value);
        n++;
    }
    return n == 2 * HEADER_PLAN_BYTES ? 0 : -1;
}

int plan_digest_check(const struct plan *p, const uint8_t digest[HEADER_PLAN_BYTES],
                      struct hagg_err *err)
{
    char own[DESCRIBE_DIGEST_ROOM(HEADER_PLAN_BYTES)];

    if (memcmp(p->digest, digest, sizeof p->digest) == 0)
        return 0;
    describe_digest(own, p->digest, sizeof p->digest);
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: is not the plan of --plan-digest: its digest is %s: get the right plan",
                   p->name, own);
}

bool plan_digest_is(const struct plan *p, const struct header *h)
{
    return h->has_plan && memcmp(h->plan, p->digest, sizeof h->plan) == 0;
}

int plan_digest_missing(const struct reader *r, struct hagg_err *err)
{
    char found[DESCRIBE_DIGEST_ROOM(FIRST_BYTES)];

    describe_digest(found, reader_header(r)->plan, FIRST_BYTES);
    return reader_fail(
        r, err, HAGG_E_PRIVACY,
        "was made under a plan: use --plan (or HAGG_PLAN) with the plan whose digest "
        "is %s...",
        found);
}

int plan_digest_fail(const struct plan *p, const struct reader *r, const char *what,
                     struct hagg_err *err)
{
    char found[DESCRIBE_DIGEST_ROOM(FIRST_BYTES)], expected[DESCRIBE_DIGEST_ROOM(FIRST_BYTES)];

    describe_digest(found, reader_header(r)->plan, FIRST_BYTES);
    describe_digest(expected, p->digest, FIRST_BYTES);
    return reader_fail(r, err, HAGG_E_MISMATCH,
                       "%swas made under a different plan than %s: plan digest %s..., not %s...",
                       what, p->name, found, expected);
}
