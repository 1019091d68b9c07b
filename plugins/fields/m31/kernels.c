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
    hagg_prime_add(M31_P, M31_BYTES, out, a, b, n);
}

static void sub(void *out, const void *a, const void *b, size_t n)
{
    hagg_prime_sub(M31_P, M31_BYTES, out, a, b, n);
}

static void scale_add(void *out, const void *c, const void *a, size_t n)
{
    const uint32_t factor = hagg_load32(c);

    HAGG_PRIME_SAME_OR_APART
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = (uint64_t)factor * (uint32_t)hagg_load(a, i, M31_BYTES) +
                       (uint32_t)hagg_load(out, i, M31_BYTES);
        uint32_t over = (uint32_t)(sum & M31_P) + (uint32_t)(sum >> 31) - M31_P;

        hagg_store(out, i, M31_BYTES, over + (M31_P & -(over >> 31)));
    }
}

static size_t check(const void *a, size_t n)
{
    return hagg_prime_check(M31_P, M31_BYTES, a, n);
}

static size_t sample(void *out, size_t n, const void *random, size_t n_random, size_t *used)
{
    return hagg_prime_sample(M31_P, M31_BYTES, out, n, random, n_random, used);
}

static size_t from_int(void *out, const int64_t *in, size_t n)
{
    return hagg_prime_from_int(M31_P, M31_BYTES, out, in, n);
}

static void to_int(int64_t *out, const void *in, size_t n)
{
    hagg_prime_to_int(M31_P, M31_BYTES, out, in, n);
}

const struct m31_kernels HAGG_KERNELS(m31_kernels) = {
    .add = add,
    .sub = sub,
    .scale_add = scale_add,
    .check = check,
    .sample = sample,
    .from_int = from_int,
    .to_int = to_int,
    .mat_apply = mat_apply,
};
