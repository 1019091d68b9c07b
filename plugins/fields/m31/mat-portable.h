/*
 * Matrix times block of vectors in plain C, for kernels.c. Compilers turn the inner loop into
 * widening vector products.
 */
#include <string.h>

#define COLUMNS 256 /* the sums of this number of columns stay in the first-level cache */
#define TERMS   4   /* this number of products plus a folded sum is below 2^64 */

/* sums[i] = fold(sums[i] + weight[0] * in[0][i] + ...), less than 2^34 before and after. */
static void add_terms(uint64_t *sums, const uint32_t weight[TERMS],
                      const unsigned char *const in[TERMS], size_t n)
{
    const unsigned char *a = in[0];
    const unsigned char *b = in[1];
    const unsigned char *c = in[2];
    const unsigned char *d = in[3];

    for (size_t i = 0; i < n; i++) {
        uint64_t sum = sums[i];

        sum += (uint64_t)weight[0] * hagg_load32(a + i * M31_BYTES);
        sum += (uint64_t)weight[1] * hagg_load32(b + i * M31_BYTES);
        sum += (uint64_t)weight[2] * hagg_load32(c + i * M31_BYTES);
        sum += (uint64_t)weight[3] * hagg_load32(d + i * M31_BYTES);
        sums[i] = (sum & M31_P) + (sum >> 31);
    }
}

static void field_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n)
{
    uint64_t sums[COLUMNS];

    (void)ctx;
    for (size_t at = 0; at < n; at += COLUMNS) {
        size_t len = n - at < COLUMNS ? n - at : COLUMNS;

        for (size_t r = 0; r < n_out; r++) {
            memset(sums, 0, sizeof sums);
            for (size_t c = 0; c < n_in; c += TERMS) {
                uint32_t weight[TERMS] = { 0 };
                const unsigned char *row[TERMS];

                for (size_t t = 0; t < TERMS; t++) {
                    /* A missing term is an arbitrary input times zero. */
                    size_t term = c + t < n_in ? c + t : c;

                    if (term == c + t)
                        weight[t] = (uint32_t)hagg_load(matrix, r * n_in + term, M31_BYTES);
                    row[t] = (const unsigned char *)in[term] + at * M31_BYTES;
                }
                add_terms(sums, weight, row, len);
            }
            for (size_t i = 0; i < len; i++)
                hagg_store(out[r], at + i, M31_BYTES, m31_reduce(sums[i]));
        }
    }
}
