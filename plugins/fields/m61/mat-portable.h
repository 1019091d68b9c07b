/* Matrix times block of vectors in plain C, for kernels.c. */
#define TERMS   32  /* this number of products fits into a double word */
#define COLUMNS 128 /* these stay in the cache until all rows have used them */

#if defined(__SIZEOF_INT128__)

typedef unsigned __int128 sum;

static inline sum sum_add(sum s, uint64_t a, uint64_t b)
{
    return s + (sum)a * b;
}

static inline uint64_t sum_reduce(sum s)
{
    return m61_reduce(((uint64_t)s & M61_P) + ((uint64_t)(s >> 61) & M61_P) + (uint64_t)(s >> 122));
}

#else

typedef uint64_t sum;

static inline sum sum_add(sum s, uint64_t a, uint64_t b)
{
    return m61_mul_add(a, b, s);
}

static inline uint64_t sum_reduce(sum s)
{
    return s;
}

#endif

static uint64_t dot(const unsigned char *weights, const void *const *in, size_t n_in, size_t i)
{
    sum s = 0;

    for (size_t c = 0; c < n_in;) {
        size_t end = n_in - c > TERMS ? c + TERMS : n_in;

        for (; c < end; c++)
            s = sum_add(s, hagg_load(weights, c, M61_BYTES), hagg_load(in[c], i, M61_BYTES));
        s = sum_reduce(s);
    }
    return (uint64_t)s;
}

static void field_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n)
{
    (void)ctx;
    for (size_t from = 0; from < n; from += COLUMNS) {
        size_t to = n - from < COLUMNS ? n : from + COLUMNS;
        const unsigned char *weights = matrix;

        for (size_t r = 0; r < n_out; r++, weights += n_in * M61_BYTES) {
            for (size_t i = from; i < to; i++)
                hagg_store(out[r], i, M61_BYTES, dot(weights, in, n_in, i));
        }
    }
}
