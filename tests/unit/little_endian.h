/*
 * little_endian.h - converts numbers between the byte order of files and of this machine.
 */
#ifndef LITTLE_ENDIAN_H
#define LITTLE_ENDIAN_H

#include <hagg/plugin.h>

/* In place; size is 1, 2, 4 or 8 bytes. */
static inline void little_endian(void *numbers, size_t n, size_t size)
{
    unsigned char *at = numbers;

    for (size_t i = 0; i < n; i++, at += size) {
        uint64_t number = hagg_load(at, 0, size);
        uint32_t four = (uint32_t)number;
        uint16_t two = (uint16_t)number;

        if (size == 8)
            memcpy(at, &number, sizeof number);
        else if (size == 4)
            memcpy(at, &four, sizeof four);
        else if (size == 2)
            memcpy(at, &two, sizeof two);
    }
}

#endif
