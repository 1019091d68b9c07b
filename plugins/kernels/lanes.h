/*
 * lanes.h - the widest vector of 64-bit lanes that this build of the kernels may use.
 *
 * LANES lanes of unsigned 64-bit integers: eight with AVX-512, four with AVX2, two with SSE2, one
 * otherwise. The operators of C work on them, modulo 2^64; this file has the operations for which C
 * has no operator. Nothing branches on the value of a lane.
 */
#ifndef LANES_H
#define LANES_H

#include <hagg/plugin.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#elif defined(__SSE2__)
#define LANES 2
#else
#define LANES 1
#endif

#define LANES_INLINE static inline __attribute__((always_inline))

#if LANES > 1

#include <immintrin.h>

typedef uint64_t lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));
typedef uint32_t lanes32 __attribute__((vector_size(LANES * sizeof(uint64_t))));

/* Forces a value to be computed where it is written. Otherwise gcc reassociates sums and then
 * spills registers, and clang sign-extends a factor at every use. */
#define LANES_PIN(x) __asm__("" : "+v"(x))

#else

typedef uint64_t lanes;
typedef uint32_t lanes32; /* lanes of one half, the operands of lanes_mul */

#define LANES_PIN(x) ((void)0)

#endif

LANES_INLINE lanes lanes_load(const void *p)
{
#if LANES > 1
    lanes x;

    __builtin_memcpy(&x, p, sizeof x);
    return x;
#else
    return hagg_load64(p);
#endif
}

LANES_INLINE void lanes_store(void *p, lanes x)
{
#if LANES > 1
    __builtin_memcpy(p, &x, sizeof x);
#else
    hagg_store64(p, x);
#endif
}

LANES_INLINE lanes lanes_all(uint64_t x)
{
    return (lanes){ 0 } + x;
}

/* A factor for a product: the upper half of each lane is unspecified. */
LANES_INLINE lanes lanes_all32(uint32_t x)
{
    return (lanes)((lanes32){ 0 } + x);
}

/*
 * lanes_mul          the product of the lower halves of a and b
 * lanes_mul_signed   the same for signed halves, with AVX2 and more
 * lanes_join         the lower half of low, and the lower half of high as the upper one
 * lanes_add_if_less  x + c where a < b, else x
 * lanes_wrap         x - p where x >= p, else x
 */
#if LANES == 8

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return (lanes)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

LANES_INLINE lanes lanes_mul_signed(lanes a, lanes b)
{
    return (lanes)_mm512_mul_epi32((__m512i)a, (__m512i)b);
}

LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    return (lanes)_mm512_mask_blend_epi32(0xaaaa, (__m512i)low, (__m512i)(high << 32));
}

LANES_INLINE lanes lanes_add_if_less(lanes x, lanes c, lanes a, lanes b)
{
    __mmask8 less = _mm512_cmplt_epu64_mask((__m512i)a, (__m512i)b);

    return (lanes)_mm512_mask_add_epi64((__m512i)x, less, (__m512i)x, (__m512i)c);
}

LANES_INLINE lanes lanes_wrap(lanes x, lanes p)
{
    return (lanes)_mm512_min_epu64((__m512i)x, (__m512i)(x - p));
}

#if defined(__AVX512IFMA__)
/* sum plus the lower or upper 52 bits of the product of the lower 52 bits of a and b. */
LANES_INLINE lanes lanes_add_low52(lanes sum, lanes a, lanes b)
{
    return (lanes)_mm512_madd52lo_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}

LANES_INLINE lanes lanes_add_high52(lanes sum, lanes a, lanes b)
{
    return (lanes)_mm512_madd52hi_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}
#endif

#else

#if LANES == 4

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return (lanes)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

LANES_INLINE lanes lanes_mul_signed(lanes a, lanes b)
{
    return (lanes)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}

LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    return (lanes)_mm256_blend_epi32((__m256i)low, (__m256i)(high << 32), 0xaa);
}

/* All ones where a < b, else zero. The available instruction compares signed lanes. */
LANES_INLINE lanes lanes_less(lanes a, lanes b)
{
    const lanes top = lanes_all(UINT64_C(1) << 63);

    return (lanes)_mm256_cmpgt_epi64((__m256i)(b ^ top), (__m256i)(a ^ top));
}

#elif LANES == 2

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return (lanes)_mm_mul_epu32((__m128i)a, (__m128i)b);
}

/* SSE2 cannot compare 64-bit lanes: the borrow of a - b is computed from the top bits. */
LANES_INLINE lanes lanes_less(lanes a, lanes b)
{
    lanes differ = a ^ b;
    lanes borrow = (differ & b) | (~differ & (a - b));

    return (lanes)_mm_shuffle_epi32(_mm_srai_epi32((__m128i)borrow, 31), 0xf5);
}

#else

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return (uint64_t)(uint32_t)a * (uint32_t)b;
}

LANES_INLINE lanes lanes_less(lanes a, lanes b)
{
    return -(uint64_t)(a < b);
}

#endif

#if LANES < 4
LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    return (low & UINT32_MAX) | high << 32;
}
#endif

LANES_INLINE lanes lanes_add_if_less(lanes x, lanes c, lanes a, lanes b)
{
    return x + (c & lanes_less(a, b));
}

LANES_INLINE lanes lanes_wrap(lanes x, lanes p)
{
    return x - (~lanes_less(x, p) & p);
}

#endif

#endif
