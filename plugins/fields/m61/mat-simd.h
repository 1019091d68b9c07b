/*
 * Matrix times block of vectors with AVX2 or AVX-512, for kernels.c.
 *
 * Weights and inputs are cut at bit 31 into two signed limbs, c = c0 + 2^31 c1 and so on, with
 * |c0| <= 2^30 and |c1| <= 2^29:
 *  - a weight c stands for the one of c, c - p that lies nearest to zero;
 *  - an input x stands for x - CENTRE, and the difference, CENTRE times the sum of a row's
 *    weights, is added at the end.
 * As 2^61 = 1, the product of c and x is low + 2^31 middle + 2 high with
 *     low = c0 x0,  high = c1 x1,  middle = c0 x1 + c1 x0 = (c0 + c1)(x0 + x1) - low - high,
 * three multiplications. (The 52-bit products of AVX-512 IFMA do not have to be added, but six of
 * them would be needed, and they run no faster than a product and an addition.) The sums of TERMS
 * products stay below 2^63 in size; that of (c0 + c1)(x0 + x1) may not, but the middle part, its
 * difference modulo 2^64, does.
 *
 * low starts from 2^63 and the sum of the whole products from 0, so low and middle are 2^63 too
 * large, never negative, and fold by logical shifts. For each folding 2^63 + 2^94 = 4 + 2^33 is
 * then taken off.
 */
#include <immintrin.h>
#include <string.h>

#define TERMS    7
#define SURPLUS  (4 + (UINT64_C(1) << 33))
#define LIMB     ((UINT64_C(1) << 31) - 1)
#define CENTRE_0 (UINT32_C(1) << 30)
#define CENTRE_1 (UINT32_C(1) << 29)
#define CENTRE   (CENTRE_0 + ((uint64_t)CENTRE_1 << 31))

#define MAX_IN  256         /* inputs handled in one go; what follows is added to the outputs */
#define MAX_OUT (4 * ROWS)  /* outputs handled in one go */
#define TILE    (32u << 10) /* bytes of input, cut into limbs once for all rows */

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__)

#define ROWS 8 /* rows of a group, at most: three sums each, in 32 registers */

typedef uint64_t vec __attribute__((vector_size(64)));
typedef uint32_t vec32 __attribute__((vector_size(64)));

/* Signed products of the low halves of the lanes. */
ALWAYS_INLINE vec vec_mul(vec a, vec b)
{
    return (vec)_mm512_mul_epi32((__m512i)a, (__m512i)b);
}

/* The lesser of a and a - p as unsigned numbers, for a < 2^63. */
ALWAYS_INLINE vec less_p(vec a)
{
    return (vec)_mm512_min_epu64((__m512i)a, (__m512i)(a - M61_P));
}

#else

#define ROWS 4 /* rows of a group, at most: three sums each, in 16 registers */

typedef uint64_t vec __attribute__((vector_size(32)));
typedef uint32_t vec32 __attribute__((vector_size(32)));

ALWAYS_INLINE vec vec_mul(vec a, vec b)
{
    return (vec)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE vec less_p(vec a)
{
    vec over = a - M61_P;

    return (vec)_mm256_blendv_pd((__m256d)over, (__m256d)a, (__m256d)over);
}

#endif

#define COLUMNS (sizeof(vec) / M61_BYTES)

/* Left alone, gcc reorders the additions to a sum and spills what it then has to keep, and clang
 * extends the sign of every weight anew. */
#define KEEP_IN_REGISTER(vector) __asm__("" : "+v"(vector))

struct weight {
    int32_t low, high, both;
};

/* Weights and starting sums of at most MAX_OUT rows and MAX_IN inputs. Weights are in the order of
 * their use: group after group, in a group input after input, for an input row after row. */
struct panel {
    size_t n_rows, n_in;
    int add; /* to what the outputs hold */
    uint64_t start[MAX_OUT];
    struct weight weights[MAX_OUT * MAX_IN];
};

/* Rows of the next group when so many are left: groups of about one size. */
static size_t group_rows(size_t left)
{
    size_t n_groups = (left + ROWS - 1) / ROWS;

    return (left + n_groups - 1) / n_groups;
}

static struct weight weight_of(uint64_t c)
{
    int64_t centred = (int64_t)(c - (M61_P & -(c >> 60)));
    int64_t low = (int64_t)(((uint64_t)centred + CENTRE_0) & LIMB) - CENTRE_0;
    int64_t high = (centred - low) / (INT64_C(1) << 31);

    return (struct weight){ (int32_t)low, (int32_t)high, (int32_t)(low + high) };
}

/* Takes the rows from first_row on and the inputs from first_in on of a matrix of width columns. */
static void panel_fill(struct panel *panel, const void *matrix, size_t width, size_t first_row,
                       size_t first_in)
{
    const uint64_t n_foldings = (panel->n_in + TERMS - 1) / TERMS;
    struct weight *weight = panel->weights;

    for (size_t row = 0; row < panel->n_rows;) {
        size_t n = group_rows(panel->n_rows - row);

        for (size_t r = 0; r < n; r++) {
            const size_t at = (first_row + row + r) * width + first_in;
            uint64_t sum = 0;

            for (size_t c = 0; c < panel->n_in; c++) {
                uint64_t w = hagg_load(matrix, at + c, M61_BYTES);

                sum = m61_reduce(sum + w);
                weight[c * n + r] = weight_of(w);
            }
            panel->start[row + r] =
                2 * M61_P + m61_mul_add(sum, CENTRE, M61_P - n_foldings * SURPLUS);
        }
        weight += n * panel->n_in;
        row += n;
    }
}

/* Inputs from at bytes on, less CENTRE, with their low limbs in the low halves of the lanes; zeros
 * follow when there are fewer bytes than a vector has. */
ALWAYS_INLINE vec cut(const void *row, size_t at, size_t bytes)
{
    const vec centres = (vec){ 0 } + (CENTRE_0 | (uint64_t)CENTRE_1 << 32);
    vec x = { 0 };

    memcpy(&x, (const unsigned char *)row + at, bytes);
    return (vec)((vec32)((x & LIMB) | (x << 1 & ~(uint64_t)UINT32_MAX)) - (vec32)centres);
}

/* A number below p + 8 congruent to the sums and rest. The parts add up to less than
 * 2^61 (1 + 1 + 7/4) + 2^35, so rest may be up to 4p, and must be at least 2p as high may be
 * negative. */
ALWAYS_INLINE vec fold(vec low, vec high, vec whole, vec rest)
{
    vec middle = whole - low - high;
    vec sum = (low & M61_P) + (low >> 61) + ((middle & (LIMB >> 1)) << 31) + (middle >> 30) + high +
              high + rest;

    return (sum & M61_P) + (sum >> 61);
}

/* A factor for vec_mul. */
ALWAYS_INLINE vec broadcast(int32_t a)
{
    vec32 all = (vec32){ 0 } + (uint32_t)a;

    KEEP_IN_REGISTER(all);
    return (vec)all;
}

/* n_rows rows, a constant, times n_vecs vectors of columns from at bytes on. The tile has the n_in
 * cut inputs of every vector. Meanwhile the inputs that are ahead bytes later come closer, so that
 * cutting them will not have to wait. */
ALWAYS_INLINE void group_apply(size_t n_rows, const struct panel *panel,
                               const struct weight *weights, const uint64_t *start,
                               void *const *out, const void *const *in, size_t at, size_t ahead,
                               const vec *tile, size_t n_vecs)
{
    const size_t n_in = panel->n_in;

    for (size_t v = 0; v < n_vecs; v++, at += sizeof(vec)) {
        const struct weight *weight = weights;
        vec rest[ROWS];

        UNROLL
        for (size_t r = 0; r < n_rows; r++)
            rest[r] = (vec){ 0 } + start[r];
        if (panel->add) {
            UNROLL
            for (size_t r = 0; r < n_rows; r++) {
                vec sum;

                memcpy(&sum, (unsigned char *)out[r] + at, sizeof sum);
                rest[r] += sum;
            }
        }
        for (size_t c = 0;;) {
            const size_t end = n_in - c > TERMS ? c + TERMS : n_in;
            vec low[ROWS], high[ROWS], whole[ROWS];

            UNROLL
            for (size_t r = 0; r < n_rows; r++) {
                low[r] = (vec){ 0 } + (UINT64_C(1) << 63);
                high[r] = whole[r] = (vec){ 0 };
            }
            for (; c < end; c++, weight += n_rows) {
                vec x_low = *tile++;
                vec x_high = x_low >> 32;
                vec x_both = x_low + x_high;

                __builtin_prefetch((const void *)((uintptr_t)in[c] + at + ahead));
                UNROLL
                for (size_t r = 0; r < n_rows; r++) {
                    low[r] += vec_mul(broadcast(weight[r].low), x_low);
                    KEEP_IN_REGISTER(low[r]);
                    high[r] += vec_mul(broadcast(weight[r].high), x_high);
                    KEEP_IN_REGISTER(high[r]);
                    whole[r] += vec_mul(broadcast(weight[r].both), x_both);
                    KEEP_IN_REGISTER(whole[r]);
                }
            }
            UNROLL
            for (size_t r = 0; r < n_rows; r++)
                rest[r] = fold(low[r], high[r], whole[r], rest[r]);
            if (c == n_in)
                break;
            UNROLL
            for (size_t r = 0; r < n_rows; r++)
                rest[r] += 2 * M61_P;
        }
        UNROLL
        for (size_t r = 0; r < n_rows; r++) {
            vec sum = less_p(rest[r]);

            memcpy((unsigned char *)out[r] + at, &sum, sizeof sum);
        }
    }
}

static __attribute__((noinline)) void panel_apply(const struct panel *panel, void *const *out,
                                                  const void *const *in, size_t at, size_t ahead,
                                                  const vec *tile, size_t n_vecs)
{
    const struct weight *weights = panel->weights;

    for (size_t row = 0; row < panel->n_rows;) {
        size_t n = group_rows(panel->n_rows - row);

        switch (n) {
#define GROUP(n_rows)                                                                              \
    case n_rows:                                                                                   \
        group_apply(n_rows, panel, weights, panel->start + row, out + row, in, at, ahead, tile,    \
                    n_vecs);                                                                       \
        break
            GROUP(1);
            GROUP(2);
            GROUP(3);
            GROUP(4);
#if ROWS > 4
            GROUP(5);
            GROUP(6);
            GROUP(7);
            GROUP(8);
#endif
#undef GROUP
        default:
            __builtin_unreachable();
        }
        weights += n * panel->n_in;
        row += n;
    }
}

static void apply_whole(const struct panel *panel, void *const *out, const void *const *in,
                        size_t n_vecs)
{
    const size_t tile_vecs = TILE / sizeof(vec) / panel->n_in;
    vec tile[TILE / sizeof(vec)];

    for (size_t v = 0; v < n_vecs; v += tile_vecs) {
        size_t len = n_vecs - v < tile_vecs ? n_vecs - v : tile_vecs;

        for (size_t c = 0; c < panel->n_in; c++) {
            for (size_t i = 0; i < len; i++)
                tile[i * panel->n_in + c] = cut(in[c], (v + i) * sizeof(vec), sizeof(vec));
        }
        panel_apply(panel, out, in, v * sizeof(vec), tile_vecs * sizeof(vec), tile, len);
    }
}

/* The columns from at bytes on, fewer than a vector has, by way of vectors beside the real ones. */
static void apply_tail(const struct panel *panel, void *const *out, const void *const *in,
                       size_t at, size_t bytes)
{
    vec tile[MAX_IN];
    unsigned char sums[MAX_OUT * sizeof(vec)];
    void *rows[MAX_OUT];

    for (size_t c = 0; c < panel->n_in; c++)
        tile[c] = cut(in[c], at, bytes);
    for (size_t r = 0; r < panel->n_rows; r++) {
        rows[r] = sums + r * sizeof(vec);
        memset(rows[r], 0, sizeof(vec));
        if (panel->add)
            memcpy(rows[r], (unsigned char *)out[r] + at, bytes);
    }
    panel_apply(panel, rows, in, 0, 0, tile, 1);
    for (size_t r = 0; r < panel->n_rows; r++)
        memcpy((unsigned char *)out[r] + at, rows[r], bytes);
}

static void apply(const struct panel *panel, void *const *out, const void *const *in, size_t n)
{
    const size_t n_vecs = n / COLUMNS;

    apply_whole(panel, out, in, n_vecs);
    if (n % COLUMNS)
        apply_tail(panel, out, in, n_vecs * sizeof(vec), n % COLUMNS * M61_BYTES);
}

static void mat_apply(void *const *out, size_t n_out, const void *const *in, size_t n_in,
                      const void *matrix, size_t n)
{
    struct panel panel;

    if (n_in == 0) {
        for (size_t r = 0; r < n_out; r++)
            memset(out[r], 0, n * M61_BYTES);
    }
    for (size_t row = 0; row < n_out; row += MAX_OUT) {
        panel.n_rows = n_out - row < MAX_OUT ? n_out - row : MAX_OUT;
        for (size_t first = 0; first < n_in; first += MAX_IN) {
            panel.n_in = n_in - first < MAX_IN ? n_in - first : MAX_IN;
            panel.add = first > 0;
            panel_fill(&panel, matrix, n_in, row, first);
            apply(&panel, out + row, in + first, n);
        }
    }
}
