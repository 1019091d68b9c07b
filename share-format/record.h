/*
 * record.h - the fixed bytes of a record, for its reader and its writer.
 */
#ifndef HAGG_RECORD_H
#define HAGG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* tag "HAGG" around an array of three items */
static const uint8_t record_start[6] = { 0xda, 'H', 'A', 'G', 'G', 0x83 };

/* The items of a sealed payload. */
#define RECORD_SEALED_ITEMS 5

static inline bool record_is_width(uint64_t n_bytes)
{
    return n_bytes == 1 || n_bytes == 2 || n_bytes == 4 || n_bytes == 8;
}

/* The element size of an RFC 8746 tag for unsigned little-endian arrays, or 0 for another tag. */
static inline size_t record_elem_size(uint64_t tag)
{
    switch (tag) {
    case 64:
        return 1;
    case 69:
        return 2;
    case 70:
        return 4;
    case 71:
        return 8;
    default:
        return 0;
    }
}

static inline uint64_t record_tag(size_t elem_size)
{
    return elem_size == 1 ? 64 : elem_size == 2 ? 69 : elem_size == 4 ? 70 : 71;
}

#endif
