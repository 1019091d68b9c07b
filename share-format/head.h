/*
 * head.h - the head of one CBOR data item: major type and argument (RFC 8949, section 3).
 *
 * libcbor decodes whole strings at once, allocates what an array declares and does not say how wide
 * an argument was written; a bounded, strict reader needs the opposite of all three. So heads are
 * read here. What is written comes from libcbor's encoders, but for half floats, of which it gets
 * some wrong.
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

/* 1, or 0 when n bytes are too few to tell, or -1 for an indefinite length or a reserved form. */
int head_read(struct head *h, const uint8_t *bytes, size_t n);

/* Bytes of the shortest head with this argument. */
size_t head_shortest(uint64_t value);

#endif
