#include "records/spread.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "reader.h"
#include "reference.h"
#include "scratch.h"

enum { LENGTH = 300, N = 4 };

static uint32_t holders[N] = { 9, 4, 30, 1 }, relays[N] = { 7, 8, 5, 6 };
static struct header_tier route[] = { { "station", holders, N }, { "relay", relays, N } };
static struct field *field;
static unsigned char parts[LENGTH * 4 + 64];

static struct random *seeded(void)
{
    unsigned char seed[RANDOM_SEED_BYTES] = { 42 };
    struct hagg_err err = { 0 };

    return random_seeded(seed, &err);
}

/* Two symbols per share: in column i, symbol s of share u is part + (2u + s + 1) * noise. */
static int two_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                     char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)k;
    (void)z;
    (void)why;
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = 1, .symbols = 2 };
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
        hagg_store(matrix, 2 * row, info->elem_size, 1);
        hagg_store(matrix, 2 * row + 1, info->elem_size, row + 1);
    }
    return 0;
}

struct rows {
    struct sharing_sink sink;
    uint64_t at[2 * N][LENGTH];
    size_t n_rows, n;
};

static int take(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err)
{
    struct rows *r = (struct rows *)sink;

    (void)err;
    for (size_t i = 0; i < r->n_rows; i++)
        for (size_t j = 0; j < n; j++)
            r->at[i][r->n + j] = hagg_load(rows[i], j, 4);
    r->n += n;
    return 0;
}

/* The records have the shares of a split with the same seed, symbol by symbol. */
static void writes(const struct scheme *scheme, uint32_t k, uint32_t z, bool single)
{
    static struct rows rows;
    struct hagg_err err = { 0 };
    struct random *random = seeded();
    struct header h = { .kind = HEADER_SHARE, .field = "m31", .length = LENGTH };
    struct outfiles *out = outfiles_new(scratch_path(single ? "all" : "to-{}"), false, &err);
    struct reader *r = NULL;
    struct sharing s;
    size_t part_length;

    CHECK(sharing_new(&s, field, scheme, N, k, z, NULL, NULL, &err) == 0);
    part_length = (size_t)sharing_part_length(&s, LENGTH);
    rows = (struct rows){ .sink = { take }, .n_rows = s.matrix.rows };
    CHECK(sharing_split(&s, parts, part_length, NULL, random, NULL, &rows.sink, &err) == 0);
    random_free(random);
    random = seeded();
    CHECK(spread_shares(&(struct spread_job){ .header = &h,
                                              .scheme = "some",
                                              .sharing = &s,
                                              .route = route,
                                              .n_route = 2,
                                              .n_blocks = 1,
                                              .block_length = LENGTH,
                                              .parts = parts },
                        random, NULL, out, &err) == 0);
    CHECK(outfiles_publish(out, &err) == 0);
    CHECK_STR(err.text, "");
    outfiles_free(out);
    for (uint32_t u = 0; u < N; u++) {
        size_t symbols = s.shape.symbols, got, wrong = 0;
        unsigned char elems[2 * LENGTH * 4 + 4];
        const struct header *g;
        char name[32];

        snprintf(name, sizeof name, "to-%u", holders[u]);
        if (!single || u == 0)
            r = reader_open(scratch_path(single ? "all" : name), NULL, &err);
        CHECK(r && reader_next(r, &err) == 1);
        g = reader_header(r);
        CHECK(g->scheme.index == u && g->scheme.n == N && g->scheme.k == k && g->scheme.z == z);
        CHECK_STR(g->scheme.name, "some");
        CHECK(g->scheme.has_point == (s.points != NULL));
        CHECK(!s.points || g->scheme.point == u + 1);
        CHECK(g->n_route == 2 && g->route[0].n_numbers == N && g->route[0].numbers[2] == 30);
        CHECK_STR(g->route[0].name, "station");
        CHECK(g->route[1].n_numbers == N && g->route[1].numbers[0] == relays[0]);
        CHECK_STR(g->route[1].name, "relay");
        CHECK(strcmp(g->to.tier, "station") == 0 && g->to.number == holders[u]);
        CHECK(reader_read(r, elems, 2 * LENGTH + 1, &got, &err) == 0);
        CHECK(got == part_length * symbols);
        for (size_t e = 0; e < got; e++)
            wrong += hagg_load(elems, e, 4) != rows.at[u * symbols + e % symbols][e / symbols];
        CHECK(wrong == 0);
        if (!single || u == N - 1) {
            CHECK(reader_next(r, &err) == 0);
            reader_free(r);
            unlink(scratch_path(single ? "all" : name)); /* an input is never replaced */
        }
    }
    random_free(random);
    sharing_free(&s);
}

/* Blocks are shared one after the other, and are in this order in every share; carriers get the
 * scheme of the carried share. */
static void writes_blocks(const struct scheme *ramp, bool single)
{
    enum { BLOCKS = 3, BLOCK = 50, PARTS = 2, PART = BLOCK / PARTS };

    static struct rows rows;
    struct hagg_err err = { 0 };
    struct random *random = seeded();
    struct header_scheme share = { .name = "ramp", .n = N, .k = 3, .z = 2, .index = 2 };
    struct header h = { .kind = HEADER_TRANSFER, .field = "m31", .length = LENGTH };
    struct outfiles *out = outfiles_new(scratch_path(single ? "blocks" : "block-{}"), false, &err);
    struct reader *r = NULL;
    struct sharing s;

    CHECK(sharing_new(&s, field, ramp, N, 3, 1, NULL, NULL, &err) == 0);
    rows = (struct rows){ .sink = { take }, .n_rows = s.matrix.rows };
    for (size_t i = 0; i < BLOCKS; i++)
        CHECK(sharing_split(&s, parts + i * BLOCK * 4, PART, NULL, random, NULL, &rows.sink,
                            &err) == 0);
    random_free(random);
    random = seeded();
    CHECK(spread_shares(&(struct spread_job){ .header = &h,
                                              .scheme = "some",
                                              .sharing = &s,
                                              .route = route,
                                              .n_route = 1,
                                              .n_blocks = BLOCKS,
                                              .block_length = BLOCK,
                                              .parts = parts,
                                              .carried = &share },
                        random, NULL, out, &err) == 0);
    CHECK(outfiles_publish(out, &err) == 0);
    CHECK_STR(err.text, "");
    outfiles_free(out);
    for (uint32_t u = 0; u < N; u++) {
        unsigned char elems[BLOCKS * PART * 4 + 4];
        size_t got, wrong = 0;
        const struct header *g;
        char name[32];

        snprintf(name, sizeof name, "block-%u", holders[u]);
        if (!single || u == 0)
            r = reader_open(scratch_path(single ? "blocks" : name), NULL, &err);
        CHECK(r && reader_next(r, &err) == 1);
        g = reader_header(r);
        CHECK(g->has_carrier && g->carrier == u && g->to.number == holders[u]);
        CHECK(g->scheme.index == 2 && g->scheme.z == 2 && !g->scheme.has_point);
        CHECK_STR(g->scheme.name, "ramp");
        CHECK(reader_read(r, elems, BLOCKS * PART + 1, &got, &err) == 0);
        CHECK(got == BLOCKS * PART);
        for (size_t e = 0; e < got; e++)
            wrong += hagg_load(elems, e, 4) != rows.at[u][e];
        CHECK(wrong == 0);
        if (!single || u == N - 1) {
            CHECK(reader_next(r, &err) == 0);
            reader_free(r);
        }
    }
    random_free(random);
    sharing_free(&s);
}

int main(void)
{
    struct scheme two = { .ops = { .name = "two", .shape = two_shape, .matrix = two_matrix } };
    struct hagg_err err = { 0 };
    struct scheme *ramp = scheme_open("ramp", &err), *additive = scheme_open("additive", &err);
    uint64_t state = 3;

    field = field_open("m31", &err);
    CHECK(field && ramp && additive);
    for (size_t i = 0; i < LENGTH; i++)
        hagg_store(parts, i, 4, reference_next(&state) % 0x7fffffff);
    for (int single = 0; single < 2; single++) {
        writes(ramp, 3, 1, single);
        writes(ramp, 4, 0, single);
        writes(additive, 4, 3, single);
        writes(&two, 1, 0, single);
        writes_blocks(ramp, single);
    }
    scheme_free(ramp);
    scheme_free(additive);
    field_free(field);
    return check_end();
}
