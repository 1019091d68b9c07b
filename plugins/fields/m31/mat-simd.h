/*
 * Matrix times block of vectors with AVX2 or AVX-512, for kernels.c.
 *
 * Both operands of a product are centred, so that eight products fit into a 64-bit sum:
 *  - a weight c becomes c or c - p, whichever lies within +-(2^30 - 1);
 *  - an input x becomes x - 2^30, and the sum of a row starts from the difference, which is 2^30
 *    times the sum of the row's weights.
 * BIAS is added to the sums, so that they are never negative and can be folded by logical shifts: a
 * sum of less than 2^34 - 2^32 plus BIAS stays within 0 .. 2^64 - 2^32 - 1 for eight more products.
 *
 * A vector of 32-bit inputs is multiplied twice, for its even and for its odd lanes.
 */
#include "lanes.h"

#define TERMS  8                                           /* products between two folds */
#define BIAS   ((UINT64_C(1) << 63) - (UINT64_C(1) << 33)) /* congruent to -2 */
#define CENTRE (UINT32_C(1) << 30)

#if LANES == 8
#define PANEL_ROWS 13 /* two sums each, in 32 registers */
#else
#define PANEL_ROWS 6 /* two sums each, in 16 registers */
#endif
#define PANEL_IN_PLACE 16

struct panel_weight {
    int32_t w;
};

#include "panel.h"

#if LANES == 8

LANES_INLINE lanes32 lanes32_min(lanes32 a, lanes32 b)
{
    return (lanes32)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

/* The low halves, or the high halves, of the lanes of even and odd, interleaved. */
LANES_INLINE lanes32 low_halves(lanes even, lanes odd)
{
    return (lanes32)_mm512_mask_moveldup_ps((__m512)even, 0xaaaa, (__m512)odd);
}

LANES_INLINE lanes32 high_halves(lanes even, lanes odd)
{
    return (lanes32)_mm512_mask_movehdup_ps((__m512)odd, 0x5555, (__m512)even);
}

#else

LANES_INLINE lanes32 lanes32_min(lanes32 a, lanes32 b)
{
    return (lanes32)_mm256_min_epu32((__m256i)a, (__m256i)b);
}

LANES_INLINE lanes32 low_halves(lanes even, lanes odd)
{
    return (lanes32)_mm256_blend_epi32((__m256i)even, (__m256i)(odd << 32), 0xaa);
}

LANES_INLINE lanes32 high_halves(lanes even, lanes odd)
{
    return (lanes32)_mm256_blend_epi32((__m256i)(even >> 32), (__m256i)odd, 0xaa);
}

#endif

static struct panel_weight panel_weigh(uint64_t m)
{
    uint32_t c = (uint32_t)m;

    return (struct panel_weight){ (int32_t)(c - (M31_P & -(c >> 30))) };
}

static uint64_t panel_start(uint64_t sum, size_t n_in)
{
    const uint64_t n_biases = (n_in + TERMS - 1) / TERMS;

    return BIAS + m31_reduce(sum * CENTRE) + 2 * n_biases;
}

LANES_INLINE lanes panel_operand(lanes x)
{
    return (lanes)((lanes32)x - CENTRE);
}

/* Reduces 0 .. 2^32 - 1 to a congruent number in 0 .. 2^31, which is canonical if a < 2p. */
LANES_INLINE lanes32 less_p(lanes32 a)
{
    return lanes32_min(a, a - M31_P);
}

/* Returns the elements congruent to the sums, which are below 2^64 - 2^32: low + 2 * high, because
 * 2^32 = 2 modulo p. */
LANES_INLINE lanes32 reduce(lanes even, lanes odd)
{
    lanes32 low = less_p(low_halves(even, odd));
    lanes32 high = less_p(high_halves(even, odd));

    return less_p(less_p(less_p(low + high) + high));
}

LANES_INLINE void panel_vector(size_t n_rows, const struct panel *panel,
                               const struct panel_weight *weight, const uint64_t *start,
                               void *const *out, const void *const *in, size_t at, size_t ahead,
                               const lanes *operands)
{
    const size_t n_in = panel->n_in;
    lanes even[PANEL_ROWS], odd[PANEL_ROWS];

    ROWS_UNROLL
    for (size_t r = 0; r < n_rows; r++)
        even[r] = odd[r] = lanes_all(start[r]);
    if (panel->add) {
        ROWS_UNROLL
        for (size_t r = 0; r < n_rows; r++) {
            lanes sum;

            memcpy(&sum, (unsigned char *)out[r] + at, sizeof sum);
            even[r] += sum & UINT32_MAX;
            odd[r] += sum >> 32;
        }
    }
    for (size_t c = 0;;) {
        const size_t end = n_in - c > TERMS ? c + TERMS : n_in;

        for (; c < end; c++, weight += n_rows) {
            lanes x_even = operands ? operands[c] : panel_read(in[c], at, sizeof(lanes));
            lanes x_odd = x_even >> 32;

            __builtin_prefetch((const void *)((uintptr_t)in[c] + at + ahead));
            ROWS_UNROLL
            for (size_t r = 0; r < n_rows; r++) {
                lanes w = lanes_all32((uint32_t)weight[r].w);

                LANES_PIN(w);
                even[r] += lanes_mul_signed(w, x_even);
                LANES_PIN(even[r]);
                odd[r] += lanes_mul_signed(w, x_odd);
                LANES_PIN(odd[r]);
            }
        }
        if (c == n_in)
            break;
        ROWS_UNROLL
        for (size_t r = 0; r < n_rows; r++) {
            even[r] = ((even[r] & M31_P) | BIAS) + (even[r] >> 31);
            odd[r] = ((odd[r] & M31_P) | BIAS) + (odd[r] >> 31);
        }
    }
    ROWS_UNROLL
    for (size_t r = 0; r < n_rows; r++) {
        lanes32 sum = reduce(even[r], odd[r]);

        memcpy((unsigned char *)out[r] + at, &sum, sizeof sum);
    }
}
