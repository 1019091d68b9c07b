/*
 * hex.h - bytes written as hexadecimal digits, as independent encoders print them.
 */
#ifndef HAGG_HEX_H
#define HAGG_HEX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Pairs of digits; blanks are passed over. How many bytes there were; out has room for them. */
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
