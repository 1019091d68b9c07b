/*
 * kernels.c - products modulo 2^31 - 1.
 */
#include "m31.h"

#define FIELD_P         M31_P
#define FIELD_ELEM_SIZE M31_BYTES
#include "prime-kernels.h"

#if defined(__AVX2__)
#include "mat-simd.h"
#else
#include "mat-portable.h"
#endif

static uint64_t field_mul(uint64_t a, uint64_t b, uint64_t p)
{
    (void)p;
    return m31_reduce(a * b);
}

static void field_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const uint32_t factor = hagg_load32(c);

    (void)ctx;
    HAGG_PRIME_SAME_OR_APART
    for (size_t i = 0; i < n; i++) {
        uint32_t x = (uint32_t)hagg_load(a, i, M31_BYTES);
        uint32_t y = (uint32_t)hagg_load(out, i, M31_BYTES);

        hagg_store(out, i, M31_BYTES, m31_reduce((uint64_t)factor * x + y));
    }
}
