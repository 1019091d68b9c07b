/*
 * head.h - the head of one CBOR data item: major type and argument (RFC 8949, section 3).
 *
 * libcbor decodes whole strings at once, allocates the size that an array declares and does not
 * report the width of an argument. A bounded, strict reader needs the opposite of all three, so
 * heads are read here. Writing uses libcbor's encoders, except for half floats, some of which
 * libcbor encodes wrongly.
 */
#ifndef HAGG_HEAD_H
#define HAGG_HEAD_H

#include <stddef.h>
#include <stdint.h>

enum head_major {
    HEAD_UINT,
    HEAD_NEGATIVE,
    HEAD_BYTES,
    HEAD_TEXT,
    HEAD_ARRAY,
    HEAD_MAP,
    HEAD_TAG,
    HEAD_SIMPLE,
};

struct head {
    enum head_major major;
    uint64_t value;   /* the argument: integer, length, count, tag, simple value or float bits */
    size_t len_bytes; /* 1, 2, 3, 5 or 9 */
};

/* Returns 1 if a head was read, 0 if n bytes are too few, -1 for an indefinite length or a reserved
 * form. */
int head_read(struct head *h, const uint8_t *bytes, size_t n);

/* Returns the size in bytes of the shortest head with this argument. */
size_t head_shortest(uint64_t value);

#endif
