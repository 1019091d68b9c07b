/*
 * kernels.c - products modulo 2^61 - 1.
 */
#include "m61.h"

#define FIELD_P         M61_P
#define FIELD_ELEM_SIZE M61_BYTES
#include "prime-kernels.h"

#if defined(__AVX2__)
#include "mat-simd.h"
#else
#include "mat-portable.h"
#endif

static uint64_t field_mul(uint64_t a, uint64_t b, uint64_t p)
{
    (void)p;
    return m61_mul_add(a, b, 0);
}

static void field_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const uint64_t factor = hagg_load64(c);

    (void)ctx;
    HAGG_PRIME_SAME_OR_APART
    for (size_t i = 0; i < n; i++) {
        uint64_t x = hagg_load(a, i, M61_BYTES);

        hagg_store(out, i, M61_BYTES, m61_mul_add(factor, x, hagg_load(out, i, M61_BYTES)));
    }
}
