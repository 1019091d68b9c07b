/*
 * Sharings that can be added although their holders differ, docs/aligned.md. A value is that of a
 * polynomial f = Z * (L + B * R) at the holder's point: Z is zero at the points of the others, B at
 * those of the parts, L has the least degree with which f equals part j at the point of part j, and
 * R has the random vectors as coefficients, lowest first. Without others this is Lagrange coding.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hagg/plugin.h>

/* A field as the plugin gets it. */
struct arithmetic {
    const struct hagg_field *field;
    const void *ctx;
    size_t size; /* of an element */
};

static void multiply(const struct arithmetic *f, unsigned char *out, const void *a, const void *b)
{
    unsigned char product[8] = { 0 };

    f->field->scale_add(f->ctx, product, a, b, 1);
    memcpy(out, product, f->size);
}

/* Multiplies out by x - p for each of the n points p, except number `but`. */
static void multiply_differences(const struct arithmetic *f, unsigned char *out,
                                 const unsigned char *x, const unsigned char *points, uint32_t n,
                                 uint32_t but)
{
    unsigned char difference[8];

    for (uint32_t i = 0; i < n; i++) {
        if (i == but)
            continue;
        f->field->sub(f->ctx, difference, x, points + i * f->size, 1);
        multiply(f, out, out, difference);
    }
}

static void set_one(const struct arithmetic *f, unsigned char *out)
{
    const int64_t one = 1;

    f->field->from_int(f->ctx, out, &one, 1);
}

/* Returns -1 if two points are equal. Elements are canonical, so their bytes are compared. */
static int check_distinct(const struct hagg_scheme_block *b, size_t size, char why[HAGG_WHY_SIZE])
{
    const unsigned char *const lists[] = { b->parts, b->holders, b->others };
    const uint32_t counts[] = { b->n_parts, b->n_holders, b->n_others };

    for (size_t i = 0; i < 3; i++)
        for (uint32_t u = 0; u < counts[i]; u++)
            for (size_t j = 0; j <= i && j < 2; j++)
                for (uint32_t v = 0; v < (i == j ? u : counts[j]); v++)
                    if (memcmp(lists[i] + u * size, lists[j] + v * size, size) == 0) {
                        snprintf(why, HAGG_WHY_SIZE, "two points are equal");
                        return -1;
                    }
    return 0;
}

/* The columns of the parts: Z(a) * B(a) / (a - p) divided by the same at a = p, where B(p) / (p -
 * p) is the product of the other differences. */
static int fill_parts(const struct arithmetic *f, const struct hagg_scheme_block *b,
                      unsigned char *matrix, char why[HAGG_WHY_SIZE])
{
    size_t n_cols = (size_t)b->n_parts + b->n_randoms;
    const unsigned char *parts = b->parts, *holders = b->holders;

    for (uint32_t j = 0; j < b->n_parts; j++) {
        unsigned char scale[8] = { 0 };

        set_one(f, scale);
        multiply_differences(f, scale, parts + j * f->size, parts, b->n_parts, j);
        multiply_differences(f, scale, parts + j * f->size, b->others, b->n_others, UINT32_MAX);
        if (f->field->inv(f->ctx, scale, scale)) {
            snprintf(why, HAGG_WHY_SIZE, "two points are equal");
            return -1;
        }
        for (uint32_t u = 0; u < b->n_holders; u++) {
            unsigned char *entry = matrix + (u * n_cols + j) * f->size;

            memcpy(entry, scale, f->size);
            multiply_differences(f, entry, holders + u * f->size, parts, b->n_parts, j);
        }
    }
    return 0;
}

static int aligned_block(const struct hagg_scheme_block *b, const struct hagg_field *field,
                         const void *field_ctx, const struct hagg_field_info *info, void *matrix,
                         char why[HAGG_WHY_SIZE])
{
    const struct arithmetic f = { field, field_ctx, info->elem_size };
    size_t n_cols = (size_t)b->n_parts + b->n_randoms;
    const unsigned char *holders = b->holders;

    if (check_distinct(b, f.size, why) || fill_parts(&f, b, matrix, why))
        return -1;
    for (uint32_t u = 0; u < b->n_holders; u++) {
        unsigned char *row = (unsigned char *)matrix + u * n_cols * f.size, vanishing[8] = { 0 };
        const unsigned char *point = holders + u * f.size;

        set_one(&f, vanishing);
        multiply_differences(&f, vanishing, point, b->others, b->n_others, UINT32_MAX);
        for (uint32_t j = 0; j < b->n_parts; j++)
            multiply(&f, row + j * f.size, row + j * f.size, vanishing);
        multiply_differences(&f, vanishing, point, b->parts, b->n_parts, UINT32_MAX);
        for (uint32_t m = 0; m < b->n_randoms; m++) {
            memcpy(row + (b->n_parts + m) * f.size, vanishing, f.size);
            multiply(&f, vanishing, vanishing, point);
        }
    }
    return 0;
}

static int aligned_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                         char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)why;
    *shape =
        (struct hagg_scheme_shape){ .parts = k - z, .randoms = z, .symbols = 1, .uses_points = 1 };
    return 0;
}

static int is_point(uint64_t element, const unsigned char *points, uint32_t n, size_t size)
{
    for (uint32_t u = 0; u < n; u++)
        if (hagg_load(points, u, size) == element)
            return 1;
    return 0;
}

/* Without a network, the parts have the least elements that are not the point of a holder. */
static int aligned_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                          const void *field_ctx, const struct hagg_field_info *info,
                          const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    unsigned char *parts = malloc((size_t)(k - z) * info->elem_size);
    const struct hagg_scheme_block block = {
        .n_holders = n,
        .n_parts = k - z,
        .n_randoms = z,
        .holders = points,
        .parts = parts,
    };
    uint64_t element = 0;
    int status = parts ? 0 : -1;

    if (!parts)
        snprintf(why, HAGG_WHY_SIZE, "out of memory");
    for (uint32_t j = 0; j < block.n_parts && status == 0; j++, element++) {
        while (element < info->order && is_point(element, points, n, info->elem_size))
            element++;
        if (element < info->order)
            hagg_store(parts, j, info->elem_size, element);
        else {
            snprintf(why, HAGG_WHY_SIZE,
                     "%" PRIu32 " holders and %" PRIu32 " parts need as many distinct points", n,
                     block.n_parts);
            status = -1;
        }
    }
    if (status == 0)
        status = aligned_block(&block, field, field_ctx, info, matrix, why);
    free(parts);
    return status;
}

HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_scheme),
    .name = "aligned",
    .summary = "polynomials that are zero at the stations a client does not use",
    .shape = aligned_shape,
    .matrix = aligned_matrix,
    .block = aligned_block,
};
