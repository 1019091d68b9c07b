#include "sharing/sharing.h"

#include <stdlib.h>

#include "check.h"
#include "feed.h"
#include "split.h"

static struct scheme *ramp;

static unsigned char *split(const struct sharing *s, const void *parts, size_t part_length,
                            struct random *random, struct parallel *pool)
{
    struct collector c = { .sink = { take }, .n_rows = s->matrix.rows, .part_length = part_length };
    struct hagg_err err = { 0 };

    c.rows = calloc(s->matrix.rows * part_length + 1, field_elem_size(field));
    CHECK(sharing_split(s, parts, part_length, NULL, random, pool, &c.sink, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(c.at == part_length);
    return c.rows;
}

/* Every set of k holders decodes the parts, and then the drawn shares; tested with columns from
 * both ends and the middle. */
static void any_k_decode(uint32_t n, uint32_t k, uint32_t z, size_t part_length)
{
    size_t size = field_elem_size(field), wrong = 0;
    struct hagg_err err = { 0 };
    struct random *random = seeded(1);
    unsigned char *parts = random_parts((k - z) * part_length), *rows;
    size_t columns[] = { 0, part_length / 2, part_length - 1 };
    bool none = true;
    struct sharing s;

    CHECK(sharing_new(&s, field, ramp, n, k, z, NULL, NULL, &err) == 0);
    rows = split(&s, parts, part_length, random, NULL);
    for (unsigned set = 0; set < 1u << n; set++) {
        uint32_t holders[16], m = 0;
        struct matrix inverse;

        for (uint32_t i = n; i-- > 0;) /* in descending order */
            if (set >> i & 1)
                holders[m++] = i;
        if (m != k)
            continue;
        CHECK(sharing_inverse(&s, holders, &inverse, &err) == 0);
        for (size_t j = 0; j < 3; j++)
            for (size_t r = 0; r < k; r++) {
                uint64_t sum = 0;

                for (uint32_t i = 0; i < k; i++)
                    sum = reference_add(
                        ref, sum,
                        reference_mul(
                            ref, hagg_load(matrix_at(&inverse, r, i), 0, size),
                            hagg_load(rows, holders[i] * part_length + columns[j], size)));
                if (r < k - z)
                    wrong += sum != hagg_load(parts, r * part_length + columns[j], size);
                else
                    wrong += sum !=
                             hagg_load(rows, s.drawn[r - (k - z)] * part_length + columns[j], size);
            }
        none = false;
        matrix_free(&inverse);
    }
    CHECK(wrong == 0 && !none);
    sharing_free(&s);
    random_free(random);
    free(parts);
    free(rows);
}

/* The same seed gives the same shares on one thread and on three, and no two columns or random
 * vectors use the same random numbers. */
static void threads_change_nothing(void)
{
    size_t size = field_elem_size(field), part_length = 1500000 / size;
    struct hagg_err err = { 0 };
    struct parallel *pool = parallel_new(3, &err);
    unsigned char *parts = random_parts(2 * part_length), *one, *three;
    struct random *a = seeded(2), *b = seeded(2);
    struct sharing s;

    CHECK(sharing_new(&s, field, ramp, 7, 4, 2, NULL, NULL, &err) == 0);
    one = split(&s, parts, part_length, a, NULL);
    three = split(&s, parts, part_length, b, pool);
    CHECK(memcmp(one, three, s.matrix.rows * part_length * size) == 0);
    random_free(a);
    random_free(b);
    free(one);
    free(three);
    free(parts);
    sharing_free(&s);
    parallel_free(pool);
}

/* Blocks with different numbers of parts, one after the other: each is decoded with its own
 * sharing, and threads change nothing. */
static void shares_blocks(size_t part_length)
{
    enum { BLOCKS = 4, N = 6, Z = 2 };
    const uint32_t n_parts[BLOCKS] = { 3, 3, 4, 1 };
    size_t size = field_elem_size(field), n_columns = BLOCKS * part_length;
    struct hagg_err err = { 0 };
    struct parallel *pool = parallel_new(3, &err);
    struct sharing sharings[BLOCKS];
    const struct sharing *blocks[BLOCKS];
    unsigned char *parts = random_parts(11 * part_length), *rows[2];

    for (size_t b = 0; b < BLOCKS; b++) {
        CHECK(sharing_new(&sharings[b], field, ramp, N, n_parts[b] + Z, Z, NULL, NULL, &err) == 0);
        blocks[b] = &sharings[b];
    }
    for (int threads = 0; threads < 2; threads++) {
        struct random *random = seeded(4);
        struct collector c = { .sink = { take }, .n_rows = N, .part_length = n_columns };

        c.rows = rows[threads] = calloc(N * n_columns, size);
        CHECK(sharing_split_blocks(blocks, BLOCKS, parts, part_length, NULL, random,
                                   threads ? pool : NULL, &c.sink, &err) == 0);
        CHECK(c.at == n_columns);
        random_free(random);
    }
    CHECK(memcmp(rows[0], rows[1], N * n_columns * size) == 0);
    for (size_t b = 0, before = 0; b < BLOCKS; before += n_parts[b++]) {
        size_t columns[] = { 0, part_length / 3, part_length - 1 };

        for (size_t i = 0; i < 3; i++)
            CHECK(wrong_parts(&sharings[b], rows[0], n_columns, b * part_length + columns[i],
                              parts + before * part_length * size, part_length, columns[i]) == 0);
    }
    for (size_t b = 0; b < BLOCKS; b++)
        sharing_free(&sharings[b]);
    free(rows[0]);
    free(rows[1]);
    free(parts);
    parallel_free(pool);
}

/* No random number is used twice: with parts of zero, z = 1 and k = 2, a share is a multiple of the
 * random vector, so equal neighbours in sorted order would reveal a repeated lane or tile. */
static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 8);
}

static void never_repeats_itself(void)
{
    enum { LENGTH = 400000 };
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);
    unsigned char *parts, *rows;
    struct sharing s;
    size_t n_equal = 0;

    if (field_elem_size(field) < 8)
        goto out;
    parts = calloc(LENGTH, 8);
    CHECK(sharing_new(&s, field, ramp, 3, 2, 1, NULL, NULL, &err) == 0);
    rows = split(&s, parts, LENGTH, random, NULL);
    qsort(rows, LENGTH, 8, compare);
    for (size_t i = 1; i < LENGTH; i++)
        n_equal += memcmp(rows + 8 * i, rows + 8 * i - 8, 8) == 0;
    CHECK(n_equal == 0);
    free(parts);
    free(rows);
    sharing_free(&s);
out:
    random_free(random);
}

/* Given points, and refusals. */
static void takes_points(void)
{
    size_t size = field_elem_size(field);
    uint64_t own[] = { ref->order - 1, 5, 2 };
    unsigned char points[3 * 8] = { 0 };
    struct hagg_err err = { 0 };
    struct sharing s;

    for (size_t i = 0; i < 3; i++)
        hagg_store(points, i, size, own[i]);
    CHECK(sharing_new(&s, field, ramp, 3, 2, 1, points, NULL, &err) == 0);
    /* the share at point x of the polynomial with part p and the value y at the first point f is
     * p (f - x) / f + y x / f */
    for (size_t i = 0; i < 3; i++)
        CHECK(reference_mul(ref, own[0], hagg_load(matrix_at(&s.matrix, i, 1), 0, size)) ==
                  own[i] &&
              reference_mul(ref, own[0], hagg_load(matrix_at(&s.matrix, i, 0), 0, size)) ==
                  reference_sub(ref, own[0], own[i]));
    sharing_free(&s);
    hagg_store(points, 0, size, 2);
    CHECK(sharing_new(&s, field, ramp, 3, 2, 1, points, NULL, &err) == -1);
    CHECK(s.points == NULL && s.matrix.elems == NULL);
    sharing_free(&s);
}

static void reports_failures(void)
{
    struct collector c = { .sink = { take }, .n_rows = 3, .part_length = 4, .fail_at = 1 };
    unsigned char parts[8 * 8] = { 0 }, few[5] = { 1, 2, 3, 4, 5 };
    struct hagg_err err = { 0 };
    struct random *random = seeded(3);
    struct sharing s;

    c.rows = calloc(3 * 4, 8);
    CHECK(sharing_new(&s, field, ramp, 3, 2, 1, NULL, NULL, &err) == 0);
    CHECK(sharing_split(&s, parts, 4, NULL, random, NULL, &c.sink, &err) == -1);
    CHECK_STR(err.text, "the sink is full");
    random_free(random);
    /* a random source that ends */
    random = random_open(feed_file(few, sizeof few), &err);
    c.fail_at = 0;
    CHECK(sharing_split(&s, parts, 8, NULL, random, NULL, &c.sink, &err) == -1);
    CHECK(strstr(err.text, "ends too early") != NULL && c.at == 0);
    random_free(random);
    free(c.rows);
    sharing_free(&s);
    if (ref->order <= LIMIT_HOLDERS)
        CHECK(sharing_new(&s, field, ramp, (uint32_t)ref->order, 2, 1, NULL, NULL, &err) == -1);
    sharing_free(&s);
}

static void measures(void)
{
    struct hagg_err err = { 0 };
    struct sharing s;

    CHECK(sharing_new(&s, field, ramp, 5, 4, 1, NULL, NULL, &err) == 0);
    for (uint64_t length = 0; length < 20; length++) {
        CHECK(sharing_part_length(&s, length) == (length + 2) / 3);
        CHECK(scheme_share_length(&s.shape, length) == (length + 2) / 3);
    }
    CHECK(sharing_part_length(&s, 1ull << 48) == ((1ull << 48) + 2) / 3);
    sharing_free(&s);
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
        any_k_decode(3, 2, 1, 1);
        any_k_decode(5, 3, 1, 77);
        any_k_decode(6, 6, 2, 3000);
        any_k_decode(6, 4, 0, 5);
        shares_blocks(7);
        shares_blocks(1000000 / field_elem_size(field) / 3);
        if (ref->order == 256 || ref->order == (1ull << 31) - 1)
            threads_change_nothing();
        if (ref->order > 7)
            takes_points();
        if (ref->order == (1ull << 61) - 1)
            never_repeats_itself();
        reports_failures();
        measures();
        field_free(field);
    }
    scheme_free(ramp);
    return check_end();
}
