/*
 * A plugin for the integers modulo 5, one byte each, that is right except for what the macros below
 * change. With its parameters a test can describe an impossible field.
 */
#include <stdio.h>
#include <stdlib.h>

#include <hagg/plugin.h>

#ifndef PLUGIN_ABI
#define PLUGIN_ABI HAGG_PLUGIN_ABI
#endif
#ifndef PLUGIN_SIZE
#define PLUGIN_SIZE sizeof(struct hagg_field)
#endif
#ifndef PLUGIN_SUMMARY
#define PLUGIN_SUMMARY "the integers modulo 5"
#endif

/* An odd number of bytes, all of which init writes. */
#define CTX_SIZE 23

#ifdef NEEDS_HOST
void host_function_that_is_not_there(void);
#endif

static int f_init(void *ctx, const struct hagg_param *params, size_t n_params,
                  struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    memset(ctx, 0x5a, CTX_SIZE);
    *info = (struct hagg_field_info){
        .order = 5, .characteristic = 5, .int_min = -2, .int_max = 2, .elem_size = 1
    };
    for (size_t i = 0; i < n_params; i++) {
        const char *key = params[i].key;
        long long value = strtoll(params[i].value, NULL, 10);

        if (strcmp(key, "char") == 0)
            info->characteristic = (uint64_t)value;
        else if (strcmp(key, "elem") == 0)
            info->elem_size = (uint32_t)value;
        else if (strcmp(key, "max") == 0)
            info->int_max = value;
        else if (strcmp(key, "min") == 0)
            info->int_min = value;
        else if (strcmp(key, "order") == 0)
            info->order = (uint64_t)value;
        else if (strcmp(key, "endless") == 0) {
            memset(why, 'y', HAGG_WHY_SIZE); /* without NUL */
            return -1;
        } else {
            snprintf(why, HAGG_WHY_SIZE, "no parameter '%s' of %zu", key, n_params);
            return -1;
        }
    }
#ifdef NEEDS_HOST
    host_function_that_is_not_there();
#endif
    return 0;
}

static void f_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        hagg_store(out, i, 1, (hagg_load(a, i, 1) + hagg_load(b, i, 1)) % 5);
}

static void f_sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        hagg_store(out, i, 1, (hagg_load(a, i, 1) + 5 - hagg_load(b, i, 1)) % 5);
}

static void f_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        hagg_store(out, i, 1, (hagg_load(out, i, 1) + hagg_load(c, 0, 1) * hagg_load(a, i, 1)) % 5);
}

static int f_inv(const void *ctx, void *out, const void *a)
{
    static const unsigned char inverse[5] = { 0, 1, 3, 2, 4 };
    uint64_t value = hagg_load(a, 0, 1);

    (void)ctx;
    if (value == 0)
        return -1;
    hagg_store(out, 0, 1, inverse[value]);
    return 0;
}

static size_t f_check(const void *ctx, const void *a, size_t n)
{
    size_t i = 0;

    (void)ctx;
    while (i < n && hagg_load(a, i, 1) < 5)
        i++;
    return i;
}

static size_t f_sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                       size_t *used)
{
    size_t made = 0;

    (void)ctx;
    for (*used = 0; *used < n_random && made < n; (*used)++)
        if (hagg_load(random, *used, 1) < 255)
            hagg_store(out, made++, 1, hagg_load(random, *used, 1) % 5);
    return made;
}

static size_t f_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    size_t i;

    (void)ctx;
    for (i = 0; i < n && in[i] >= -2 && in[i] <= 2; i++)
        hagg_store(out, i, 1, (uint64_t)(in[i] + 5) % 5);
    return i;
}

static void f_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = (int64_t)((hagg_load(in, i, 1) + 2) % 5) - 2;
}

#define FIELD                                                                                      \
    {                                                                                              \
        .abi = PLUGIN_ABI, .size = PLUGIN_SIZE, .name = PLUGIN_NAME, .summary = PLUGIN_SUMMARY,    \
        .ctx_size = CTX_SIZE, .init = LACKS_INIT ? NULL : f_init, .add = LACKS_ADD ? NULL : f_add, \
        .sub = LACKS_SUB ? NULL : f_sub, .scale_add = LACKS_SCALE_ADD ? NULL : f_scale_add,        \
        .inv = LACKS_INV ? NULL : f_inv, .check = LACKS_CHECK ? NULL : f_check,                    \
        .sample = LACKS_SAMPLE ? NULL : f_sample, .from_int = LACKS_FROM_INT ? NULL : f_from_int,  \
        .to_int = LACKS_TO_INT ? NULL : f_to_int,                                                  \
    }

#if defined(GROWN)
/* The struct of a possible later release, with further members. */
struct grown {
    struct hagg_field known;
    const char *later[4];
};

extern HAGG_PLUGIN_EXPORT const struct grown grown_plugin __asm__("hagg_field_plugin");
const struct grown grown_plugin = { FIELD, { "a", "b", "c", "d" } };
#elif defined(NO_SYMBOL)
extern HAGG_PLUGIN_EXPORT const struct hagg_field some_other_symbol;
const struct hagg_field some_other_symbol = FIELD;
#else
HAGG_PLUGIN_EXPORT const struct hagg_field hagg_field_plugin = FIELD;
#endif
