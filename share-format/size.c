#include "size.h"

#include "digest.h"
#include "head.h"
#include "record.h"

/* A byte string of n bytes. */
static uint64_t string(uint64_t n)
{
    return head_shortest(n) + n;
}

uint64_t size_elems(size_t elem_size, uint64_t n_elems)
{
    return n_elems * elem_size;
}

uint64_t size_without_header(size_t elem_size, uint64_t n_bytes, bool sealed)
{
    uint64_t size = sizeof record_start + string(DIGEST_BYTES);

    if (!sealed)
        return size + head_shortest(record_tag(elem_size)) + string(n_bytes);
    return size + head_shortest(RECORD_SEALED_ITEMS) + head_shortest(elem_size) +
           2 * string(SEAL_KEY_ID_BYTES) + string(SEAL_ENC_BYTES) + string(seal_length(n_bytes));
}

uint64_t size_record(const struct header *h, size_t elem_size, uint64_t n_elems, bool sealed)
{
    return header_size(h) + size_without_header(elem_size, size_elems(elem_size, n_elems), sealed);
}
