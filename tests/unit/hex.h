/*
 * hex.h - converts hexadecimal digits, as printed by independent encoders, to bytes.
 */
#ifndef HAGG_HEX_H
#define HAGG_HEX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Converts pairs of digits, and skips blanks. Returns the number of bytes, for which out has
 * room. */
static inline size_t hex_bytes(uint8_t *out, const char *digits)
{
    size_t n = 0;
    unsigned byte;

    while (*digits) {
        if (*digits == ' ') {
            digits++;
            continue;
        }
        if (sscanf(digits, "%2x", &byte) != 1)
            break;
        out[n++] = (uint8_t)byte;
        digits += 2;
    }
    return n;
}

#endif
