/*
 * A correct prime field in plain code, for plugins with a single fault: such a plugin includes this
 * file, defines one function, and ends with BROKEN_FIELD(name, .member = function). P and ELEM_SIZE
 * select the field; products must fit into 64 bits.
 */
#ifndef BROKEN_FIELD_H
#define BROKEN_FIELD_H

#ifndef P
#define P 251
#endif
#ifndef ELEM_SIZE
#define ELEM_SIZE 1
#endif

#include <stdio.h>

#include <hagg/plugin.h>

static inline uint64_t get(const void *vector, size_t i)
{
    return hagg_load(vector, i, ELEM_SIZE);
}

static inline void put(void *vector, size_t i, uint64_t value)
{
    hagg_store(vector, i, ELEM_SIZE, value);
}

static inline int sound_init(void *ctx, const struct hagg_param *params, size_t n_params,
                             struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    (void)ctx;
    (void)params;
    if (n_params != 0) {
        snprintf(why, HAGG_WHY_SIZE, "takes no parameters");
        return -1;
    }
    *info = (struct hagg_field_info){ .order = P,
                                      .characteristic = P,
                                      .int_min = -(P - 1) / 2,
                                      .int_max = (P - 1) / 2,
                                      .elem_size = ELEM_SIZE };
    return 0;
}

static inline void sound_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        put(out, i, (get(a, i) + get(b, i)) % P);
}

static inline void sound_sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        put(out, i, (get(a, i) + P - get(b, i)) % P);
}

static inline void sound_scale_add(const void *ctx, void *out, const void *c, const void *a,
                                   size_t n)
{
    uint64_t factor = get(c, 0);

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        put(out, i, (get(out, i) + factor * get(a, i)) % P);
}

static inline int sound_inv(const void *ctx, void *out, const void *a)
{
    uint64_t power = get(a, 0), inverse = 1;

    (void)ctx;
    if (power == 0)
        return -1;
    for (uint64_t exponent = P - 2; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            inverse = inverse * power % P;
        power = power * power % P;
    }
    put(out, 0, inverse);
    return 0;
}

static inline size_t sound_check(const void *ctx, const void *a, size_t n)
{
    size_t i = 0;

    (void)ctx;
    while (i < n && get(a, i) < P)
        i++;
    return i;
}

static inline size_t sound_add_checked(const void *ctx, void *out, const void *a, const void *b,
                                       size_t n)
{
    size_t good = sound_check(ctx, b, n);

    if (good == n)
        sound_add(ctx, out, a, b, n);
    return good;
}

static inline size_t sound_sample(const void *ctx, void *out, size_t n, const void *random,
                                  size_t n_random, size_t *used)
{
    size_t made = 0, i = 0;

    (void)ctx;
    for (; made < n && (i + 1) * ELEM_SIZE <= n_random; i++)
        if (get(random, i) < P)
            put(out, made++, get(random, i));
    *used = i * ELEM_SIZE;
    return made;
}

static inline size_t sound_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        if (in[i] < -(P - 1) / 2 || in[i] > (P - 1) / 2)
            return i;
        put(out, i, (uint64_t)(in[i] + P) % P);
    }
    return n;
}

static inline void sound_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = (int64_t)get(in, i) - (get(in, i) > (P - 1) / 2 ? P : 0);
}

static inline void sound_mat_apply(const void *ctx, void *const *out, size_t n_out,
                                   const void *const *in, size_t n_in, const void *matrix, size_t n)
{
    for (size_t r = 0; r < n_out; r++) {
        memset(out[r], 0, n * ELEM_SIZE);
        for (size_t c = 0; c < n_in; c++)
            sound_scale_add(ctx, out[r], (const unsigned char *)matrix + (r * n_in + c) * ELEM_SIZE,
                            in[c], n);
    }
}

/* Members are initialised twice on purpose. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define BROKEN_FIELD(plugin_name, ...)                                                             \
    HAGG_PLUGIN_EXPORT const struct hagg_field hagg_field_plugin = { .abi = HAGG_PLUGIN_ABI,       \
                                                                     .size = sizeof(               \
                                                                         struct hagg_field),       \
                                                                     .name = plugin_name,          \
                                                                     .summary = "not for use",     \
                                                                     .init = sound_init,           \
                                                                     .add = sound_add,             \
                                                                     .sub = sound_sub,             \
                                                                     .scale_add = sound_scale_add, \
                                                                     .inv = sound_inv,             \
                                                                     .check = sound_check,         \
                                                                     .sample = sound_sample,       \
                                                                     .from_int = sound_from_int,   \
                                                                     .to_int = sound_to_int,       \
                                                                     .mat_apply = sound_mat_apply, \
                                                                     __VA_ARGS__ }

#endif
