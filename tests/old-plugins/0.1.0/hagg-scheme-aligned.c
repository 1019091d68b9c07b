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

/* Multiplies out by x - p for each of the n points p, except number `but`. scratch has room for
 * twice n elements. */
static void multiply_differences(const struct arithmetic *f, unsigned char *out,
                                 const unsigned char *x, const unsigned char *points, uint32_t n,
                                 uint32_t but, unsigned char *scratch)
{
    unsigned char *differences = scratch + n * f->size;

    for (uint32_t i = 0; i < n; i++)
        memcpy(scratch + i * f->size, x, f->size);
    f->field->sub(f->ctx, differences, scratch, points, n);
    for (uint32_t i = 0; i < n; i++)
        if (i != but)
            multiply(f, out, out, differences + i * f->size);
}

static void set_one(const struct arithmetic *f, unsigned char *out)
{
    const int64_t one = 1;

    f->field->from_int(f->ctx, out, &one, 1);
}

static int is_zero(const struct arithmetic *f, const unsigned char *a)
{
    static const unsigned char zero[8];

    return memcmp(a, zero, f->size) == 0;
}

/* Elements are canonical, so their bytes are compared. */
static int are_distinct(const unsigned char *points, uint32_t n, size_t size)
{
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < u; v++)
            if (memcmp(points + u * size, points + v * size, size) == 0)
                return 0;
    return 1;
}

/* Writes to the column of part j, at every holder, what does not depend on the holder: 1 divided by
 * Z and by the product of the other differences, at the point of the part. Returns -1 if two points
 * are equal. */
static int scale_part(const struct arithmetic *f, const struct hagg_scheme_block *b, uint32_t j,
                      unsigned char *matrix, unsigned char *scratch)
{
    const unsigned char *point = (const unsigned char *)b->parts + j * f->size;
    size_t n_cols = (size_t)b->n_parts + b->n_randoms;
    unsigned char scale[8] = { 0 };

    set_one(f, scale);
    multiply_differences(f, scale, point, b->parts, b->n_parts, j, scratch);
    multiply_differences(f, scale, point, b->others, b->n_others, UINT32_MAX, scratch);
    if (f->field->inv(f->ctx, scale, scale))
        return -1;
    for (uint32_t u = 0; u < b->n_holders; u++)
        memcpy(matrix + (u * n_cols + j) * f->size, scale, f->size);
    return 0;
}

/* Completes the row of a holder at the point a, where the parts have their scales: the entry of a
 * part is its scale times Z(a) B(a) / (a - its point), and those of the random vectors are Z(a)
 * B(a), Z(a) B(a) a, .. The product of the other differences is that of the ones before, and of the
 * ones after. Returns -1 if two points are equal. */
static int fill_row(const struct arithmetic *f, const struct hagg_scheme_block *b,
                    const unsigned char *point, unsigned char *row, unsigned char *scratch)
{
    unsigned char before[8] = { 0 }, after[8] = { 0 }, *differences = scratch;

    set_one(f, before);
    set_one(f, after);
    multiply_differences(f, before, point, b->others, b->n_others, UINT32_MAX, scratch);
    for (uint32_t j = 0; j < b->n_parts; j++)
        f->field->sub(f->ctx, differences + j * f->size, point,
                      (const unsigned char *)b->parts + j * f->size, 1);
    for (uint32_t j = 0; j < b->n_parts; j++) {
        multiply(f, row + j * f->size, row + j * f->size, before);
        multiply(f, before, before, differences + j * f->size);
    }
    for (uint32_t j = b->n_parts; j-- > 0;) {
        multiply(f, row + j * f->size, row + j * f->size, after);
        multiply(f, after, after, differences + j * f->size);
    }
    if (is_zero(f, before))
        return -1;
    for (uint32_t m = 0; m < b->n_randoms; m++) {
        memcpy(row + (b->n_parts + m) * f->size, before, f->size);
        multiply(f, before, before, point);
    }
    return 0;
}

static int aligned_block(const struct hagg_scheme_block *b, const struct hagg_field *field,
                         const void *field_ctx, const struct hagg_field_info *info, void *matrix,
                         char why[HAGG_WHY_SIZE])
{
    const struct arithmetic f = { field, field_ctx, info->elem_size };
    size_t row_bytes = ((size_t)b->n_parts + b->n_randoms) * f.size;
    unsigned char *scratch = malloc(2 * ((size_t)b->n_parts + b->n_others) * f.size + 1);
    int status = scratch && are_distinct(b->holders, b->n_holders, f.size) ? 0 : -1;

    for (uint32_t j = 0; j < b->n_parts && status == 0; j++)
        status = scale_part(&f, b, j, matrix, scratch);
    for (uint32_t u = 0; u < b->n_holders && status == 0; u++)
        status = fill_row(&f, b, (const unsigned char *)b->holders + u * f.size,
                          (unsigned char *)matrix + u * row_bytes, scratch);
    if (status)
        snprintf(why, HAGG_WHY_SIZE, "%s", scratch ? "two points are equal" : "out of memory");
    free(scratch);
    return status;
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
