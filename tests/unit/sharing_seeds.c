/* Shares that are the expansions of seeds. */
#include "sharing/expand.h"

#include "split.h"

static struct scheme *ramp;

static struct expand *expansion(unsigned char first)
{
    unsigned char seed[EXPAND_SEED_BYTES] = { first };
    struct hagg_err err = { 0 };

    return expand_new(field, seed, &err);
}

/* Holders 1 and 3 have seeds: their shares are the expansions, counted over all blocks, and the
 * share of holder 2 is drawn. All decode, with threads and without. */
static void expands_seeds(size_t part_length)
{
    enum { BLOCKS = 3, N = 6, Z = 3 };
    static const unsigned char first[EXPAND_SEED_BYTES] = { 1 }, third[EXPAND_SEED_BYTES] = { 3 };
    static const bool draw[N] = { true, true, true };
    const unsigned char *const seeds[N] = { first, NULL, third };
    size_t size = field_elem_size(field), n_columns = BLOCKS * part_length;
    struct hagg_err err = { 0 };
    struct parallel *pool = parallel_new(3, &err);
    struct sharing sharings[BLOCKS];
    const struct sharing *blocks[BLOCKS];
    unsigned char *parts = random_parts(6 * part_length), *rows[2], *want = calloc(n_columns, size);

    for (uint32_t b = 0; b < BLOCKS; b++) {
        CHECK(sharing_new(&sharings[b], field, ramp, N, b + 1 + Z, Z, NULL, draw, &err) == 0);
        blocks[b] = &sharings[b];
    }
    for (int threads = 0; threads < 2; threads++) {
        struct random *random = seeded(4);
        struct collector c = { .sink = { take }, .n_rows = N, .part_length = n_columns };

        c.rows = rows[threads] = calloc(N * n_columns, size);
        CHECK(sharing_split_blocks(blocks, BLOCKS, parts, part_length, seeds, random,
                                   threads ? pool : NULL, &c.sink, &err) == 0);
        CHECK(c.at == n_columns);
        random_free(random);
    }
    CHECK(memcmp(rows[0], rows[1], N * n_columns * size) == 0);
    for (unsigned char u = 0; u < 3; u++) {
        struct expand *e = expansion(u + 1);

        CHECK(expand_elems(e, 0, want, n_columns, &err) == 0);
        CHECK((memcmp(want, rows[0] + u * n_columns * size, n_columns * size) == 0) == (u != 1));
        expand_free(e);
    }
    for (size_t b = 0, before = 0; b < BLOCKS; before += ++b) {
        size_t columns[] = { 0, part_length / 3, part_length - 1 };

        for (size_t i = 0; i < 3; i++)
            CHECK(wrong_parts(&sharings[b], rows[0], n_columns, b * part_length + columns[i],
                              parts + before * part_length * size, part_length, columns[i]) == 0);
    }
    for (size_t b = 0; b < BLOCKS; b++)
        sharing_free(&sharings[b]);
    free(rows[0]);
    free(rows[1]);
    free(want);
    free(parts);
    parallel_free(pool);
}

/* Only shares that are drawn in all blocks can have a seed. */
static void refuses_seeds(void)
{
    static const unsigned char seed[EXPAND_SEED_BYTES] = { 1 };
    static const bool second[3] = { false, true };
    const unsigned char *seeds[3] = { NULL };
    unsigned char parts[8 * 8] = { 0 };
    struct collector c = { .sink = { take }, .n_rows = 3, .part_length = 4 };
    struct hagg_err err = { 0 };
    struct random *random = seeded(3);
    struct sharing s, other;
    const struct sharing *blocks[2] = { &s, &other };

    c.rows = calloc(3 * 4, 8);
    CHECK(sharing_new(&s, field, ramp, 3, 2, 1, NULL, NULL, &err) == 0);
    CHECK(sharing_new(&other, field, ramp, 3, 2, 1, NULL, second, &err) == 0);
    seeds[0] = seed;
    CHECK(sharing_split_blocks(blocks, 1, parts, 2, seeds, random, NULL, &c.sink, &err) == 0);
    CHECK(sharing_split_blocks(blocks, 2, parts, 2, seeds, random, NULL, &c.sink, &err) == -1);
    CHECK_STR(err.text, "share 1 of 3 is computed, so it has no seed");
    CHECK(err.status == HAGG_E_MISMATCH && c.at == 2);
    seeds[0] = NULL;
    seeds[1] = seed;
    err = (struct hagg_err){ 0 };
    CHECK(sharing_split(&s, parts, 2, seeds, random, NULL, &c.sink, &err) == -1);
    CHECK_STR(err.text, "share 2 of 3 is computed, so it has no seed");
    sharing_free(&s);
    sharing_free(&other);
    random_free(random);
    free(c.rows);
}

/* Two symbols a share, the values at 2u + 1 and 2u + 2 of a polynomial whose coefficients are two
 * parts and two random vectors. */
static int two_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                     char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)k;
    (void)z;
    (void)why;
    *shape = (struct hagg_scheme_shape){ .parts = 2, .randoms = 2, .symbols = 2 };
    return 0;
}

static int two_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *f,
                      const void *ctx, const struct hagg_field_info *info, const void *points,
                      void *matrix, char why[HAGG_WHY_SIZE])
{
    (void)k;
    (void)z;
    (void)f;
    (void)ctx;
    (void)points;
    (void)why;
    for (uint32_t row = 0; row < 2 * n; row++) {
        uint64_t power = 1;

        for (uint32_t i = 0; i < 4; i++, power = reference_mul(ref, power, row + 1))
            hagg_store(matrix, 4 * row + i, info->elem_size, power);
    }
    return 0;
}

/* The symbols of a share with a seed are the expansion in the order of its payload. */
static void expands_symbols(size_t n)
{
    const struct scheme two = { .ops = {
                                    .name = "two", .shape = two_shape, .matrix = two_matrix } };
    static const unsigned char seed[EXPAND_SEED_BYTES] = { 9 };
    const unsigned char *const seeds[3] = { NULL, seed };
    static const bool draw[3] = { false, true };
    const uint32_t holders[2] = { 2, 0 };
    size_t size = field_elem_size(field), wrong = 0;
    struct hagg_err err = { 0 };
    struct random *random = seeded(3);
    struct expand *e = expansion(9);
    unsigned char *parts = random_parts(2 * n), *want = calloc(2 * n, size);
    struct collector c = { .sink = { take }, .n_rows = 6, .part_length = n };
    struct matrix inverse;
    struct sharing s;

    c.rows = calloc(6 * n, size);
    CHECK(sharing_new(&s, field, &two, 3, 2, 1, NULL, draw, &err) == 0);
    CHECK(sharing_split(&s, parts, n, seeds, random, NULL, &c.sink, &err) == 0);
    CHECK(expand_elems(e, 0, want, 2 * n, &err) == 0);
    CHECK(sharing_inverse(&s, holders, &inverse, &err) == 0);
    for (size_t i = 0; i < 2 * n; i++)
        wrong += hagg_load(c.rows, (2 + i % 2) * n + i / 2, size) != hagg_load(want, i, size);
    for (size_t i = 0; i < n; i += n / 1000 + 1)
        for (size_t row = 0; row < 4; row++) {
            uint64_t sum = 0;

            for (uint32_t j = 0; j < 4; j++)
                sum = reference_add(
                    ref, sum,
                    reference_mul(ref, hagg_load(matrix_at(&inverse, row, j), 0, size),
                                  hagg_load(c.rows, (holders[j / 2] * 2 + j % 2) * n + i, size)));
            wrong += sum != (row < 2 ? hagg_load(parts, row * n + i, size)
                                     : hagg_load(want, 2 * i + row - 2, size));
        }
    CHECK(wrong == 0);
    matrix_free(&inverse);
    sharing_free(&s);
    expand_free(e);
    random_free(random);
    free(parts);
    free(want);
    free(c.rows);
}

int main(void)
{
    struct hagg_err err = { 0 };

    ramp = scheme_open("ramp", &err);
    CHECK(ramp != NULL);
    for (size_t i = 1; i < N_REFERENCES; i++) {
        ref = &references[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        if (ref->order > 7) {
            expands_seeds(7);
            expands_seeds(2500000 / field_elem_size(field) / 3); /* several pieces */
            expands_symbols(5);
            expands_symbols(1500000 / field_elem_size(field));
        }
        refuses_seeds();
        field_free(field);
    }
    scheme_free(ramp);
    return check_end();
}
