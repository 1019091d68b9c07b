/*
 * hagg/plugin.h - what a field or scheme plugin of hagg supplies.
 *
 * A plugin is one shared object, hagg-field-NAME.so or hagg-scheme-NAME.so, that exports one const
 * data symbol: hagg_field_plugin or hagg_scheme_plugin. It needs no symbol from the host. See
 * hagg-plugin(3) for the whole story and examples/plugin/ for two plugins that build from this
 * header alone.
 *
 * Rules for every function below, unless its comment says otherwise:
 *  - The caller owns every buffer; a plugin neither allocates what the host frees nor keeps a
 *    pointer after it returns.
 *  - An element is an unsigned integer below the field's order: 0 is its zero, 1 its one. Vectors
 *    are packed little-endian elements at any alignment. Use hagg_load and hagg_store.
 *  - Elements given to an arithmetic function are canonical, and so are those it returns.
 *  - An output may be the very same pointer as an input, but must not overlap one partly.
 *  - Functions may be called from several threads at once: no mutable globals.
 *  - Values are secret. No branch, index or division may depend on one where it can be avoided.
 */
#ifndef HAGG_PLUGIN_H
#define HAGG_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes only when an existing member changes its meaning. Structs grow at their end without it.
 */
#define HAGG_PLUGIN_ABI 1u

/* Room for a plugin's reason to refuse: one line, lower case, no full stop, NUL terminated. */
#define HAGG_WHY_SIZE 160

#define HAGG_PLUGIN_EXPORT __attribute__((visibility("default")))

/* One parameter of a field, from "name:key=value,key=value". The host sorts nothing: it refuses
 * keys that are not in ascending order, so that one field has one spelling. */
struct hagg_param {
    const char *key;
    const char *value;
};

/* What a field is. Frozen within an ABI version. */
struct hagg_field_info {
    uint64_t order;          /* how many elements; 2^64 and more cannot be said */
    uint64_t characteristic; /* prime; equal to order exactly when integer sums survive */
    int64_t int_min;         /* from_int accepts int_min .. int_max */
    int64_t int_max;
    uint32_t elem_size; /* bytes of one packed element: 1, 2, 4 or 8 */
};

struct hagg_field {
    uint32_t abi;        /* HAGG_PLUGIN_ABI */
    uint32_t size;       /* sizeof(struct hagg_field) where the plugin was compiled */
    const char *name;    /* [a-z0-9][a-z0-9-]{0,63}, as in hagg-field-NAME.so */
    const char *summary; /* one line for a person */
    size_t ctx_size;     /* bytes of context the host provides, 16-byte aligned; may be 0 */

    /* Reads the parameters, fills ctx and info. 0, or -1 with the reason in why. A parameter that
     * is unknown, missing or spelt in a second way ("p=07") is refused. ctx never changes
     * afterwards; it holds no pointer and is wiped and freed by the host, so nothing undoes init.
     */
    int (*init)(void *ctx, const struct hagg_param *params, size_t n_params,
                struct hagg_field_info *info, char why[HAGG_WHY_SIZE]);

    /* out[i] = a[i] + b[i], a[i] - b[i] */
    void (*add)(const void *ctx, void *out, const void *a, const void *b, size_t n);
    void (*sub)(const void *ctx, void *out, const void *a, const void *b, size_t n);

    /* out[i] += c * a[i] for the one element c, which does not overlap out. */
    void (*scale_add)(const void *ctx, void *out, const void *c, const void *a, size_t n);

    /* *out = 1 / *a; -1 and nothing written when a is zero. */
    int (*inv)(const void *ctx, void *out, const void *a);

    /* Index of the first element that is not canonical, n when all are. The only function whose
     * input may be any bytes. */
    size_t (*check)(const void *ctx, const void *a, size_t n);

    /* Turns uniform random bytes into exactly uniform elements, by rejection. Writes at most n
     * elements, returns how many, and says in *used how many bytes of random it consumed. It stops
     * when n are written or when what is left of random is too little for one more try, which is
     * elem_size bytes. Each try looks at elem_size fresh bytes; bytes that are a canonical element
     * give that element, so a known byte stream gives known elements. out may equal random. */
    size_t (*sample)(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used);

    /* Integers to elements. Index of the first integer outside int_min .. int_max, where it stops;
     * n when all are inside. 0 and 1 become the field's zero and one. Never aliased. */
    size_t (*from_int)(const void *ctx, void *out, const int64_t *in, size_t n);

    /* The inverse of from_int, defined for every element. Never aliased. */
    void (*to_int)(const void *ctx, int64_t *out, const void *in, size_t n);

    /* out[r][i] = sum over c of matrix[r * n_in + c] * in[c][i], for i < n. No output overlaps an
     * input or the matrix. n_in = 0 gives zeros. NULL: the host composes it from scale_add. */
    void (*mat_apply)(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n);
};

/* What a scheme needs for given (n, k, z). Frozen within an ABI version. */
struct hagg_scheme_shape {
    uint32_t parts;       /* the secret is cut into so many equal parts */
    uint32_t randoms;     /* and joined by so many uniform vectors of a part's length */
    uint32_t symbols;     /* a share is so many vectors of a part's length */
    uint32_t uses_points; /* 1: each holder has an evaluation point; 0: points are ignored */
};

struct hagg_scheme {
    uint32_t abi;        /* HAGG_PLUGIN_ABI */
    uint32_t size;       /* sizeof(struct hagg_scheme) where the plugin was compiled */
    const char *name;    /* [a-z0-9][a-z0-9-]{0,63}, as in hagg-scheme-NAME.so */
    const char *summary; /* one line for a person */

    /* Fills shape for n holders of whom any k decode and any z learn nothing. 0, or -1 with the
     * reason in why when the scheme has no such form. 1 <= k <= n and z < k hold already. */
    int (*shape)(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                 char why[HAGG_WHY_SIZE]);

    /* Fills matrix, n * symbols rows of parts + randoms elements: row u * symbols + s says how
     * symbol s of holder u (from 0) is made from the parts, then the random vectors. points has n
     * packed elements, or is NULL when uses_points is 0. 0, or -1 with the reason in why, for
     * instance for points that would disclose something. Only fields' own functions are called. */
    int (*matrix)(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                  const void *field_ctx, const struct hagg_field_info *info, const void *points,
                  void *matrix, char why[HAGG_WHY_SIZE]);
};

/* The symbols a plugin defines, one of the two. */
extern HAGG_PLUGIN_EXPORT const struct hagg_field hagg_field_plugin;
extern HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin;

/* Little-endian loads and stores at any alignment, for elements of 1, 2, 4 or 8 bytes. The builtin,
 * because a fortified memcpy keeps clang from making vector code. */
static inline uint16_t hagg_load16(const void *p)
{
    uint16_t v;
    __builtin_memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap16(v);
#endif
    return v;
}

static inline uint32_t hagg_load32(const void *p)
{
    uint32_t v;
    __builtin_memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    return v;
}

static inline uint64_t hagg_load64(const void *p)
{
    uint64_t v;
    __builtin_memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline void hagg_store16(void *p, uint16_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap16(v);
#endif
    __builtin_memcpy(p, &v, sizeof v);
}

static inline void hagg_store32(void *p, uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    __builtin_memcpy(p, &v, sizeof v);
}

static inline void hagg_store64(void *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    __builtin_memcpy(p, &v, sizeof v);
}

/* Element i of a vector whose elements have elem_size bytes. elem_size is a compile-time constant
 * in a kernel, so only one case remains. */
static inline uint64_t hagg_load(const void *vector, size_t i, size_t elem_size)
{
    const unsigned char *p = (const unsigned char *)vector + i * elem_size;

    switch (elem_size) {
    case 1:
        return p[0];
    case 2:
        return hagg_load16(p);
    case 4:
        return hagg_load32(p);
    default:
        return hagg_load64(p);
    }
}

static inline void hagg_store(void *vector, size_t i, size_t elem_size, uint64_t value)
{
    unsigned char *p = (unsigned char *)vector + i * elem_size;

    switch (elem_size) {
    case 1:
        p[0] = (unsigned char)value;
        break;
    case 2:
        hagg_store16(p, (uint16_t)value);
        break;
    case 4:
        hagg_store32(p, (uint32_t)value);
        break;
    default:
        hagg_store64(p, value);
        break;
    }
}

#ifdef __cplusplus
}
#endif

#endif
