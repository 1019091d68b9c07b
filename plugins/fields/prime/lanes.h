/*
 * lanes.h - the widest vector of 64-bit lanes that this build of the kernels may use.
 *
 * LANES lanes of unsigned 64-bit integers: eight with AVX-512, four with AVX2, two with SSE2, one
 * anywhere else. All arithmetic is modulo 2^64, nothing branches on a lane's value.
 */
#ifndef LANES_H
#define LANES_H

#include <hagg/plugin.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define LANES_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__) && defined(__AVX512DQ__)

enum { LANES = 8 };
typedef __m512i lanes;

LANES_INLINE lanes lanes_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

LANES_INLINE void lanes_store(void *p, lanes x)
{
    _mm512_storeu_si512(p, x);
}

LANES_INLINE lanes lanes_all(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}

/* A value for lanes_mul only: what the upper half of a lane holds is not said. */
LANES_INLINE lanes lanes_all32(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}

LANES_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_epi64(a, b);
}

LANES_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_epi64(a, b);
}

LANES_INLINE lanes lanes_and(lanes a, lanes b)
{
    return _mm512_and_si512(a, b);
}

LANES_INLINE lanes lanes_shl(lanes a, unsigned bits)
{
    return _mm512_slli_epi64(a, bits);
}

LANES_INLINE lanes lanes_shr(lanes a, unsigned bits)
{
    return _mm512_srli_epi64(a, bits);
}

/* The product of the lower halves of a and b. */
LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_epu32(a, b);
}

/* The lower half of low, and the lower half of high as the upper one. */
LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    return _mm512_mask_blend_epi32(0xaaaa, low, _mm512_slli_epi64(high, 32));
}

/* x + c where a < b, else x. */
LANES_INLINE lanes lanes_add_if_less(lanes x, lanes c, lanes a, lanes b)
{
    return _mm512_mask_add_epi64(x, _mm512_cmplt_epu64_mask(a, b), x, c);
}

/* x - p where x >= p, else x. */
LANES_INLINE lanes lanes_wrap(lanes x, lanes p)
{
    return _mm512_min_epu64(x, _mm512_sub_epi64(x, p));
}

/* gcc reassociates sums and then spills; what is pinned is computed where it is written. */
#define LANES_PIN(x) __asm__("" : "+v"(x))

#elif defined(__AVX2__)

enum { LANES = 4 };
typedef __m256i lanes;

LANES_INLINE lanes lanes_load(const void *p)
{
    return _mm256_loadu_si256(p);
}

LANES_INLINE void lanes_store(void *p, lanes x)
{
    _mm256_storeu_si256(p, x);
}

LANES_INLINE lanes lanes_all(uint64_t x)
{
    return _mm256_set1_epi64x((long long)x);
}

LANES_INLINE lanes lanes_all32(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}

LANES_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_epi64(a, b);
}

LANES_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_epi64(a, b);
}

LANES_INLINE lanes lanes_and(lanes a, lanes b)
{
    return _mm256_and_si256(a, b);
}

LANES_INLINE lanes lanes_shl(lanes a, int bits)
{
    return _mm256_slli_epi64(a, bits);
}

LANES_INLINE lanes lanes_shr(lanes a, int bits)
{
    return _mm256_srli_epi64(a, bits);
}

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_epu32(a, b);
}

LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    return _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xaa);
}

LANES_INLINE lanes lanes_less(lanes a, lanes b)
{
    const lanes top = _mm256_set1_epi64x(INT64_MIN);

    return _mm256_cmpgt_epi64(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top));
}

LANES_INLINE lanes lanes_add_if_less(lanes x, lanes c, lanes a, lanes b)
{
    return _mm256_add_epi64(x, _mm256_and_si256(c, lanes_less(a, b)));
}

LANES_INLINE lanes lanes_wrap(lanes x, lanes p)
{
    return _mm256_sub_epi64(x, _mm256_andnot_si256(lanes_less(x, p), p));
}

#define LANES_PIN(x) __asm__("" : "+x"(x))

#elif defined(__SSE2__)

enum { LANES = 2 };
typedef __m128i lanes;

LANES_INLINE lanes lanes_load(const void *p)
{
    return _mm_loadu_si128(p);
}

LANES_INLINE void lanes_store(void *p, lanes x)
{
    _mm_storeu_si128(p, x);
}

LANES_INLINE lanes lanes_all(uint64_t x)
{
    return _mm_set1_epi64x((long long)x);
}

LANES_INLINE lanes lanes_all32(uint32_t x)
{
    return _mm_set1_epi32((int)x);
}

LANES_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm_add_epi64(a, b);
}

LANES_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm_sub_epi64(a, b);
}

LANES_INLINE lanes lanes_and(lanes a, lanes b)
{
    return _mm_and_si128(a, b);
}

LANES_INLINE lanes lanes_shl(lanes a, int bits)
{
    return _mm_slli_epi64(a, bits);
}

LANES_INLINE lanes lanes_shr(lanes a, int bits)
{
    return _mm_srli_epi64(a, bits);
}

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm_mul_epu32(a, b);
}

LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    const lanes lower = _mm_set1_epi64x(0xffffffff);

    return _mm_or_si128(_mm_and_si128(low, lower), _mm_slli_epi64(high, 32));
}

/* SSE2 compares no 64-bit lanes: the borrow of a - b is put together from its top bits. */
LANES_INLINE lanes lanes_less(lanes a, lanes b)
{
    lanes differ = _mm_xor_si128(a, b);
    lanes borrow =
        _mm_or_si128(_mm_and_si128(differ, b), _mm_andnot_si128(differ, _mm_sub_epi64(a, b)));

    return _mm_shuffle_epi32(_mm_srai_epi32(borrow, 31), 0xf5);
}

LANES_INLINE lanes lanes_add_if_less(lanes x, lanes c, lanes a, lanes b)
{
    return _mm_add_epi64(x, _mm_and_si128(c, lanes_less(a, b)));
}

LANES_INLINE lanes lanes_wrap(lanes x, lanes p)
{
    return _mm_sub_epi64(x, _mm_andnot_si128(lanes_less(x, p), p));
}

#define LANES_PIN(x) __asm__("" : "+x"(x))

#else

enum { LANES = 1 };
typedef uint64_t lanes;

LANES_INLINE lanes lanes_load(const void *p)
{
    return hagg_load64(p);
}

LANES_INLINE void lanes_store(void *p, lanes x)
{
    hagg_store64(p, x);
}

LANES_INLINE lanes lanes_all(uint64_t x)
{
    return x;
}

LANES_INLINE lanes lanes_all32(uint32_t x)
{
    return x;
}

LANES_INLINE lanes lanes_add(lanes a, lanes b)
{
    return a + b;
}

LANES_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return a - b;
}

LANES_INLINE lanes lanes_and(lanes a, lanes b)
{
    return a & b;
}

LANES_INLINE lanes lanes_shl(lanes a, int bits)
{
    return a << bits;
}

LANES_INLINE lanes lanes_shr(lanes a, int bits)
{
    return a >> bits;
}

LANES_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return (uint64_t)(uint32_t)a * (uint32_t)b;
}

LANES_INLINE lanes lanes_join(lanes low, lanes high)
{
    return (uint32_t)low | high << 32;
}

LANES_INLINE lanes lanes_add_if_less(lanes x, lanes c, lanes a, lanes b)
{
    return x + (c & -(uint64_t)(a < b));
}

LANES_INLINE lanes lanes_wrap(lanes x, lanes p)
{
    return x - (p & -(uint64_t)(x >= p));
}

#define LANES_PIN(x) ((void)0)

#endif

#endif
