#include "packed.h"

#include <string.h>

#include "hagg/plugin.h"

/* Without branches on a bit position, of which no pattern is short. */
static void scalar_pack(void *packed, const void *words, size_t n, unsigned width)
{
    unsigned char *to = packed, *end = to + packed_bytes(n, width);
    const unsigned char *from = words;
    uint64_t bits = 0;
    unsigned n_bits = 0; /* below 8 between words */

    for (size_t i = 0; i < n; i++) {
        bits |= (uint64_t)hagg_load32(from + 4 * i) << n_bits;
        n_bits += width;
        if (end - to >= 8)
            hagg_store64(to, bits);
        else
            for (unsigned b = 0; 8 * b < n_bits; b++)
                to[b] = (unsigned char)(bits >> 8 * b);
        to += n_bits / 8;
        bits >>= n_bits / 8 * 8;
        n_bits %= 8;
    }
}

static void scalar_unpack(void *words, const void *packed, size_t n, unsigned width)
{
    unsigned char *to = words;
    const unsigned char *from = packed;
    const size_t bytes = packed_bytes(n, width);
    const size_t n_whole = bytes < 8 ? 0 : (bytes - 8) * 8 / width; /* 8 bytes can be read there */
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    size_t i = 0, bit = 0;

    for (; i < n_whole; i++, bit += width)
        hagg_store32(to + 4 * i, (uint32_t)(hagg_load64(from + bit / 8) >> bit % 8 & mask));
    for (; i < n; i++, bit += width) {
        uint64_t bits = 0;

        for (size_t b = bit / 8; b < bytes && b < bit / 8 + 8; b++)
            bits |= (uint64_t)from[b] << 8 * (b - bit / 8);
        hagg_store32(to + 4 * i, (uint32_t)(bits >> bit % 8 & mask));
    }
}

const struct packed_kernel packed_scalar = { "scalar", 31, scalar_pack, scalar_unpack };

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* A vector has 8 words, 4 for each half. Their bits begin at a byte in the lower half, and in the
 * upper one at bit 4 of a byte if width is odd. */
AVX2 static void avx2_unpack(void *words, const void *packed, size_t n, unsigned width)
{
    unsigned char *to = words, places[32];
    const unsigned char *from = packed;
    const size_t half = width / 2; /* bytes before those of the upper half */
    uint32_t shifts[8];
    size_t i = 0;

    for (unsigned w = 0; w < 8; w++) {
        unsigned bit = w % 4 * width + (w / 4) * (width % 2) * 4;

        shifts[w] = bit % 8;
        for (unsigned b = 0; b < 4; b++)
            places[4 * w + b] = (unsigned char)(bit / 8 + b);
    }
    const __m256i place = _mm256_loadu_si256((const __m256i *)(const void *)places);
    const __m256i shift = _mm256_loadu_si256((const __m256i *)(const void *)shifts);
    const __m256i mask = _mm256_set1_epi32((1 << width) - 1);

    /* a load of 16 bytes reads beyond the words it is for */
    const size_t bytes = packed_bytes(n, width);
    const size_t n_whole = bytes < half + 16 ? 0 : ((bytes - half - 16) / width + 1) * 8;

    for (; i + 8 <= n && i < n_whole; i += 8, from += width) {
        __m128i low = _mm_loadu_si128((const __m128i *)(const void *)from);
        __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(from + half));
        __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);

        x = _mm256_srlv_epi32(_mm256_shuffle_epi8(x, place), shift);
        _mm256_storeu_si256((__m256i *)(void *)(to + 4 * i), _mm256_and_si256(x, mask));
    }
    scalar_unpack(to + 4 * i, from, n - i, width);
}

/* Two words become 2 width bits of a lane of 64 bits, and two lanes 4 width bits of a half. */
AVX2 static void avx2_pack(void *packed, const void *words, size_t n, unsigned width)
{
    unsigned char *to = packed, first[32], second[32];
    const unsigned char *from = words;
    const size_t half = width / 2;
    uint64_t shifts[4];
    size_t i = 0;

    for (unsigned lane = 0; lane < 4; lane++) {
        unsigned bit = lane % 2 * 2 * width + lane / 2 * (width % 2) * 4;
        unsigned char *places = lane % 2 ? second : first;

        shifts[lane] = bit % 8;
        for (unsigned b = 0; b < 16; b++) {
            unsigned source = b - bit / 8;

            places[16 * (lane / 2) + b] =
                (unsigned char)(source < 8 ? source + lane % 2 * 8 : 0x80);
        }
    }
    const __m256i even = _mm256_loadu_si256((const __m256i *)(const void *)first);
    const __m256i odd = _mm256_loadu_si256((const __m256i *)(const void *)second);
    const __m256i shift = _mm256_loadu_si256((const __m256i *)(const void *)shifts);
    const __m256i lower = _mm256_set1_epi64x(UINT32_MAX);
    const __m128i count = _mm_cvtsi32_si128((int)width);
    const unsigned shared = width % 2 ? 0xff : 0;

    /* a store of 16 bytes writes beyond the words it is for */
    for (; i + 8 <= n && packed_bytes(n - i, width) >= half + 16; i += 8, to += width) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(from + 4 * i));
        __m256i pairs = _mm256_sll_epi64(_mm256_srli_epi64(x, 32), count);
        __m128i high;

        pairs = _mm256_sllv_epi64(_mm256_or_si256(pairs, _mm256_and_si256(x, lower)), shift);
        x = _mm256_or_si256(_mm256_shuffle_epi8(pairs, even), _mm256_shuffle_epi8(pairs, odd));
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(x));
        high = _mm_or_si128(_mm256_extracti128_si256(x, 1),
                            _mm_cvtsi32_si128((int)(to[half] & shared)));
        _mm_storeu_si128((__m128i *)(void *)(to + half), high);
    }
    scalar_pack(to, from + 4 * i, n - i, width);
}

/* 2 width bits, shifted by up to 7, fit into 64; a word, shifted by up to 7, fits into 32. */
const struct packed_kernel packed_avx2 = { "AVX2", 25, avx2_pack, avx2_unpack };

const struct packed_kernel *packed_best(unsigned width)
{
    int has_avx2 = __builtin_cpu_supports("avx2");

    return has_avx2 && width <= packed_avx2.max_width ? &packed_avx2 : &packed_scalar;
}

#else

const struct packed_kernel *packed_best(unsigned width)
{
    (void)width;
    return &packed_scalar;
}

#endif
