/*
 * Matrix times block of vectors with AVX2 or AVX-512, for kernels.c.
 *
 * Both operands of a product are centred, so that eight products fit a 64-bit sum:
 *  - a weight c becomes the one of c, c - p that lies within +-(2^30 - 1);
 *  - an input x becomes x - 2^30, and the difference, 2^30 times the sum of a row's weights, is
 *    what the row's sum starts from.
 * Sums carry BIAS besides, so that they are never negative and fold by logical shifts: a sum of
 * less than 2^34 - 2^32 plus BIAS stays within 0 .. 2^64 - 2^32 - 1 for eight more products.
 *
 * A vector of 32-bit inputs is multiplied twice, for its even and for its odd lanes.
 */
#include <immintrin.h>
#include <string.h>

#define TERMS   8                                           /* products between two foldings */
#define BIAS    ((UINT64_C(1) << 63) - (UINT64_C(1) << 33)) /* congruent to -2 */
#define CENTRE  (UINT32_C(1) << 30)
#define MAX_IN  256         /* inputs handled in one go; what follows is added to the outputs */
#define MAX_OUT (4 * ROWS)  /* outputs handled in one go */
#define TILE    (32u << 10) /* bytes of input, gathered once for all groups of rows */

/* What a single group reads is gathered in vain, unless the rows are so many that they fight for
 * the same lines of the cache. The hardware does not follow many rows either: it must be told. */
#define MAX_IN_PLACE   16
#define IN_PLACE_AHEAD 1024 /* bytes */

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__)

#define ROWS 13 /* rows of a group, at most: two sums each, in 32 registers */

typedef uint64_t vec __attribute__((vector_size(64)));
typedef uint32_t vec32 __attribute__((vector_size(64)));

/* Signed products of the low halves of the lanes. */
ALWAYS_INLINE vec vec_mul(vec a, vec b)
{
    return (vec)_mm512_mul_epi32((__m512i)a, (__m512i)b);
}

ALWAYS_INLINE vec32 vec32_min(vec32 a, vec32 b)
{
    return (vec32)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

/* The low halves, or the high halves, of the lanes of even and odd, in turn. */
ALWAYS_INLINE vec32 vec_low_halves(vec even, vec odd)
{
    return (vec32)_mm512_mask_moveldup_ps((__m512)even, 0xaaaa, (__m512)odd);
}

ALWAYS_INLINE vec32 vec_high_halves(vec even, vec odd)
{
    return (vec32)_mm512_mask_movehdup_ps((__m512)odd, 0x5555, (__m512)even);
}

#else

#define ROWS 6 /* rows of a group, at most: two sums each, in 16 registers */

typedef uint64_t vec __attribute__((vector_size(32)));
typedef uint32_t vec32 __attribute__((vector_size(32)));

ALWAYS_INLINE vec vec_mul(vec a, vec b)
{
    return (vec)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE vec32 vec32_min(vec32 a, vec32 b)
{
    return (vec32)_mm256_min_epu32((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE vec32 vec_low_halves(vec even, vec odd)
{
    return (vec32)_mm256_blend_epi32((__m256i)even, (__m256i)(odd << 32), 0xaa);
}

ALWAYS_INLINE vec32 vec_high_halves(vec even, vec odd)
{
    return (vec32)_mm256_blend_epi32((__m256i)(even >> 32), (__m256i)odd, 0xaa);
}

#endif

#define COLUMNS (sizeof(vec) / M31_BYTES)

/* Left alone, gcc reorders the additions to a sum and spills what it then has to keep, and clang
 * extends the sign of every weight anew. */
#define KEEP_IN_REGISTER(vector) __asm__("" : "+v"(vector))

/* Weights and starting sums of at most MAX_OUT rows and MAX_IN inputs. Weights are in the order of
 * their use: group after group, in a group input after input, for an input row after row. */
struct panel {
    size_t n_rows, n_in;
    int add; /* to what the outputs hold */
    uint64_t start[MAX_OUT];
    int32_t weights[MAX_OUT * MAX_IN];
};

/* Rows of the next group when so many are left: groups of about one size. */
static size_t group_rows(size_t left)
{
    size_t n_groups = (left + ROWS - 1) / ROWS;

    return (left + n_groups - 1) / n_groups;
}

/* Takes the rows from first_row on and the inputs from first_in on of a matrix of width columns. */
static void panel_fill(struct panel *panel, const void *matrix, size_t width, size_t first_row,
                       size_t first_in)
{
    const uint64_t n_biases = (panel->n_in + TERMS - 1) / TERMS;
    int32_t *weight = panel->weights;

    for (size_t row = 0; row < panel->n_rows;) {
        size_t n = group_rows(panel->n_rows - row);

        for (size_t r = 0; r < n; r++) {
            const size_t at = (first_row + row + r) * width + first_in;
            uint64_t sum = 0;

            for (size_t c = 0; c < panel->n_in; c++) {
                uint32_t w = (uint32_t)hagg_load(matrix, at + c, M31_BYTES);

                sum += w;
                weight[c * n + r] = (int32_t)(w - (M31_P & -(w >> 30)));
            }
            sum = m31_mul((uint32_t)((sum & M31_P) + (sum >> 31)), CENTRE);
            panel->start[row + r] = BIAS + sum + 2 * n_biases;
        }
        weight += n * panel->n_in;
        row += n;
    }
}

/* From 0 .. 2^32 - 1 to a congruent 0 .. 2^31, which is canonical when a < 2p. */
ALWAYS_INLINE vec32 less_p(vec32 a)
{
    return vec32_min(a, a - M31_P);
}

/* The elements congruent to the sums, which are below 2^64 - 2^32: low + 2 * high as 2^32 = 2. */
ALWAYS_INLINE vec32 reduce(vec even, vec odd)
{
    vec32 low = less_p(vec_low_halves(even, odd));
    vec32 high = less_p(vec_high_halves(even, odd));

    return less_p(less_p(less_p(low + high) + high));
}

/* Inputs from at bytes on, less CENTRE; zeros follow when there are fewer bytes than a vector has.
 */
ALWAYS_INLINE vec centred(const void *row, size_t at, size_t bytes)
{
    vec32 x = { 0 };

    memcpy(&x, (const unsigned char *)row + at, bytes);
    return (vec)(x - CENTRE);
}

/* n_rows rows, a constant, times n_vecs vectors of columns from at bytes on. The tile, if there is
 * one, has the n_in centred inputs of every vector. Meanwhile the inputs that are ahead bytes later
 * come closer. */
ALWAYS_INLINE void group_apply(size_t n_rows, const struct panel *panel, const int32_t *weights,
                               const uint64_t *start, void *const *out, const void *const *in,
                               size_t at, size_t ahead, const vec *tile, size_t n_vecs)
{
    const size_t n_in = panel->n_in;

    for (size_t v = 0; v < n_vecs; v++, at += sizeof(vec)) {
        const int32_t *weight = weights;
        vec even[ROWS], odd[ROWS];

        UNROLL
        for (size_t r = 0; r < n_rows; r++)
            even[r] = odd[r] = (vec){ 0 } + start[r];
        if (panel->add) {
            UNROLL
            for (size_t r = 0; r < n_rows; r++) {
                vec sum;

                memcpy(&sum, (unsigned char *)out[r] + at, sizeof sum);
                even[r] += sum & UINT32_MAX;
                odd[r] += sum >> 32;
            }
        }
        for (size_t c = 0;;) {
            const size_t end = n_in - c > TERMS ? c + TERMS : n_in;

            for (; c < end; c++, weight += n_rows) {
                vec x_even = tile ? *tile++ : centred(in[c], at, sizeof(vec));
                vec x_odd = x_even >> 32;

                __builtin_prefetch((const void *)((uintptr_t)in[c] + at + ahead));
                UNROLL
                for (size_t r = 0; r < n_rows; r++) {
                    vec32 w = (vec32){ 0 } + (uint32_t)weight[r];

                    KEEP_IN_REGISTER(w);
                    even[r] += vec_mul((vec)w, x_even);
                    KEEP_IN_REGISTER(even[r]);
                    odd[r] += vec_mul((vec)w, x_odd);
                    KEEP_IN_REGISTER(odd[r]);
                }
            }
            if (c == n_in)
                break;
            UNROLL
            for (size_t r = 0; r < n_rows; r++) {
                even[r] = ((even[r] & M31_P) | BIAS) + (even[r] >> 31);
                odd[r] = ((odd[r] & M31_P) | BIAS) + (odd[r] >> 31);
            }
        }
        UNROLL
        for (size_t r = 0; r < n_rows; r++) {
            vec32 sum = reduce(even[r], odd[r]);

            memcpy((unsigned char *)out[r] + at, &sum, sizeof sum);
        }
    }
}

/* All groups of a panel, with or without a tile. */
ALWAYS_INLINE void panel_apply(const struct panel *panel, void *const *out, const void *const *in,
                               size_t at, size_t ahead, const vec *tile, size_t n_vecs)
{
    const int32_t *weights = panel->weights;

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
            GROUP(5);
            GROUP(6);
#if ROWS > 6
            GROUP(7);
            GROUP(8);
            GROUP(9);
            GROUP(10);
            GROUP(11);
            GROUP(12);
            GROUP(13);
#endif
#undef GROUP
        default:
            __builtin_unreachable();
        }
        weights += n * panel->n_in;
        row += n;
    }
}

static __attribute__((noinline)) void apply_in_place(const struct panel *panel, void *const *out,
                                                     const void *const *in, size_t n_vecs)
{
    panel_apply(panel, out, in, 0, IN_PLACE_AHEAD, NULL, n_vecs);
}

static __attribute__((noinline)) void apply_tile(const struct panel *panel, void *const *out,
                                                 const void *const *in, size_t at, size_t ahead,
                                                 const vec *tile, size_t n_vecs)
{
    panel_apply(panel, out, in, at, ahead, tile, n_vecs);
}

static void apply_gathered(const struct panel *panel, void *const *out, const void *const *in,
                           size_t n_vecs)
{
    const size_t tile_vecs = TILE / sizeof(vec) / panel->n_in;
    vec tile[TILE / sizeof(vec)];

    for (size_t v = 0; v < n_vecs; v += tile_vecs) {
        size_t len = n_vecs - v < tile_vecs ? n_vecs - v : tile_vecs;

        for (size_t c = 0; c < panel->n_in; c++) {
            for (size_t i = 0; i < len; i++)
                tile[i * panel->n_in + c] = centred(in[c], (v + i) * sizeof(vec), sizeof(vec));
        }
        apply_tile(panel, out, in, v * sizeof(vec), tile_vecs * sizeof(vec), tile, len);
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
        tile[c] = centred(in[c], at, bytes);
    for (size_t r = 0; r < panel->n_rows; r++) {
        rows[r] = sums + r * sizeof(vec);
        memset(rows[r], 0, sizeof(vec));
        if (panel->add)
            memcpy(rows[r], (unsigned char *)out[r] + at, bytes);
    }
    apply_tile(panel, rows, in, 0, 0, tile, 1);
    for (size_t r = 0; r < panel->n_rows; r++)
        memcpy((unsigned char *)out[r] + at, rows[r], bytes);
}

static void apply(const struct panel *panel, void *const *out, const void *const *in, size_t n)
{
    const size_t n_vecs = n / COLUMNS;

    if (panel->n_rows <= ROWS && panel->n_in <= MAX_IN_PLACE)
        apply_in_place(panel, out, in, n_vecs);
    else
        apply_gathered(panel, out, in, n_vecs);
    if (n % COLUMNS)
        apply_tail(panel, out, in, n_vecs * sizeof(vec), n % COLUMNS * M31_BYTES);
}

static void mat_apply(void *const *out, size_t n_out, const void *const *in, size_t n_in,
                      const void *matrix, size_t n)
{
    struct panel panel;

    if (n_in == 0) {
        for (size_t r = 0; r < n_out; r++)
            memset(out[r], 0, n * M31_BYTES);
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
