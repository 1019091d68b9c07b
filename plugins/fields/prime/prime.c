/*
 * prime.c - the field of p elements, for a prime p below 2^62 given as the parameter p.
 */
#include <hagg/prime-field.h>

#include "primality.h"
#include "prime.h"

static int refuse(char why[HAGG_WHY_SIZE], const char *reason)
{
    snprintf(why, HAGG_WHY_SIZE, "%s", reason);
    return -1;
}

/* Reads the only parameter. Returns 0, or -1 with the reason in why. */
static int read_p(const struct hagg_param *params, size_t n_params, uint64_t *p,
                  char why[HAGG_WHY_SIZE])
{
    const uint64_t most = (UINT64_C(1) << 62) - 1;

    for (size_t i = 0; i < n_params; i++) {
        if (strcmp(params[i].key, "p") != 0) {
            snprintf(why, HAGG_WHY_SIZE, "unknown parameter %.64s: the only one is p",
                     params[i].key);
            return -1;
        }
    }
    if (n_params == 0)
        return refuse(why, "the parameter p is missing, as in prime:p=1000003");
    if (n_params > 1)
        return refuse(why, "p is given more than once");
    if (hagg_prime_param(&params[0], most, p, why) != 0) {
        const char *value = params[0].value;

        /* A valid spelling was refused for its size. */
        if (value[0] >= '1' && value[0] <= '9' && value[strspn(value, "0123456789")] == '\0')
            return refuse(why, "p must be below 2^62");
        return -1;
    }
    if (!primality_is_prime(*p))
        return refuse(why, "p is not prime");
    return 0;
}

static size_t elem_size_of(uint64_t p)
{
    size_t size = 1;

    while (size < sizeof p && (p - 1) >> 8 * size != 0)
        size *= 2;
    return size;
}

static int init(void *ctx, const struct hagg_param *params, size_t n_params,
                struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    struct prime_ctx *prime = ctx;
    uint64_t p;

    if (read_p(params, n_params, &p, why) != 0)
        return -1;
    *prime = (struct prime_ctx){
        .isa = hagg_isa(),
        .p = p,
        .mont = montgomery_init(p == 2 ? PRIME_INSTEAD_OF_2 : p),
        .mask = p == 2 ? 1 : UINT64_MAX,
        .mask16 = p == 2 ? 0x0101 : UINT64_MAX,
        .elem_size = elem_size_of(p),
    };
    if (prime->elem_size < sizeof p) {
        uint64_t last = prime->mont.n - 1;

        prime->group = (UINT64_MAX - UINT32_MAX) / (last * last);
    }
    if (prime->elem_size == sizeof(uint16_t)) {
        int32_t c = (int32_t)((UINT32_C(1) << 24) % p);

        prime->fold16 = 1u << 8 | (uint32_t)(c - (c > (int32_t)p / 2 ? (int32_t)p : 0)) << 16;
    }
    hagg_prime_info(p, prime->elem_size, info);
    return 0;
}

const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "prime",
    .summary = "integers modulo a prime p below 2^62, in 1, 2, 4 or 8 bytes: prime:p=1000003",
    .ctx_size = sizeof(struct prime_ctx),
    .init = init,
    HAGG_KERNELS_MEMBERS,
};
