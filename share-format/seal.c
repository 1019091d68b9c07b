#include "seal.h"

#define SEALED_BYTES (SEAL_CHUNK_BYTES + SEAL_TAG_BYTES)

static uint64_t n_chunks(uint64_t n, uint64_t of)
{
    return n > 0 ? (n - 1) / of + 1 : 1;
}

uint64_t seal_length(uint64_t n_bytes)
{
    return n_bytes + SEAL_TAG_BYTES * n_chunks(n_bytes, SEAL_CHUNK_BYTES);
}

int seal_content(uint64_t length, uint64_t *n_bytes)
{
    uint64_t tags = SEAL_TAG_BYTES * n_chunks(length, SEALED_BYTES);

    if (length < tags || seal_length(length - tags) != length)
        return -1;
    *n_bytes = length - tags;
    return 0;
}

int seal_check(const struct header *h, struct hagg_err *err)
{
    if (!h->from.tier[0] || !h->to.tier[0] || !h->has_plan)
        return err_set(err, HAGG_E_MALFORMED, "a sealed record needs 'from', 'to' and 'plan'");
    return 0;
}

int seal_check_open(const struct header *h, struct hagg_err *err)
{
    if (h->kind == HEADER_ROSTER && h->to.tier[0])
        return err_set(err, HAGG_E_MALFORMED, "a roster that is not sealed has no 'to'");
    /* whoever reads a seed has all elements; the client's own key stays with the client */
    if (h->seed && (h->kind != HEADER_VECTOR || h->to.tier[0]))
        return err_set(err, HAGG_E_MALFORMED,
                       "a record with 'seed' must be sealed, except a key without 'to'");
    return 0;
}

void seal_free(struct seal *s)
{
    if (s)
        s->free(s);
}
