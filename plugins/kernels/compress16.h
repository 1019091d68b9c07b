/*
 * compress16.h - moves the lanes of one or two bytes that are less than p to the front of a vector,
 * for builds that have an instruction for it.
 *
 * With AVX2 this is a permutation of eight lanes, read from a table: which lanes are kept decides
 * which entry is read.
 */
#ifndef COMPRESS16_H
#define COMPRESS16_H

#include "lanes16.h"

#if LANES == 4

/* The indices of the bits of m that are 1, in ascending order, one in each byte. */
#define COMPRESS16_INDEX(m, bit)                                                                   \
    (((m) >> (bit)&1) * (UINT64_C(bit) << 8 * __builtin_popcount((m) & ((1 << (bit)) - 1))))
#define COMPRESS16_1(m)                                                                            \
    COMPRESS16_INDEX(m, 1) | COMPRESS16_INDEX(m, 2) | COMPRESS16_INDEX(m, 3) |                     \
        COMPRESS16_INDEX(m, 4) | COMPRESS16_INDEX(m, 5) | COMPRESS16_INDEX(m, 6) |                 \
        COMPRESS16_INDEX(m, 7)
#define COMPRESS16_4(m)                                                                            \
    COMPRESS16_1(m), COMPRESS16_1(m + 1), COMPRESS16_1(m + 2), COMPRESS16_1(m + 3)
#define COMPRESS16_16(m)                                                                           \
    COMPRESS16_4(m), COMPRESS16_4(m + 4), COMPRESS16_4(m + 8), COMPRESS16_4(m + 12)
#define COMPRESS16_64(m)                                                                           \
    COMPRESS16_16(m), COMPRESS16_16(m + 16), COMPRESS16_16(m + 32), COMPRESS16_16(m + 48)

static const uint64_t compress16_table[256] = { COMPRESS16_64(0), COMPRESS16_64(64),
                                                COMPRESS16_64(128), COMPRESS16_64(192) };

#undef COMPRESS16_INDEX
#undef COMPRESS16_1
#undef COMPRESS16_4
#undef COMPRESS16_16
#undef COMPRESS16_64

/* Compresses 16 bytes, given which are kept, and returns the number of these. */
LANES_INLINE size_t compress16_bytes(unsigned char *out, __m128i x, uint32_t good)
{
    const uint32_t first = good & 0xff, second = good >> 8 & 0xff;
    const size_t n = (size_t)__builtin_popcount(first);
    const uint64_t each = UINT64_C(0x0101010101010101);
    __m128i order = _mm_set_epi64x((long long)(compress16_table[second] + 8 * each),
                                   (long long)compress16_table[first]);

    x = _mm_shuffle_epi8(x, order);
    _mm_storel_epi64((void *)out, x);
    _mm_storel_epi64((void *)(out + n), _mm_unpackhi_epi64(x, x));
    return n + (size_t)__builtin_popcount(second);
}

/* The same for 8 words. */
LANES_INLINE size_t compress16_words(unsigned char *out, __m128i x, uint32_t good)
{
    __m128i order = _mm_cvtsi64_si128((long long)compress16_table[good & 0xff]);

    order = _mm_add_epi8(order, order);
    order = _mm_unpacklo_epi8(order, _mm_add_epi8(order, _mm_set1_epi8(1)));
    _mm_storeu_si128((void *)out, _mm_shuffle_epi8(x, order));
    return (size_t)__builtin_popcount(good & 0xff);
}
#endif

#if LANES == 4 || defined(__AVX512VBMI2__)
#define COMPRESS16

/* Writes a vector with the lanes that are less than p first, and returns their number. Lanes have
 * one byte, or two. */
LANES_INLINE size_t compress16(unsigned char *out, lanes16 x, lanes16 p, size_t lane_size)
{
#if LANES == 8
    __m512i all = (__m512i)x;

    if (lane_size == 1) {
        __mmask64 good = _mm512_cmplt_epu8_mask(all, (__m512i)p);

        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(good, all));
        return (size_t)__builtin_popcountll(good);
    }
    __mmask32 good = _mm512_cmplt_epu16_mask(all, (__m512i)p);

    _mm512_storeu_si512(out, _mm512_maskz_compress_epi16(good, all));
    return (size_t)__builtin_popcount(good);
#else
    __m256i all = (__m256i)x;
    const __m128i low = _mm256_castsi256_si128(all), high = _mm256_extracti128_si256(all, 1);
    size_t n;

    if (lane_size == 1) {
        __m256i bad = _mm256_cmpeq_epi8(_mm256_max_epu8(all, (__m256i)p), all);
        uint32_t good = ~(uint32_t)_mm256_movemask_epi8(bad);

        n = compress16_bytes(out, low, good);
        return n + compress16_bytes(out + n, high, good >> 16);
    }
    __m256i bad = _mm256_cmpeq_epi16(_mm256_max_epu16(all, (__m256i)p), all);
    uint32_t good = ~(uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm256_castsi256_si128(bad), _mm256_extracti128_si256(bad, 1)));

    n = compress16_words(out, low, good);
    return n + compress16_words(out + 2 * n, high, good >> 8);
#endif
}
#endif

#endif
