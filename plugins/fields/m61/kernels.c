/* Compiled once for every instruction set; HAGG_KERNELS(name) is the name of this build's symbol.
 */
#include <hagg/plugin.h>
#include <hagg/prime-field.h>

#include "kernels.h"

#if defined(__AVX2__)
#include "mat-simd.h"
#else
#include "mat-portable.h"
#endif

static void add(void *out, const void *a, const void *b, size_t n)
{
    hagg_prime_add(M61_P, M61_BYTES, out, a, b, n);
}

static void sub(void *out, const void *a, const void *b, size_t n)
{
    hagg_prime_sub(M61_P, M61_BYTES, out, a, b, n);
}

static void scale_add(void *out, const void *c, const void *a, size_t n)
{
    const uint64_t factor = hagg_load64(c);

    HAGG_PRIME_SAME_OR_APART
    for (size_t i = 0; i < n; i++) {
        uint64_t x = hagg_load(a, i, M61_BYTES);

        hagg_store(out, i, M61_BYTES, m61_mul_add(factor, x, hagg_load(out, i, M61_BYTES)));
    }
}

static size_t check(const void *a, size_t n)
{
    return hagg_prime_check(M61_P, M61_BYTES, a, n);
}

static size_t sample(void *out, size_t n, const void *random, size_t n_random, size_t *used)
{
    return hagg_prime_sample(M61_P, M61_BYTES, out, n, random, n_random, used);
}

static size_t from_int(void *out, const int64_t *in, size_t n)
{
    return hagg_prime_from_int(M61_P, M61_BYTES, out, in, n);
}

static void to_int(int64_t *out, const void *in, size_t n)
{
    hagg_prime_to_int(M61_P, M61_BYTES, out, in, n);
}

const struct m61_kernels HAGG_KERNELS(m61_kernels) = {
    .add = add,
    .sub = sub,
    .scale_add = scale_add,
    .check = check,
    .sample = sample,
    .from_int = from_int,
    .to_int = to_int,
    .mat_apply = mat_apply,
};
