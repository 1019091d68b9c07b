/*
 * small: the integers modulo a prime below 2^16, two bytes each, as in small:p=65521.
 *
 * A field in C++11 that has everything that a struct hagg_field can have: a parameter, a context,
 * mat_apply and add_checked. Only C++20 has designated initialisers, so the members of the struct
 * are in the order of the header.
 */
#include <hagg/prime-field.h>

namespace
{

struct context {
    uint16_t p;
};

const size_t elem_size = sizeof(uint16_t);

uint64_t prime(const void *ctx)
{
    return static_cast<const context *>(ctx)->p;
}

uint64_t multiply(uint64_t a, uint64_t b, uint64_t p)
{
    return a * b % p;
}

bool is_prime(uint64_t p)
{
    for (uint64_t d = 2; d * d <= p; d++)
        if (p % d == 0)
            return false;
    return p > 1;
}

int init(void *ctx, const hagg_param *params, size_t n_params, hagg_field_info *info, char *why)
{
    uint64_t p = 0;

    if (n_params != 1 || strcmp(params[0].key, "p") != 0) {
        snprintf(why, HAGG_WHY_SIZE, "small has one parameter, a prime: small:p=65521");
        return -1;
    }
    if (hagg_prime_param(&params[0], UINT16_MAX, &p, why))
        return -1;
    if (!is_prime(p)) {
        snprintf(why, HAGG_WHY_SIZE, "%u is not a prime", static_cast<unsigned>(p));
        return -1;
    }
    static_cast<context *>(ctx)->p = static_cast<uint16_t>(p);
    hagg_prime_info(p, elem_size, info);
    return 0;
}

void add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    hagg_prime_add(prime(ctx), elem_size, out, a, b, n);
}

void sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    hagg_prime_sub(prime(ctx), elem_size, out, a, b, n);
}

void scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const uint64_t p = prime(ctx), factor = hagg_load(c, 0, elem_size);

    for (size_t i = 0; i < n; i++)
        hagg_store(out, i, elem_size,
                   (hagg_load(out, i, elem_size) + factor * hagg_load(a, i, elem_size)) % p);
}

int inv(const void *ctx, void *out, const void *a)
{
    return hagg_prime_inv(prime(ctx), elem_size, out, a, multiply);
}

size_t check(const void *ctx, const void *a, size_t n)
{
    return hagg_prime_check(prime(ctx), elem_size, a, n);
}

size_t sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
              size_t *used)
{
    return hagg_prime_sample(prime(ctx), elem_size, out, n, random, n_random, used);
}

size_t from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    return hagg_prime_from_int(prime(ctx), elem_size, out, in, n);
}

void to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    hagg_prime_to_int(prime(ctx), elem_size, out, in, n);
}

/* Fewer than 2^31 products of less than 2^32 fit before reducing. */
void mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in, size_t n_in,
               const void *matrix, size_t n)
{
    const uint64_t p = prime(ctx);

    for (size_t r = 0; r < n_out; r++)
        for (size_t i = 0; i < n; i++) {
            uint64_t sum = 0;

            for (size_t c = 0; c < n_in; c++)
                sum += hagg_load(matrix, r * n_in + c, elem_size) * hagg_load(in[c], i, elem_size);
            hagg_store(out[r], i, elem_size, sum % p);
        }
}

size_t add_checked(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    return hagg_prime_add_checked(prime(ctx), elem_size, out, a, b, n);
}

} // namespace

HAGG_PLUGIN_EXPORT const hagg_field hagg_field_plugin = {
    HAGG_PLUGIN_ABI,
    sizeof(hagg_field),
    "small",
    "the integers modulo a prime below 2^16",
    sizeof(context),
    init,
    add,
    sub,
    scale_add,
    inv,
    check,
    sample,
    from_int,
    to_int,
    mat_apply,
    add_checked,
};
