/*
 * tiny: the integers modulo 251, one byte each.
 *
 * A whole field plugin in plain C, to copy from. hagg/plugin.h says what each function must do; the
 * comments here say why it is done in this way. Elements can be secret, so nothing below branches
 * on one or uses one as an index, except where its comment explains why that tells nothing.
 */
#include <stdio.h>

#include <hagg/plugin.h>

#define P 251

/* A number below 2 * P to below P. The mask is all ones when P may be taken off. */
static unsigned subtract_p(unsigned x)
{
    return x - (P & -(unsigned)(x >= P));
}

/* A number below 2^16 to below P. 256 = P + 5, so what is above the lowest byte counts five times:
 * once leaves at most 1530, twice at most 280. */
static unsigned reduce(unsigned x)
{
    x = (x & 255) + 5 * (x >> 8);
    x = (x & 255) + 5 * (x >> 8);
    return subtract_p(x);
}

/* There is only one such field, so there are no parameters and no context. */
static int tiny_init(void *ctx, const struct hagg_param *params, size_t n_params,
                     struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    (void)ctx;
    if (n_params != 0) {
        snprintf(why, HAGG_WHY_SIZE, "tiny takes no parameters, not %.64s", params[0].key);
        return -1;
    }
    *info = (struct hagg_field_info){
        .order = P,
        .characteristic = P, /* prime, so integers can be added: a sum is read back as a sum */
        .int_min = -(P - 1) / 2,
        .int_max = (P - 1) / 2,
        .elem_size = 1,
    };
    return 0;
}

/* One pass that reads before it writes: that is all the aliasing rule asks for. */
static void tiny_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    const uint8_t *x = a, *y = b;
    uint8_t *o = out;

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        o[i] = (uint8_t)subtract_p((unsigned)x[i] + y[i]);
}

static void tiny_sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    const uint8_t *x = a, *y = b;
    uint8_t *o = out;

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        o[i] = (uint8_t)subtract_p((unsigned)x[i] + P - y[i]);
}

static void tiny_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const uint8_t *x = a;
    uint8_t *o = out;
    unsigned factor = *(const uint8_t *)c;

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        o[i] = (uint8_t)reduce(o[i] + factor * x[i]);
}

/* a^(P - 2), by Fermat: that loop branches on the exponent, which is no secret, and the refusal of
 * zero is what the caller asks for. */
static int tiny_inv(const void *ctx, void *out, const void *a)
{
    unsigned power = *(const uint8_t *)a, inverse = 1;

    (void)ctx;
    if (power == 0)
        return -1;
    for (unsigned exponent = P - 2; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            inverse = reduce(inverse * power);
        power = reduce(power * power);
    }
    *(uint8_t *)out = (uint8_t)inverse;
    return 0;
}

/* What is reported is that a file is damaged, so it may stop at the first damage. */
static size_t tiny_check(const void *ctx, const void *a, size_t n)
{
    const uint8_t *x = a;
    size_t i = 0;

    (void)ctx;
    while (i < n && x[i] < P)
        i++;
    return i;
}

/* Bytes of 251 and more are thrown away: reducing them instead would make 0 .. 4 twice as likely as
 * the others. The branch tells how many were thrown away, and nothing of those that were kept. No
 * element is written before its byte is read, so out may be random. */
static size_t tiny_sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                          size_t *used)
{
    const uint8_t *r = random;
    uint8_t *o = out;
    size_t made = 0, i = 0;

    (void)ctx;
    while (made < n && i < n_random) {
        uint8_t x = r[i++];

        if (x < P)
            o[made++] = x;
    }
    *used = i;
    return made;
}

/* Negative integers are counted down from P. Stopping tells only what is refused anyway. */
static size_t tiny_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    uint8_t *o = out;

    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        if (in[i] < -(P - 1) / 2 || in[i] > (P - 1) / 2)
            return i;
        o[i] = (uint8_t)subtract_p((unsigned)(in[i] + P));
    }
    return n;
}

static void tiny_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    const uint8_t *x = in;

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = x[i] - (int64_t)(P & -(unsigned)(x[i] > (P - 1) / 2));
}

/* mat_apply is left out: hagg then makes it from scale_add. Write it when speed matters. */
HAGG_PLUGIN_EXPORT const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "tiny",
    .summary = "the integers modulo 251",
    .init = tiny_init,
    .add = tiny_add,
    .sub = tiny_sub,
    .scale_add = tiny_scale_add,
    .inv = tiny_inv,
    .check = tiny_check,
    .sample = tiny_sample,
    .from_int = tiny_from_int,
    .to_int = tiny_to_int,
};
