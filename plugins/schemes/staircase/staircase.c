/*
 * Staircase sharing, docs/staircase.md: any k of n holders decode, and more than k holders send
 * less.
 *
 * Each symbol of a share is a ramp share of some of the parts. A symbol of width w is the value, at
 * the holder's point, of a polynomial with w coefficients: z random vectors of its own, then w - z
 * parts. The first symbols have width n, or n minus the smallest number of missing holders, and
 * contain every part once. So that fewer holders can decode them too, the symbols after them, of
 * the next smaller width, repeat the parts that have the highest coefficients, and so on down to k.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hagg/plugin.h>

/* Numbers of missing holders other than n - k. */
#define MAX_MISSING 3

struct staircase {
    uint32_t n_widths;
    uint32_t widths[MAX_MISSING + 1]; /* descending; the last is k */
    uint32_t ends[MAX_MISSING + 1];   /* symbols up to the last of this width */
    struct hagg_scheme_shape shape;
};

/* Reads numbers that ascend, separated by points, in their only spelling. */
static int read_missing(const char *text, uint32_t *missing, uint32_t *n)
{
    for (*n = 0; *n < MAX_MISSING; text++) {
        uint32_t value = 0;

        if (*text < '0' || *text > '9' || (*text == '0' && text[1] >= '0' && text[1] <= '9'))
            return -1;
        for (; *text >= '0' && *text <= '9'; text++) {
            value = value * 10 + (uint32_t)(*text - '0');
            if (value > 65535)
                return -1;
        }
        if (*n > 0 && missing[*n - 1] >= value)
            return -1;
        missing[(*n)++] = value;
        if (!*text)
            return 0;
        if (*text != '.')
            return -1;
    }
    return -1;
}

/* Without a parameter no holder is missing. */
static int read_params(const struct hagg_param *params, size_t n_params, uint32_t *missing,
                       uint32_t *n, char why[HAGG_WHY_SIZE])
{
    *n = 1;
    missing[0] = 0;
    if (n_params == 0)
        return 0;
    if (n_params > 1 || strcmp(params[0].key, "missing"))
        snprintf(why, HAGG_WHY_SIZE, "the only parameter is missing=NUMBERS");
    else if (read_missing(params[0].value, missing, n))
        snprintf(why, HAGG_WHY_SIZE,
                 "'%.20s' is not one to %d ascending numbers of missing holders, such as 0.2",
                 params[0].value, MAX_MISSING);
    else if (*n == 1 && missing[0] == 0)
        snprintf(why, HAGG_WHY_SIZE, "missing=0 is the default: omit it");
    else
        return 0;
    return -1;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The shape of the staircase. Its symbols are the least number with which each prefix has a whole
 * number of them. */
static int set_widths(struct staircase *s, const uint32_t *missing, uint32_t n_missing, uint32_t n,
                      uint32_t k, uint32_t z, char why[HAGG_WHY_SIZE])
{
    uint64_t symbols = 1;

    *s = (struct staircase){ .n_widths = n_missing + 1 };
    if (missing[n_missing - 1] >= n - k) {
        if (n == k)
            snprintf(why, HAGG_WHY_SIZE,
                     "all holders are needed, so none can be missing: use ramp, or a smaller k");
        else
            snprintf(why, HAGG_WHY_SIZE,
                     "with %" PRIu32 " holder%s missing, the others send whole shares: use numbers "
                     "below %" PRIu32,
                     missing[n_missing - 1], missing[n_missing - 1] == 1 ? "" : "s", n - k);
        return -1;
    }
    for (uint32_t i = 0; i < n_missing; i++) {
        uint64_t parts = n - missing[i] - z;

        s->widths[i] = n - missing[i];
        symbols *= parts / gcd(symbols, parts);
        if (symbols * k > 65535) {
            snprintf(why, HAGG_WHY_SIZE,
                     "a share would have too many symbols: use fewer holders, or fewer numbers of "
                     "missing ones");
            return -1;
        }
    }
    s->widths[n_missing] = k;
    for (uint32_t i = 0; i <= n_missing; i++)
        s->ends[i] = (uint32_t)symbols * (k - z) / (s->widths[i] - z);
    s->shape = (struct hagg_scheme_shape){
        .parts = (uint32_t)symbols * (k - z),
        .randoms = (uint32_t)symbols * z,
        .symbols = (uint32_t)symbols,
        .uses_points = 1,
    };
    return 0;
}

static int staircase_new(struct staircase *s, const struct hagg_param *params, size_t n_params,
                         uint32_t n, uint32_t k, uint32_t z, char why[HAGG_WHY_SIZE])
{
    uint32_t missing[MAX_MISSING], n_missing;

    return read_params(params, n_params, missing, &n_missing, why) ||
                   set_widths(s, missing, n_missing, n, k, z, why)
               ? -1
               : 0;
}

/* Numbers of the parts in each symbol, lowest coefficient first: widths[0] - z for each. */
struct parts_of {
    uint32_t *numbers;
    uint32_t stride;
};

static uint32_t *part_at(const struct parts_of *p, uint32_t symbol, uint32_t i)
{
    return p->numbers + (size_t)symbol * p->stride + i;
}

/* Fills the symbols width by width. The coefficients of all symbols before that are beyond the next
 * width are what its symbols repeat, symbol by symbol. */
static void place_parts(const struct staircase *s, uint32_t z, const struct parts_of *p)
{
    uint32_t next = 0;

    for (uint32_t symbol = 0; symbol < s->ends[0]; symbol++)
        for (uint32_t i = 0; i < s->widths[0] - z; i++)
            *part_at(p, symbol, i) = next++;
    for (uint32_t w = 1; w < s->n_widths; w++) {
        uint32_t to = s->ends[w - 1], at = 0;

        for (uint32_t symbol = 0; symbol < s->ends[w - 1]; symbol++)
            for (uint32_t i = s->widths[w] - z; i < s->widths[w - 1] - z; i++) {
                *part_at(p, to, at++) = *part_at(p, symbol, i);
                if (at == s->widths[w] - z) {
                    at = 0;
                    to++;
                }
            }
    }
}

/* Writes the powers of the point to the entries of a symbol. */
static void fill_row(const struct staircase *s, uint32_t z, const struct parts_of *p,
                     uint32_t symbol, const struct hagg_field *field, const void *field_ctx,
                     size_t size, const void *point, unsigned char *row)
{
    unsigned char power[8] = { 0 };
    const int64_t one = 1;
    uint32_t width = 0;

    while (symbol >= s->ends[width])
        width++;
    field->from_int(field_ctx, power, &one, 1);
    for (uint32_t i = 0; i < s->widths[width]; i++) {
        uint32_t column = i < z ? s->shape.parts + symbol * z + i : *part_at(p, symbol, i - z);
        unsigned char product[8] = { 0 };

        memcpy(row + column * size, power, size);
        field->scale_add(field_ctx, product, power, point, 1);
        memcpy(power, product, size);
    }
}

/* Equal points give equal shares. At zero only the lowest coefficient counts, so without random
 * vectors a holder there would have too little. Elements are canonical, so their bytes are
 * compared. */
static int check_points(const unsigned char *points, uint32_t n, size_t size,
                        char why[HAGG_WHY_SIZE])
{
    static const unsigned char zero[8];

    for (uint32_t u = 0; u < n; u++) {
        if (memcmp(points + u * size, zero, size) == 0) {
            snprintf(why, HAGG_WHY_SIZE, "the point of holder %" PRIu32 " of %" PRIu32 " is zero",
                     u + 1, n);
            return -1;
        }
        for (uint32_t v = 0; v < u; v++)
            if (memcmp(points + u * size, points + v * size, size) == 0) {
                snprintf(why, HAGG_WHY_SIZE,
                         "holders %" PRIu32 " and %" PRIu32 " of %" PRIu32 " have the same point",
                         v + 1, u + 1, n);
                return -1;
            }
    }
    return 0;
}

static int staircase_shape_with(const struct hagg_param *params, size_t n_params, uint32_t n,
                                uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                                struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES],
                                uint32_t *n_prefixes, char why[HAGG_WHY_SIZE])
{
    struct staircase s;

    if (staircase_new(&s, params, n_params, n, k, z, why))
        return -1;
    *shape = s.shape;
    *n_prefixes = s.n_widths - 1;
    for (uint32_t i = 0; i < *n_prefixes; i++)
        prefixes[i] = (struct hagg_scheme_prefix){ s.widths[i], s.ends[i] };
    return 0;
}

static int staircase_matrix_with(const struct hagg_param *params, size_t n_params, uint32_t n,
                                 uint32_t k, uint32_t z, const struct hagg_field *field,
                                 const void *field_ctx, const struct hagg_field_info *info,
                                 const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    const size_t size = info->elem_size;
    struct parts_of parts = { 0 };
    size_t row_bytes;
    struct staircase s;

    if (staircase_new(&s, params, n_params, n, k, z, why) || check_points(points, n, size, why))
        return -1;
    parts.stride = s.widths[0] - z;
    parts.numbers = calloc((size_t)s.shape.symbols * parts.stride, sizeof *parts.numbers);
    if (!parts.numbers) {
        snprintf(why, HAGG_WHY_SIZE, "out of memory");
        return -1;
    }
    place_parts(&s, z, &parts);
    row_bytes = ((size_t)s.shape.parts + s.shape.randoms) * size;
    memset(matrix, 0, (size_t)n * s.shape.symbols * row_bytes);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t symbol = 0; symbol < s.shape.symbols; symbol++)
            fill_row(&s, z, &parts, symbol, field, field_ctx, size,
                     (const unsigned char *)points + u * size,
                     (unsigned char *)matrix + ((size_t)u * s.shape.symbols + symbol) * row_bytes);
    free(parts.numbers);
    return 0;
}

/* For a host that knows no parameters and no prefixes. */
static int staircase_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                           char why[HAGG_WHY_SIZE])
{
    struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES];
    uint32_t n_prefixes;

    return staircase_shape_with(NULL, 0, n, k, z, shape, prefixes, &n_prefixes, why);
}

static int staircase_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                            const void *field_ctx, const struct hagg_field_info *info,
                            const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    return staircase_matrix_with(NULL, 0, n, k, z, field, field_ctx, info, points, matrix, why);
}

HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_scheme),
    .name = "staircase",
    .summary = "as ramp, but the more of the holders decode, the less each of them sends",
    .shape = staircase_shape,
    .matrix = staircase_matrix,
    .shape_with = staircase_shape_with,
    .matrix_with = staircase_matrix_with,
};
