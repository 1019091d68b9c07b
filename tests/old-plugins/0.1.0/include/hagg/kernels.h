/*
 * hagg/kernels.h - a field with several builds of its functions, one of which init selects.
 *
 * Optional. The functions of the field, all from add on, are in a separate file that ends with
 *
 *     const struct hagg_field HAGG_KERNELS(hagg_kernels) = { .add = add, ... };
 *
 * where the members before add are omitted. That file is compiled once per instruction set: with
 * -D'HAGG_KERNELS(name)=name##_portable', and on x86-64 also with _avx2 and with _avx512 and the
 * compiler options for the instruction sets in enum hagg_isa. The file with hagg_field_plugin is
 * compiled once, for any processor:
 *
 *  - the field's context begins with an enum hagg_isa, which init sets to hagg_isa();
 *  - in hagg_field_plugin, HAGG_KERNELS_MEMBERS replaces the members from add on.
 *
 * The context identifies the build by a number, because it must not contain pointers.
 */
#ifndef HAGG_KERNELS_H
#define HAGG_KERNELS_H

#include "cpu.h"
#include "plugin.h"

#define HAGG_KERNELS_BUILD extern __attribute__((visibility("hidden"))) const struct hagg_field

HAGG_KERNELS_BUILD hagg_kernels_portable;
#if defined(__x86_64__)
HAGG_KERNELS_BUILD hagg_kernels_avx2;
HAGG_KERNELS_BUILD hagg_kernels_avx512;
#endif

#undef HAGG_KERNELS_BUILD

static inline const struct hagg_field *hagg_kernels_chosen(const void *ctx)
{
    switch (*(const enum hagg_isa *)ctx) {
#if defined(__x86_64__)
    case HAGG_ISA_AVX512:
        return &hagg_kernels_avx512;
    case HAGG_ISA_AVX2:
        return &hagg_kernels_avx2;
#endif
    default:
        return &hagg_kernels_portable;
    }
}

static inline void hagg_kernels_add(const void *ctx, void *out, const void *a, const void *b,
                                    size_t n)
{
    hagg_kernels_chosen(ctx)->add(ctx, out, a, b, n);
}

static inline void hagg_kernels_sub(const void *ctx, void *out, const void *a, const void *b,
                                    size_t n)
{
    hagg_kernels_chosen(ctx)->sub(ctx, out, a, b, n);
}

static inline void hagg_kernels_scale_add(const void *ctx, void *out, const void *c, const void *a,
                                          size_t n)
{
    hagg_kernels_chosen(ctx)->scale_add(ctx, out, c, a, n);
}

static inline int hagg_kernels_inv(const void *ctx, void *out, const void *a)
{
    return hagg_kernels_chosen(ctx)->inv(ctx, out, a);
}

static inline size_t hagg_kernels_check(const void *ctx, const void *a, size_t n)
{
    return hagg_kernels_chosen(ctx)->check(ctx, a, n);
}

static inline size_t hagg_kernels_sample(const void *ctx, void *out, size_t n, const void *random,
                                         size_t n_random, size_t *used)
{
    return hagg_kernels_chosen(ctx)->sample(ctx, out, n, random, n_random, used);
}

static inline size_t hagg_kernels_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    return hagg_kernels_chosen(ctx)->from_int(ctx, out, in, n);
}

static inline void hagg_kernels_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    hagg_kernels_chosen(ctx)->to_int(ctx, out, in, n);
}

static inline void hagg_kernels_mat_apply(const void *ctx, void *const *out, size_t n_out,
                                          const void *const *in, size_t n_in, const void *matrix,
                                          size_t n)
{
    hagg_kernels_chosen(ctx)->mat_apply(ctx, out, n_out, in, n_in, matrix, n);
}

static inline size_t hagg_kernels_add_checked(const void *ctx, void *out, const void *a,
                                              const void *b, size_t n)
{
    const struct hagg_field *chosen = hagg_kernels_chosen(ctx);
    size_t good;

    /* missing in a file written for an earlier plugin.h */
    if (chosen->add_checked)
        return chosen->add_checked(ctx, out, a, b, n);
    good = chosen->check(ctx, b, n);
    if (good == n)
        chosen->add(ctx, out, a, b, n);
    return good;
}

#define HAGG_KERNELS_MEMBERS                                                                       \
    .add = hagg_kernels_add, .sub = hagg_kernels_sub, .scale_add = hagg_kernels_scale_add,         \
    .inv = hagg_kernels_inv, .check = hagg_kernels_check, .sample = hagg_kernels_sample,           \
    .from_int = hagg_kernels_from_int, .to_int = hagg_kernels_to_int,                              \
    .mat_apply = hagg_kernels_mat_apply, .add_checked = hagg_kernels_add_checked

#endif
