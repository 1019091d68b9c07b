/*
 * lanes16.h - the vectors of lanes.h as lanes of 16 bits, for builds with vectors: LANES > 1.
 *
 * The operators of C work on lanes16 modulo 2^16; this file has the operations for which C has no
 * operator. Nothing branches on the value of a lane.
 */
#ifndef LANES16_H
#define LANES16_H

#include "lanes.h"

#if LANES > 1

typedef uint16_t lanes16 __attribute__((vector_size(sizeof(lanes))));
typedef int16_t lanes16s __attribute__((vector_size(sizeof(lanes))));

#if LANES == 8
#define LANES16_OP(name) _mm512_##name
typedef __m512i lanes16_any;
#elif LANES == 4
#define LANES16_OP(name) _mm256_##name
typedef __m256i lanes16_any;
#else
#define LANES16_OP(name) _mm_##name
typedef __m128i lanes16_any;
#endif

LANES_INLINE lanes16 lanes16_all(uint16_t x)
{
    return (lanes16){ 0 } + x;
}

/* sum plus, in each lane of 32 bits, both products of its signed halves. */
LANES_INLINE lanes32 lanes16_add_products(lanes32 sum, lanes16 a, lanes16 b)
{
#if defined(__AVX512VNNI__)
    return (lanes32)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#else
    return sum + (lanes32)LANES16_OP(madd_epi16)((lanes16_any)a, (lanes16_any)b);
#endif
}

#if defined(__AVX512VNNI__)
#define LANES16_QUADS

/* sum plus, in each lane of 32 bits, the products of the unsigned bytes of a and the signed bytes
 * of b. */
LANES_INLINE lanes32 lanes16_add_quads(lanes32 sum, lanes16 a, lanes16 b)
{
    return (lanes32)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
}
#endif

/* The upper halves of the products of unsigned lanes. */
LANES_INLINE lanes16 lanes16_high(lanes16 a, lanes16 b)
{
    return (lanes16)LANES16_OP(mulhi_epu16)((lanes16_any)a, (lanes16_any)b);
}

/* The even lanes of a, and the odd ones of b. */
LANES_INLINE lanes16 lanes16_blend(lanes16 a, lanes16 b)
{
#if LANES == 8
    return (lanes16)_mm512_mask_blend_epi16(0xaaaaaaaa, (__m512i)a, (__m512i)b);
#elif LANES == 4
    return (lanes16)_mm256_blend_epi16((__m256i)a, (__m256i)b, 0xaa);
#else
    const lanes32 odd = (lanes32){ 0 } + 0xffff0000;

    return (lanes16)(((lanes32)a & ~odd) | ((lanes32)b & odd));
#endif
}

/* The even lanes of a and b interleaved, and their odd lanes. Both together undo themselves. */
LANES_INLINE lanes16 lanes16_even(lanes16 a, lanes16 b)
{
    return lanes16_blend(a, (lanes16)((lanes32)b << 16));
}

LANES_INLINE lanes16 lanes16_odd(lanes16 a, lanes16 b)
{
    return lanes16_blend((lanes16)((lanes32)a >> 16), b);
}

/* Returns a - b where a >= b, else a - b + c. */
LANES_INLINE lanes16 lanes16_minus(lanes16 a, lanes16 b, lanes16 c)
{
#if LANES == 8
    __mmask32 less = _mm512_cmplt_epu16_mask((__m512i)a, (__m512i)b);

    a -= b;
    return (lanes16)_mm512_mask_add_epi16((__m512i)a, less, (__m512i)a, (__m512i)c);
#else
    lanes16 over = (lanes16)LANES16_OP(subs_epu16)((lanes16_any)b, (lanes16_any)a);

    return a - b + (c & ~(lanes16)(over == 0));
#endif
}

/* Returns a where it is not negative as a signed lane, else a + c; c is below 2^15. */
LANES_INLINE lanes16 lanes16_raise(lanes16 a, lanes16 c)
{
#if LANES > 2
    return (lanes16)LANES16_OP(min_epu16)((lanes16_any)a, (lanes16_any)(a + c));
#else
    return a + (c & (lanes16)((lanes16s)a >> 15));
#endif
}

#undef LANES16_OP

#endif

#endif
