/*
 * The field of 256 elements: elements are bytes, addition is XOR, multiplication is modulo x^8 +
 * x^4
 * + x^3 + x^2 + 1 (0x11d). ISA-L multiplies; it selects its instruction set itself.
 */
#include <stdio.h>

#include <isa-l/erasure_code.h>

#include <hagg/plugin.h>

/* ISA-L multiplies shorter vectors with tables indexed by the data, which is secret. */
#define ISAL_MIN_BYTES 64

/* Long tiles of few vectors stay in the second-level cache, and long tiles suit the prefetcher.
 * With many vectors, only short tiles stay in the first-level cache. */
#define FEW_VECTORS     16
#define TILE_BYTES_FEW  131072
#define TILE_BYTES_MANY 4096

/* The number of coefficients whose tables are on the stack at once: 96 KB. Twelve is a multiple of
 * both four and six, the numbers of rows in ISA-L's kernels. */
#define GROUP_COLS  256
#define GROUP_ROWS  12
#define TABLE_BYTES 32

static int gf256_init(void *ctx, const struct hagg_param *params, size_t n_params,
                      struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    (void)ctx;
    if (n_params != 0) {
        snprintf(why, HAGG_WHY_SIZE, "takes no parameters: remove %.64s", params[0].key);
        return -1;
    }
    *info = (struct hagg_field_info){
        .order = 256, .characteristic = 2, .int_min = 0, .int_max = 255, .elem_size = 1
    };
    return 0;
}

/* Uses a vector type, because -O2 does not vectorise a loop over bytes. */
static inline void xor16(unsigned char *out, const unsigned char *a, const unsigned char *b)
{
    uint64_t x __attribute__((vector_size(16))), y __attribute__((vector_size(16)));

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x ^= y;
    memcpy(out, &x, sizeof x);
}

static void gf256_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    unsigned char *o = out;
    const unsigned char *x = a, *y = b;
    size_t i = 0;

    (void)ctx;
    for (; n - i >= 32; i += 32) {
        xor16(o + i, x + i, y + i);
        xor16(o + i + 16, x + i + 16, y + i + 16);
    }
    for (; i < n; i++)
        o[i] = x[i] ^ y[i];
}

/* Multiplies eight packed bytes by c, by doubling and adding: no table, no branch on the data. */
static uint64_t times(uint8_t c, uint64_t x)
{
    const uint64_t low7 = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
    uint64_t product = 0;

    for (int bit = 7; bit >= 0; bit--) {
        product = ((product & low7) << 1) ^ (((product >> 7) & ones) * 0x1d);
        product ^= x & -(uint64_t)(c >> bit & 1);
    }
    return product;
}

/* out[i] += c * a[i], for cases that ISA-L does not handle: short vectors and out == a. */
static void scale_add_plain(unsigned char *out, uint8_t c, const unsigned char *a, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        size_t len = n - i < sizeof(uint64_t) ? n - i : sizeof(uint64_t);
        uint64_t x = 0, y = 0;

        memcpy(&x, a + i, len);
        memcpy(&y, out + i, len);
        y ^= times(c, x);
        memcpy(out + i, &y, len);
    }
}

/* Returns the size of the next tile in bytes. The last tile includes the remainder, so no tile is
 * smaller than ISAL_MIN_BYTES. */
static size_t tile_len(size_t n_vectors, size_t left)
{
    size_t tile = n_vectors <= FEW_VECTORS ? TILE_BYTES_FEW : TILE_BYTES_MANY;

    return left < 2 * tile ? left : tile;
}

/* ISA-L does not declare pointers const, but writes only to its outputs. */
static unsigned char *unconst(const void *p)
{
    return (unsigned char *)(uintptr_t)p;
}

/* ISA-L returns with the upper halves of the vector registers in use. Until they are cleared, all
 * SSE code of the process runs at half its speed. */
static void leave_isal(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                               "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                               "xmm15");
#endif
}

static void gf256_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    unsigned char *o = out, table[TABLE_BYTES];
    const unsigned char *x = a;

    (void)ctx;
    if (n < ISAL_MIN_BYTES || o == x) {
        scale_add_plain(o, *(const uint8_t *)c, x, n);
        return;
    }
    ec_init_tables(1, 1, unconst(c), table);
    for (size_t at = 0, len; at < n; at += len) {
        unsigned char *row = o + at;

        len = tile_len(1, n - at);
        ec_encode_data_update((int)len, 1, 1, 0, table, unconst(x + at), &row);
    }
    leave_isal();
}

static int gf256_inv(const void *ctx, void *out, const void *a)
{
    uint8_t x = *(const uint8_t *)a;

    (void)ctx;
    if (x == 0)
        return -1;
    *(uint8_t *)out = gf_inv(x);
    return 0;
}

static size_t gf256_check(const void *ctx, const void *a, size_t n)
{
    (void)ctx;
    (void)a;
    return n;
}

static size_t gf256_add_checked(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    gf256_add(ctx, out, a, b, n);
    return n;
}

static size_t gf256_sample(const void *ctx, void *out, size_t n, const void *random,
                           size_t n_random, size_t *used)
{
    (void)ctx;
    if (n > n_random)
        n = n_random;
    memmove(out, random, n);
    *used = n;
    return n;
}

static size_t gf256_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    uint8_t *o = out;

    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        if (in[i] < 0 || in[i] > 255)
            return i;
        o[i] = (uint8_t)in[i];
    }
    return n;
}

static void gf256_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    const uint8_t *x = in;

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = x[i];
}

/* The rows and columns of the matrix covered by one set of tables. */
struct group {
    size_t row, n_rows;
    size_t col, n_cols;
};

static void make_tables(unsigned char *tables, const struct group *g, const uint8_t *matrix,
                        size_t n_in)
{
    for (size_t r = 0; r < g->n_rows; r++)
        ec_init_tables((int)g->n_cols, 1, unconst(matrix + (g->row + r) * n_in + g->col),
                       tables + r * g->n_cols * TABLE_BYTES);
}

/* Applies the group to bytes at .. at + len of the vectors. The first group of columns sets the
 * outputs, later groups add to them. */
static void apply_group(const struct group *g, unsigned char *tables, void *const *out,
                        const void *const *in, size_t at, size_t len)
{
    unsigned char *sources[GROUP_COLS], *sums[GROUP_ROWS * GROUP_COLS];

    for (size_t c = 0; c < g->n_cols; c++)
        sources[c] = unconst((const unsigned char *)in[g->col + c] + at);
    for (size_t r = 0; r < g->n_rows; r++)
        sums[r] = (unsigned char *)out[g->row + r] + at;
    if (g->col == 0) {
        ec_encode_data((int)len, (int)g->n_cols, (int)g->n_rows, tables, sources, sums);
        return;
    }
    for (size_t c = 0; c < g->n_cols; c++)
        ec_encode_data_update((int)len, (int)g->n_cols, (int)g->n_rows, (int)c, tables, sources[c],
                              sums);
}

/* For vectors of at least ISAL_MIN_BYTES and at least one input. */
static void apply_tiled(void *const *out, size_t n_out, const void *const *in, size_t n_in,
                        const uint8_t *matrix, size_t n)
{
    unsigned char tables[GROUP_ROWS * GROUP_COLS * TABLE_BYTES];
    size_t cols = n_in < GROUP_COLS ? n_in : GROUP_COLS;
    size_t rows = GROUP_COLS / cols * GROUP_ROWS;
    int one_group = n_in == cols && n_out <= rows;

    for (size_t at = 0, len; at < n; at += len) {
        len = tile_len(n_in, n - at);
        for (struct group g = { 0 }; g.row < n_out; g.row += g.n_rows) {
            g.n_rows = n_out - g.row < rows ? n_out - g.row : rows;
            for (g.col = 0; g.col < n_in; g.col += g.n_cols) {
                g.n_cols = n_in - g.col < cols ? n_in - g.col : cols;
                /* Remaking the tables for every tile is cheaper than fetching the tile again. */
                if (at == 0 || !one_group)
                    make_tables(tables, &g, matrix, n_in);
                apply_group(&g, tables, out, in, at, len);
            }
        }
    }
}

static void gf256_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n)
{
    const uint8_t *m = matrix;

    (void)ctx;
    if (n >= ISAL_MIN_BYTES && n_in > 0) {
        apply_tiled(out, n_out, in, n_in, m, n);
        leave_isal();
        return;
    }
    for (size_t r = 0; r < n_out; r++) {
        memset(out[r], 0, n);
        for (size_t c = 0; c < n_in; c++)
            scale_add_plain(out[r], m[r * n_in + c], in[c], n);
    }
}

HAGG_PLUGIN_EXPORT const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "gf256",
    .summary = "bytes modulo 0x11d; sums are XOR",
    .init = gf256_init,
    .add = gf256_add,
    .sub = gf256_add,
    .scale_add = gf256_scale_add,
    .inv = gf256_inv,
    .check = gf256_check,
    .sample = gf256_sample,
    .from_int = gf256_from_int,
    .to_int = gf256_to_int,
    .mat_apply = gf256_mat_apply,
    .add_checked = gf256_add_checked,
};
