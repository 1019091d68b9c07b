#include "plan/plan_digest.h"

#include <string.h>

#include "records/describe.h"

/* Bytes of a digest in a message that has two of them. */
#define FIRST_BYTES 8

int plan_digest_parse(uint8_t digest[HEADER_PLAN_BYTES], const char *text)
{
    char digits[2 * HEADER_PLAN_BYTES + 1];
    size_t n = 0;

    for (; *text; text++) {
        if (strchr(" \t\r\n:", *text))
            continue;
        if (n == sizeof digits - 1)
            return -1;
        digits[n++] = *text;
    }
    digits[n] = 0;
    return text_unhex(digest, HEADER_PLAN_BYTES, digits);
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
