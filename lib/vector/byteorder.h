/*
 * byteorder.h - swaps the byte order of arrays of numbers.
 */
#ifndef HAGG_BYTEORDER_H
#define HAGG_BYTEORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const bool byteorder_host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/* size is 1, 2, 4 or 8 bytes. numbers must be aligned for it. */
static inline void byteorder_swap(void *numbers, size_t n, size_t size)
{
    uint16_t *two = numbers;
    uint32_t *four = numbers;
    uint64_t *eight = numbers;

    if (size == 2)
        for (size_t i = 0; i < n; i++)
            two[i] = __builtin_bswap16(two[i]);
    else if (size == 4)
        for (size_t i = 0; i < n; i++)
            four[i] = __builtin_bswap32(four[i]);
    else if (size == 8)
        for (size_t i = 0; i < n; i++)
            eight[i] = __builtin_bswap64(eight[i]);
}

#endif
