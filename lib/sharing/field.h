/*
 * field.h - a finite field, loaded from a plugin by its specification ("m31", "prime:p=1000003").
 *
 * Vectors are packed little-endian elements at any alignment. hagg/plugin.h has the contracts of
 * the operations.
 */
#ifndef HAGG_FIELD_H
#define HAGG_FIELD_H

#include "err.h"
#include "format_limits.h"
#include "hagg/plugin.h"
#include "sharing/plugin.h"

struct field {
    struct plugin plugin;
    struct hagg_field ops;
    struct hagg_field_info info;
    void *ctx;
    char spec[LIMIT_SPEC + 1]; /* equal fields have equal specifications */
};

/* HAGG_E_USAGE if spec is malformed or the plugin refuses its parameters; HAGG_E_SYSTEM if the
 * plugin cannot be loaded. */
struct field *field_open(const char *spec, struct hagg_err *err);

/* f may be NULL. */
void field_free(struct field *f);

static inline size_t field_elem_size(const struct field *f)
{
    return f->info.elem_size;
}

static inline void field_add(const struct field *f, void *out, const void *a, const void *b,
                             size_t n)
{
    f->ops.add(f->ctx, out, a, b, n);
}

static inline void field_sub(const struct field *f, void *out, const void *a, const void *b,
                             size_t n)
{
    f->ops.sub(f->ctx, out, a, b, n);
}

/* out[i] += c * a[i] */
static inline void field_scale_add(const struct field *f, void *out, const void *c, const void *a,
                                   size_t n)
{
    f->ops.scale_add(f->ctx, out, c, a, n);
}

/* Returns -1 if *a is zero. */
static inline int field_inv(const struct field *f, void *out, const void *a)
{
    return f->ops.inv(f->ctx, out, a);
}

/* Replaces n elements by their inverses, with one inversion and three products for each. scratch
 * has room for n elements. Returns -1 if one of them is zero; then the elements are undefined. */
int field_inv_all(const struct field *f, void *elems, size_t n, void *scratch);

/* Returns the index of the first element that is not canonical, or n. a may be any bytes. */
static inline size_t field_check(const struct field *f, const void *a, size_t n)
{
    return f->ops.check(f->ctx, a, n);
}

/* Computes out[i] = a[i] + b[i] and checks b, which may be any bytes, in one pass. Returns the
 * index of the first element of b that is not canonical, or n; if less than n, the content of out
 * is undefined. out may equal a, but not b. */
size_t field_add_checked(const struct field *f, void *out, const void *a, const void *b, size_t n);

/* Returns the index of the first integer that the field cannot represent, or n. */
static inline size_t field_from_int(const struct field *f, void *out, const int64_t *in, size_t n)
{
    return f->ops.from_int(f->ctx, out, in, n);
}

static inline void field_to_int(const struct field *f, int64_t *out, const void *in, size_t n)
{
    f->ops.to_int(f->ctx, out, in, n);
}

/* out[r][i] = sum over c of matrix[r * n_in + c] * in[c][i]; no output overlaps an input. */
void field_mat_apply(const struct field *f, void *const *out, size_t n_out, const void *const *in,
                     size_t n_in, const void *matrix, size_t n);

/* out = a * b for one element; out may equal a or b. */
void field_mul(const struct field *f, void *out, const void *a, const void *b);

#endif
