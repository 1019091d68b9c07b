/*
 * gcm_vector.h - vectors of 16-byte blocks for gcm_kernels.c: four blocks with AVX-512, two with
 * AVX2. Operations on blocks treat all blocks of a vector alike.
 */
#ifndef HAGG_GCM_VECTOR_H
#define HAGG_GCM_VECTOR_H

#include <immintrin.h>
#include <stdint.h>

#define GCM_INLINE static inline __attribute__((always_inline))

GCM_INLINE __m128i block_load(const void *from)
{
    return _mm_loadu_si128(from);
}

GCM_INLINE void block_store(void *to, __m128i block)
{
    _mm_storeu_si128(to, block);
}

#if defined(__AVX512F__)

#define VECTOR_BLOCKS 4
typedef __m512i vector;

GCM_INLINE vector vector_load(const void *from)
{
    return _mm512_loadu_si512(from);
}

GCM_INLINE void vector_store(void *to, vector v)
{
    _mm512_storeu_si512(to, v);
}

GCM_INLINE vector vector_zero(void)
{
    return _mm512_setzero_si512();
}

GCM_INLINE vector vector_all(__m128i block)
{
    return _mm512_broadcast_i32x4(block);
}

/* The block, followed by zeros. */
GCM_INLINE vector vector_first(__m128i block)
{
    return _mm512_zextsi128_si512(block);
}

/* 0, 1, 2, 3 in the lowest 32 bits of the blocks */
GCM_INLINE vector vector_numbers(void)
{
    return _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0);
}

GCM_INLINE vector vector_xor(vector a, vector b)
{
    return _mm512_xor_si512(a, b);
}

GCM_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

GCM_INLINE vector vector_add32(vector a, vector b)
{
    return _mm512_add_epi32(a, b);
}

GCM_INLINE vector vector_shuffle(vector v, vector order)
{
    return _mm512_shuffle_epi8(v, order);
}

GCM_INLINE vector vector_swap_halves(vector v)
{
    return _mm512_shuffle_epi32(v, _MM_PERM_BADC);
}

GCM_INLINE vector vector_round(vector v, vector key)
{
    return _mm512_aesenc_epi128(v, key);
}

GCM_INLINE vector vector_last_round(vector v, vector key)
{
    return _mm512_aesenclast_epi128(v, key);
}

/* imm: 0x01 is the high half of a and 0x10 the high half of b */
#define vector_multiply(a, b, imm) _mm512_clmulepi64_epi128(a, b, imm)

GCM_INLINE __m128i vector_low(vector v)
{
    return _mm512_castsi512_si128(v);
}

GCM_INLINE __m128i vector_sum(vector v)
{
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));

    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

#else

#define VECTOR_BLOCKS              2
typedef __m256i vector;

GCM_INLINE vector vector_load(const void *from)
{
    return _mm256_loadu_si256(from);
}

GCM_INLINE void vector_store(void *to, vector v)
{
    _mm256_storeu_si256(to, v);
}

GCM_INLINE vector vector_zero(void)
{
    return _mm256_setzero_si256();
}

GCM_INLINE vector vector_all(__m128i block)
{
    return _mm256_broadcastsi128_si256(block);
}

GCM_INLINE vector vector_first(__m128i block)
{
    return _mm256_zextsi128_si256(block);
}

/* 0, 1 in the lowest 32 bits of the blocks */
GCM_INLINE vector vector_numbers(void)
{
    return _mm256_set_epi64x(0, 1, 0, 0);
}

GCM_INLINE vector vector_xor(vector a, vector b)
{
    return _mm256_xor_si256(a, b);
}

GCM_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return _mm256_xor_si256(a, _mm256_xor_si256(b, c));
}

GCM_INLINE vector vector_add32(vector a, vector b)
{
    return _mm256_add_epi32(a, b);
}

GCM_INLINE vector vector_shuffle(vector v, vector order)
{
    return _mm256_shuffle_epi8(v, order);
}

GCM_INLINE vector vector_swap_halves(vector v)
{
    return _mm256_shuffle_epi32(v, 0x4e);
}

GCM_INLINE vector vector_round(vector v, vector key)
{
    return _mm256_aesenc_epi128(v, key);
}

GCM_INLINE vector vector_last_round(vector v, vector key)
{
    return _mm256_aesenclast_epi128(v, key);
}

/* imm: 0x01 is the high half of a and 0x10 the high half of b */
#define vector_multiply(a, b, imm) _mm256_clmulepi64_epi128(a, b, imm)

GCM_INLINE __m128i vector_low(vector v)
{
    return _mm256_castsi256_si128(v);
}

GCM_INLINE __m128i vector_sum(vector v)
{
    return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

#endif

/* Clears all vector registers, so that no key or message is left in them. */
GCM_INLINE void vector_clear_registers(void)
{
#if defined(__AVX512F__)
    __asm__ volatile("vpxorq %%zmm16, %%zmm16, %%zmm16\n\t"
                     "vpxorq %%zmm17, %%zmm17, %%zmm17\n\t"
                     "vpxorq %%zmm18, %%zmm18, %%zmm18\n\t"
                     "vpxorq %%zmm19, %%zmm19, %%zmm19\n\t"
                     "vpxorq %%zmm20, %%zmm20, %%zmm20\n\t"
                     "vpxorq %%zmm21, %%zmm21, %%zmm21\n\t"
                     "vpxorq %%zmm22, %%zmm22, %%zmm22\n\t"
                     "vpxorq %%zmm23, %%zmm23, %%zmm23\n\t"
                     "vpxorq %%zmm24, %%zmm24, %%zmm24\n\t"
                     "vpxorq %%zmm25, %%zmm25, %%zmm25\n\t"
                     "vpxorq %%zmm26, %%zmm26, %%zmm26\n\t"
                     "vpxorq %%zmm27, %%zmm27, %%zmm27\n\t"
                     "vpxorq %%zmm28, %%zmm28, %%zmm28\n\t"
                     "vpxorq %%zmm29, %%zmm29, %%zmm29\n\t"
                     "vpxorq %%zmm30, %%zmm30, %%zmm30\n\t"
                     "vpxorq %%zmm31, %%zmm31, %%zmm31" ::
                         : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                           "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
#endif
    __asm__ volatile("vzeroall" ::
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                           "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#endif
