/*
 * hagg/plugin.h - the interface of a field or scheme plugin of hagg.
 *
 * A plugin is one shared object, hagg-field-NAME.so or hagg-scheme-NAME.so, that exports one const
 * data symbol: hagg_field_plugin or hagg_scheme_plugin. It needs no symbol from the host. See
 * hagg-plugin(3) for the full description and examples/plugin/ for two plugins that build from
 * this header alone.
 *
 * Rules for every function below, unless its comment states otherwise:
 *  - The caller owns every buffer. A plugin allocates nothing for the host to free, and keeps no
 *    pointer after it returns.
 *  - An element is an unsigned integer less than the order of the field; 0 is the field's zero, 1
 *    its one. Vectors are packed little-endian elements at any alignment. Use hagg_load and
 *    hagg_store.
 *  - Elements passed to an arithmetic function are canonical, which means less than the order. The
 *    elements that it returns must be canonical too.
 *  - An output may be the same pointer as an input, but never partly overlaps one.
 *  - Functions may be called from several threads at once: no mutable globals.
 *  - Values are secret. No branch, index or division may depend on one where this can be avoided.
 */
#ifndef HAGG_PLUGIN_H
#define HAGG_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes only if an existing member changes its meaning. New members at the end of a struct do not
 * change it. */
#define HAGG_PLUGIN_ABI 1u

/* Size of the buffer for a plugin's reason to refuse: one line, lower case, no full stop, NUL
 * terminated. */
#define HAGG_WHY_SIZE 160

/* Before the definition of a plugin's symbol. In C++ it is empty: there a const object is local to
 * its file until the compiler reads its name, so it would ignore the attribute, with a warning. The
 * declarations at the end of this header have the attribute too, which is enough. */
#ifdef __cplusplus
#define HAGG_PLUGIN_EXPORT
#else
#define HAGG_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* One parameter of a field or scheme, from "name:key=value,key=value". The host does not sort: it
 * refuses keys that are not in ascending order, so that each has only one spelling. */
struct hagg_param {
    const char *key;
    const char *value;
};

/* The properties of a field. Frozen within an ABI version. */
struct hagg_field_info {
    uint64_t order;          /* number of elements, 2 to 2^64 - 1 */
    uint64_t characteristic; /* prime; equals order exactly if sums of integers are preserved */
    int64_t int_min;         /* from_int accepts int_min .. int_max */
    int64_t int_max;
    uint32_t elem_size; /* bytes of one packed element: 1, 2, 4 or 8 */
};

struct hagg_field {
    uint32_t abi;        /* HAGG_PLUGIN_ABI */
    uint32_t size;       /* sizeof(struct hagg_field) when the plugin was compiled */
    const char *name;    /* [a-z0-9][a-z0-9-]{0,63}, as in hagg-field-NAME.so */
    const char *summary; /* description in one line */
    size_t ctx_size;     /* bytes of context that the host provides, 16-byte aligned; may be 0 */

    /* Reads the parameters and fills ctx and info. Returns 0, or -1 with the reason in why. Refuses
     * a parameter that is unknown, missing or spelt in a second way ("p=07"). ctx never changes
     * afterwards. It must contain no pointer: the host wipes and frees it without calling the
     * plugin. */
    int (*init)(void *ctx, const struct hagg_param *params, size_t n_params,
                struct hagg_field_info *info, char why[HAGG_WHY_SIZE]);

    /* out[i] = a[i] + b[i], a[i] - b[i] */
    void (*add)(const void *ctx, void *out, const void *a, const void *b, size_t n);
    void (*sub)(const void *ctx, void *out, const void *a, const void *b, size_t n);

    /* out[i] += c * a[i] for the single element c, which does not overlap out. */
    void (*scale_add)(const void *ctx, void *out, const void *c, const void *a, size_t n);

    /* *out = 1 / *a. Returns 0, or -1 without writing anything if a is zero. */
    int (*inv)(const void *ctx, void *out, const void *a);

    /* Returns the index of the first element that is not canonical, or n if all are. Only check,
     * sample and add_checked must accept arbitrary bytes as input. */
    size_t (*check)(const void *ctx, const void *a, size_t n);

    /* Converts uniform random bytes to exactly uniform elements, by rejection. Each try consumes
     * the next elem_size bytes; bytes that are a canonical element give that element, so a known
     * byte stream gives known elements. Stops when n elements are written or when fewer than
     * elem_size bytes are left. Returns the number of elements written and sets *used to the number
     * of bytes consumed. out may equal random. */
    size_t (*sample)(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used);

    /* Converts integers to elements. Stops at the first integer outside int_min .. int_max and
     * returns its index; returns n if there is none. 0 and 1 become the field's zero and one. in
     * and out do not overlap. */
    size_t (*from_int)(const void *ctx, void *out, const int64_t *in, size_t n);

    /* The inverse of from_int, defined for every element. in and out do not overlap. */
    void (*to_int)(const void *ctx, int64_t *out, const void *in, size_t n);

    /* out[r][i] = sum over c of matrix[r * n_in + c] * in[c][i], for i < n. No output overlaps an
     * input, the matrix or another output. n_in = 0 gives zeros. May be NULL: the host then uses
     * scale_add. */
    void (*mat_apply)(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n);

    /* check of b and add in one pass: out[i] = a[i] + b[i], where a is canonical and b arbitrary
     * bytes. Returns the index of the first element of b that is not canonical, or n if all are. If
     * the result is less than n, the content of out is undefined. out may equal a, but not b. If
     * this is NULL or the plugin's struct ends before it, the host uses check and add. */
    size_t (*add_checked)(const void *ctx, void *out, const void *a, const void *b, size_t n);
};

/* The dimensions of a scheme for given (n, k, z). Frozen within an ABI version. */
struct hagg_scheme_shape {
    uint32_t parts;       /* number of equal parts into which the secret is cut */
    uint32_t randoms;     /* number of uniformly random vectors, each as long as a part */
    uint32_t symbols;     /* number of vectors in a share, each as long as a part */
    uint32_t uses_points; /* 1: each holder has an evaluation point; 0: points are ignored */
};

/* A prefix of the shares of a scheme: any `holders` holders decode from the first `symbols` symbols
 * of each of their shares. These symbols depend on the parts, and on the first holders * symbols -
 * parts random vectors only. Frozen within an ABI version. */
struct hagg_scheme_prefix {
    uint32_t holders; /* more than k, at most n */
    uint32_t symbols; /* fewer than a share has */
};

/* Most prefixes of a scheme. */
#define HAGG_SCHEME_PREFIXES 8

/* One block of an aligned sharing: consecutive segments of a vector, shared among some of the
 * stations of a network. All points are distinct. Frozen within an ABI version. */
struct hagg_scheme_block {
    uint32_t n_holders; /* stations that get a value */
    uint32_t n_others;  /* stations that get none, because their value is always zero */
    uint32_t n_parts;   /* segments of the block */
    uint32_t n_randoms; /* uniformly random vectors, each as long as a segment */
    const void *holders, *others, *parts; /* the points of these, packed elements */
};

struct hagg_scheme {
    uint32_t abi;        /* HAGG_PLUGIN_ABI */
    uint32_t size;       /* sizeof(struct hagg_scheme) when the plugin was compiled */
    const char *name;    /* [a-z0-9][a-z0-9-]{0,63}, as in hagg-scheme-NAME.so */
    const char *summary; /* description in one line */

    /* Fills shape for n holders, any k of whom can decode and any z of whom learn nothing. Returns
     * 0, or -1 with the reason in why if the scheme does not support these numbers. The host has
     * checked that 1 <= k <= n <= 65535 and z < k. */
    int (*shape)(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                 char why[HAGG_WHY_SIZE]);

    /* Fills matrix with n * symbols rows of parts + randoms elements. Row u * symbols + s contains
     * the coefficients of symbol s of holder u, both counted from 0: first the factors of the
     * parts, then those of the random vectors. points has n packed elements, or is NULL if
     * uses_points is 0. Returns 0, or -1 with the reason in why, for instance if the points would
     * reveal something. Calls only functions of the field. */
    int (*matrix)(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                  const void *field_ctx, const struct hagg_field_info *info, const void *points,
                  void *matrix, char why[HAGG_WHY_SIZE]);

    /* Fills matrix with n_holders rows of n_parts + n_randoms elements: the coefficients of the
     * value of each holder, first the factors of the parts, then those of the random vectors. The
     * values are those of a polynomial of degree below n_others + n_parts + n_randoms that is zero
     * at the points of the others and equals part j at the point of part j, so that sums of blocks
     * with different holders are such polynomials too. Any n_randoms holders learn nothing. Returns
     * 0, or -1 with the reason in why. Calls only functions of the field. If this is NULL or the
     * plugin's struct ends before it, the scheme cannot be used with protocol aligned. */
    int (*block)(const struct hagg_scheme_block *block, const struct hagg_field *field,
                 const void *field_ctx, const struct hagg_field_info *info, void *matrix,
                 char why[HAGG_WHY_SIZE]);

    /* shape and matrix for a scheme with parameters, "name:key=value,...", or whose shares have
     * prefixes. The host then calls these two instead. shape_with also fills prefixes and
     * *n_prefixes, by ascending symbols and descending holders. It refuses a parameter that is
     * unknown or spelt in a second way, so that a scheme has only one name. If they are NULL or the
     * plugin's struct ends before them, the scheme has no parameters and no prefixes. */
    int (*shape_with)(const struct hagg_param *params, size_t n_params, uint32_t n, uint32_t k,
                      uint32_t z, struct hagg_scheme_shape *shape,
                      struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES],
                      uint32_t *n_prefixes, char why[HAGG_WHY_SIZE]);
    int (*matrix_with)(const struct hagg_param *params, size_t n_params, uint32_t n, uint32_t k,
                       uint32_t z, const struct hagg_field *field, const void *field_ctx,
                       const struct hagg_field_info *info, const void *points, void *matrix,
                       char why[HAGG_WHY_SIZE]);
};

/* A plugin defines one of these two symbols. */
extern __attribute__((visibility("default"))) const struct hagg_field hagg_field_plugin;
extern __attribute__((visibility("default"))) const struct hagg_scheme hagg_scheme_plugin;

/* Little-endian loads and stores at any alignment, for elements of 1, 2, 4 or 8 bytes. They use the
 * builtin because a fortified memcpy keeps clang from vectorising. */
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

/* Returns element i of a vector whose elements have elem_size bytes. In a kernel elem_size is a
 * compile-time constant, so only one case remains. */
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
