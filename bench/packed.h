/*
 * packed.h - vectors of integers of 1 to 31 bits, packed without gaps: integer i is bits i * width
 * to (i + 1) * width - 1 of the bytes, where bit 0 of a byte is its lowest. Words are elements of 4
 * bytes, little-endian.
 */
#ifndef BENCH_PACKED_H
#define BENCH_PACKED_H

#include <stddef.h>
#include <stdint.h>

struct packed_kernel {
    const char *name;
    unsigned max_width;
    /* words has n elements below 2^width; packed has room for packed_bytes. */
    void (*pack)(void *packed, const void *words, size_t n, unsigned width);
    void (*unpack)(void *words, const void *packed, size_t n, unsigned width);
};

extern const struct packed_kernel packed_scalar, packed_avx2;

/* Returns packed_avx2, or packed_scalar if this processor or this width needs it. */
const struct packed_kernel *packed_best(unsigned width);

static inline size_t packed_bytes(size_t n, unsigned width)
{
    return (n * width + 7) / 8;
}

#endif
