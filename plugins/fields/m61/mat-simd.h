/*
 * Matrix times block of vectors with AVX2 or AVX-512, for kernels.c.
 *
 * Weights and inputs are split at bit 31 into two signed limbs, c = c0 + 2^31 c1 and so on, with
 * |c0| <= 2^30 and |c1| <= 2^29:
 *  - a weight c is replaced by c or c - p, whichever is nearer to zero;
 *  - an input x is replaced by x - CENTRE, and the difference, CENTRE times the sum of a row's
 *    weights, is added at the end.
 * Because 2^61 = 1, the product of c and x is low + 2^31 middle + 2 high with
 *     low = c0 x0,  high = c1 x1,  middle = c0 x1 + c1 x0 = (c0 + c1)(x0 + x1) - low - high,
 * which takes three multiplications. (The 52-bit products of AVX-512 IFMA include an addition, but
 * six of them would be needed, and they run no faster than a product and an addition.) The absolute
 * values of sums of TERMS products stay below 2^63. The sum of (c0 + c1)(x0 + x1) may exceed this,
 * but the middle part, its difference modulo 2^64, does not.
 *
 * low starts from 2^63 and the sum of the whole products from 0, so low and middle are 2^63 too
 * large. They are never negative and can be folded by logical shifts. For each fold 2^63 + 2^94 = 4
 * + 2^33 is then subtracted.
 */
#include "lanes.h"

#define TERMS    7
#define SURPLUS  (4 + (UINT64_C(1) << 33))
#define LIMB     ((UINT64_C(1) << 31) - 1)
#define CENTRE_0 (UINT32_C(1) << 30)
#define CENTRE_1 (UINT32_C(1) << 29)
#define CENTRE   (CENTRE_0 + ((uint64_t)CENTRE_1 << 31))

#if LANES == 8
#define PANEL_ROWS 8 /* three sums each, in 32 registers */
#else
#define PANEL_ROWS 4 /* three sums each, in 16 registers */
#endif
#define PANEL_IN_PLACE 0 /* splitting is worth a tile for any number of rows */

struct panel_weight {
    int32_t low, high, both;
};

#include "panel.h"

/* Returns the smaller of a and a - p as unsigned numbers, for a < 2^63. */
LANES_INLINE lanes less_p(lanes a)
{
    lanes over = a - M61_P;

#if LANES == 8
    return (lanes)_mm512_min_epu64((__m512i)a, (__m512i)over);
#else
    return (lanes)_mm256_blendv_pd((__m256d)over, (__m256d)a, (__m256d)over);
#endif
}

static struct panel_weight panel_weigh(uint64_t m)
{
    int64_t centred = (int64_t)(m - (M61_P & -(m >> 60)));
    int64_t low = (int64_t)(((uint64_t)centred + CENTRE_0) & LIMB) - CENTRE_0;
    int64_t high = (centred - low) / (INT64_C(1) << 31);

    return (struct panel_weight){ (int32_t)low, (int32_t)high, (int32_t)(low + high) };
}

static uint64_t panel_start(uint64_t sum, size_t n_in)
{
    const uint64_t n_foldings = (n_in + TERMS - 1) / TERMS;

    return 2 * M61_P + m61_mul_add(sum, CENTRE, M61_P - n_foldings * SURPLUS);
}

/* Subtracts CENTRE and places the low limbs in the low halves of the lanes. */
LANES_INLINE lanes panel_operand(lanes x)
{
    const lanes centres = lanes_all(CENTRE_0 | (uint64_t)CENTRE_1 << 32);

    return (lanes)((lanes32)((x & LIMB) | (x << 1 & ~(uint64_t)UINT32_MAX)) - (lanes32)centres);
}

/* Returns a number below p + 8 congruent to the sums plus rest. The parts add up to less than
 * 2^61 (1 + 1 + 7/4) + 2^35, so rest may be up to 4p. It must be at least 2p, because high may be
 * negative. */
LANES_INLINE lanes fold(lanes low, lanes high, lanes whole, lanes rest)
{
    lanes middle = whole - low - high;
    lanes sum = (low & M61_P) + (low >> 61) + ((middle & (LIMB >> 1)) << 31) + (middle >> 30) +
                high + high + rest;

    return (sum & M61_P) + (sum >> 61);
}

/* A factor for lanes_mul_signed. */
LANES_INLINE lanes broadcast(int32_t a)
{
    lanes all = lanes_all32((uint32_t)a);

    LANES_PIN(all);
    return all;
}

LANES_INLINE void panel_vector(size_t n_rows, const struct panel *panel,
                               const struct panel_weight *weight, const uint64_t *start,
                               void *const *out, const void *const *in, size_t at, size_t ahead,
                               const lanes *operands)
{
    const size_t n_in = panel->n_in;
    lanes rest[PANEL_ROWS];

    ROWS_UNROLL
    for (size_t r = 0; r < n_rows; r++)
        rest[r] = lanes_all(start[r]);
    if (panel->add) {
        ROWS_UNROLL
        for (size_t r = 0; r < n_rows; r++) {
            lanes sum;

            memcpy(&sum, (unsigned char *)out[r] + at, sizeof sum);
            rest[r] += sum;
        }
    }
    for (size_t c = 0;;) {
        const size_t end = n_in - c > TERMS ? c + TERMS : n_in;
        lanes low[PANEL_ROWS], high[PANEL_ROWS], whole[PANEL_ROWS];

        ROWS_UNROLL
        for (size_t r = 0; r < n_rows; r++) {
            low[r] = lanes_all(UINT64_C(1) << 63);
            high[r] = whole[r] = lanes_all(0);
        }
        for (; c < end; c++, weight += n_rows) {
            lanes x_low = operands[c];
            lanes x_high = x_low >> 32;
            lanes x_both = x_low + x_high;

            __builtin_prefetch((const void *)((uintptr_t)in[c] + at + ahead));
            ROWS_UNROLL
            for (size_t r = 0; r < n_rows; r++) {
                low[r] += lanes_mul_signed(broadcast(weight[r].low), x_low);
                LANES_PIN(low[r]);
                high[r] += lanes_mul_signed(broadcast(weight[r].high), x_high);
                LANES_PIN(high[r]);
                whole[r] += lanes_mul_signed(broadcast(weight[r].both), x_both);
                LANES_PIN(whole[r]);
            }
        }
        ROWS_UNROLL
        for (size_t r = 0; r < n_rows; r++)
            rest[r] = fold(low[r], high[r], whole[r], rest[r]);
        if (c == n_in)
            break;
        ROWS_UNROLL
        for (size_t r = 0; r < n_rows; r++)
            rest[r] += 2 * M61_P;
    }
    ROWS_UNROLL
    for (size_t r = 0; r < n_rows; r++) {
        lanes sum = less_p(rest[r]);

        memcpy((unsigned char *)out[r] + at, &sum, sizeof sum);
    }
}
