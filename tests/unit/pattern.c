#include "decode/pattern.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "reference.h"
#include "scratch.h"

static const struct reference *ref;
static struct field *field;
static struct scheme *ramp;
static uint64_t state = 17;
static uint64_t n_found; /* by decode: how often a share was found to be wrong */

enum { N = 7, MOST = 60000 };

static const uint32_t stations[N] = { 11, 3, 5, 7, 2, 13, 17 };

/* A sharing as tables: shares[u][i] is the polynomial of column i at u + 1. */
struct table {
    uint32_t n, k, z;
    size_t length, part_length;
    uint64_t *secret;
    uint64_t *shares[N];
};

static void make_table(struct table *t, uint32_t n, uint32_t k, uint32_t z, size_t length)
{
    uint32_t parts = k - z;

    *t = (struct table){ .n = n, .k = k, .z = z, .length = length };
    t->part_length = (length + parts - 1) / parts;
    t->secret = calloc(parts * t->part_length + 1, sizeof *t->secret);
    for (size_t i = 0; i < length; i++)
        t->secret[i] = reference_elem(ref, &state);
    for (uint32_t u = 0; u < n; u++)
        t->shares[u] = calloc(t->part_length + 1, sizeof *t->shares[u]);
    for (size_t i = 0; i < t->part_length; i++) {
        uint64_t noise[N];

        for (uint32_t j = 0; j < z; j++)
            noise[j] = reference_elem(ref, &state);
        for (uint32_t u = 0; u < n; u++) {
            uint64_t value = 0;

            for (uint32_t j = k; j-- > 0;)
                value =
                    reference_add(ref, reference_mul(ref, value, u + 1),
                                  j < parts ? t->secret[j * t->part_length + i] : noise[j - parts]);
            t->shares[u][i] = value;
        }
    }
}

static void free_table(struct table *t)
{
    free(t->secret);
    for (uint32_t u = 0; u < t->n; u++)
        free(t->shares[u]);
}

static void spoil(struct table *t, uint32_t u, size_t column)
{
    t->shares[u][column] =
        reference_add(ref, t->shares[u][column], 1 + reference_next(&state) % (ref->order - 1));
}

static void fill_header(struct header *h, struct header_tier *tier, const struct table *t,
                        uint32_t u)
{
    static uint32_t numbers[N];

    memcpy(numbers, stations, sizeof numbers);
    *h = (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_PLAIN,
        .scheme = { .name = "ramp",
                    .n = t->n,
                    .k = t->k,
                    .z = t->z,
                    .index = u,
                    .has_point = true },
        .route = tier,
        .n_route = 1,
        .length = t->length,
    };
    h->scheme.point = u + 1;
    strcpy(h->field, ref->spec);
    *tier = (struct header_tier){ .name = "station", .numbers = numbers, .n_numbers = t->n };
}

/* Writes files "s0", "s1", .. and makes a pattern of those in the set, added in descending
 * order. */
static void load(struct pattern *p, struct filecache *c, const struct table *t, unsigned set,
                 void (*change)(struct header *h))
{
    struct hagg_err err = { 0 };

    *p = (struct pattern){ 0 };
    for (uint32_t u = t->n; u-- > 0;) {
        struct pattern_share share = { 0 };
        struct header_tier tier;
        struct header h;
        struct reader *r;
        char name[8];
        size_t file, used, n;
        uint8_t *bytes;

        if (!(set >> u & 1))
            continue;
        snprintf(name, sizeof name, "s%u", u);
        unlink(scratch_path(name));
        fill_header(&h, &tier, t, u);
        if (change)
            change(&h);
        scratch_record(scratch_path(name), &h, field_elem_size(field), t->shares[u],
                       t->part_length);
        r = reader_open(scratch_path(name), NULL, &err);
        CHECK(r && reader_next(r, &err) == 1);
        CHECK(filecache_add(c, scratch_path(name), &file, &err) == 0);
        CHECK(header_encode(reader_header(r), &bytes, &n, &err) == 0);
        CHECK(header_decode(&share.header, bytes, n, &used, &err) == 1);
        CHECK(stored_keep(&share.stored, file, r, &err) == 0);
        CHECK(pattern_add(p, &share, c, &err) == 0);
        CHECK_STR(err.text, "");
        free(bytes);
        reader_free(r);
    }
}

/* Returns what becomes of a one in the total. */
static uint64_t expected(enum pattern_use use, uint64_t secret)
{
    return use == PATTERN_SET        ? secret
           : use == PATTERN_SUBTRACT ? reference_sub(ref, 1, secret)
                                     : reference_add(ref, 1, secret);
}

/* Decodes the shares in the set. *wrong becomes the set of shares that were found wrong. */
static int decode(const struct table *t, unsigned set, bool correct, struct parallel *pool,
                  unsigned *wrong, struct hagg_err *err)
{
    size_t size = field_elem_size(field), n_off = 0;
    unsigned char *total = calloc(t->length + 1, size), zero[8] = { 0 };
    struct filecache c = { 0 };
    struct pattern_tools tools = {
        .field = field, .scheme = ramp, .files = &c, .pool = pool, .correct = correct
    };
    enum pattern_use use = set % 3 == 0   ? PATTERN_ADD
                           : set % 3 == 1 ? PATTERN_SUBTRACT
                                          : PATTERN_SET;
    struct pattern p;
    int status;

    /* starts with ones, to check that the vector is added, subtracted or set */
    for (size_t i = 0; i < t->length; i++)
        hagg_store(total, i, size, 1);
    load(&p, &c, t, set, NULL);
    *err = (struct hagg_err){ 0 };
    status = pattern_decode(&p, &tools, use, total, err);
    for (size_t i = 0; i < t->length && status == 0; i++)
        n_off += hagg_load(total, i, size) != expected(use, t->secret[i]);
    CHECK(n_off == 0 && memcmp(total + t->length * size, zero, size) == 0);
    *wrong = 0;
    n_found = 0;
    for (size_t i = 0; i < p.n_shares; i++) {
        n_found += p.shares[i].n_wrong;
        if (p.shares[i].n_wrong > 0)
            *wrong |= 1u << p.shares[i].header.scheme.index;
    }
    pattern_free(&p);
    filecache_free(&c);
    free(total);
    return status;
}

static void any_k_decode(uint32_t n, uint32_t k, uint32_t z, size_t length)
{
    struct hagg_err err;
    struct table t;
    unsigned wrong;

    make_table(&t, n, k, z, length);
    for (unsigned set = 1; set < 1u << n; set++) {
        int status = decode(&t, set, set & 2, NULL, &wrong, &err);

        CHECK(wrong == 0);
        if ((uint32_t)__builtin_popcount(set) >= k)
            CHECK(status == 0);
        else
            CHECK(status == -1 && err.status == HAGG_E_TOO_FEW);
    }
    free_table(&t);
}

/* Several blocks, on one thread and on three, with different wrong shares in different
 * positions. */
static void corrects(void)
{
    struct hagg_err err = { 0 };
    struct parallel *pool = parallel_new(3, &err);
    unsigned spoilt = 0, wrong;
    struct table t;

    make_table(&t, 7, 3, 1, MOST);
    for (int i = 0; i < 60; i++) {
        size_t column = reference_next(&state) % t.part_length;
        uint32_t u = (uint32_t)(reference_next(&state) % 7), v = (u + 1 + (uint32_t)i % 6) % 7;

        if (i == 0)
            column = 0;
        if (i == 1)
            column = t.part_length - 1;
        spoil(&t, u, column);
        spoil(&t, v, column);
        spoilt |= 1u << u | 1u << v;
    }
    /* there are many columns, so no column has the errors of two trials */
    CHECK(decode(&t, 0x7f, true, NULL, &wrong, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK((wrong & ~spoilt) == 0 && wrong != 0);
    CHECK(decode(&t, 0x7f, true, pool, &wrong, &err) == 0);
    CHECK((wrong & ~spoilt) == 0 && wrong != 0);
    CHECK(decode(&t, 0x7f, false, pool, &wrong, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK(strstr(err.text, ": get it again, leave it out, or use --correct") != NULL);
    free_table(&t);
    parallel_free(pool);
}

/* Two holders whose shares are wrong in turn are searched for once each, not in every column. */
static void leaves_out_those_who_take_turns(void)
{
    struct hagg_err err = { 0 };
    struct table t;
    unsigned wrong;

    make_table(&t, 7, 3, 1, 1000);
    for (size_t i = 0; i < t.part_length; i++)
        spoil(&t, i % 2 ? 1 : 4, i);
    CHECK(decode(&t, 0x7f, true, NULL, &wrong, &err) == 0 && wrong == (1u << 1 | 1u << 4));
    CHECK(n_found == 2);
    /* a third one is found when its turn comes, and then the others again */
    spoil(&t, 5, 100);
    CHECK(decode(&t, 0x7f, true, NULL, &wrong, &err) == 0);
    CHECK(wrong == (1u << 1 | 1u << 4 | 1u << 5) && n_found <= 7);
    free_table(&t);
}

/* A share that is wrong everywhere is named. */
static void names_the_station(void)
{
    for (uint32_t u = 0; u < 5; u++) {
        struct hagg_err err;
        char want[8192];
        struct table t;
        unsigned wrong;

        make_table(&t, 5, 3, 1, 1000);
        for (size_t i = 0; i < t.part_length; i++)
            spoil(&t, u, i);
        CHECK(decode(&t, 0x1f, false, NULL, &wrong, &err) == -1);
        snprintf(
            want, sizeof want,
            "%s/s%u: the share of station %u is wrong: station %u changed it, or a client sent "
            "it a wrong share: get it again, leave it out, or use --correct",
            scratch_path("") /* ends in a slash */, u, stations[u], stations[u]);
        CHECK_STR(strrchr(err.text, '/'), strrchr(want, '/'));
        CHECK(decode(&t, 0x1f, true, NULL, &wrong, &err) == 0 && wrong == 1u << u);
        /* one surplus share detects an error, but does not locate it */
        CHECK(decode(&t, 0x0f | 1u << u, true, NULL, &wrong, &err) == (u == 4 ? 0 : -1));
        if (u < 4)
            CHECK_STR(err.text,
                      "a share of station 11 3 5 7 2 is wrong, but there are too few surplus "
                      "shares (1) to identify it: get the shares again, or get more of them");
        /* without the wrong share there is no error */
        CHECK(decode(&t, 0x1f & ~(1u << u), true, NULL, &wrong, &err) == 0 && wrong == 0);
        free_table(&t);
    }
}

/* Two wrong shares of five cannot be located, and no right share is blamed. */
static void blames_no_innocent(void)
{
    for (uint32_t u = 0; u < 5; u++)
        for (uint32_t v = 0; v < u; v++)
            for (int correct = 0; correct < 2; correct++) {
                struct hagg_err err;
                struct table t;
                unsigned wrong;

                make_table(&t, 5, 3, 1, 10);
                spoil(&t, u, 2);
                spoil(&t, v, 2);
                CHECK(decode(&t, 0x1f, correct, NULL, &wrong, &err) == -1);
                CHECK(err.status == HAGG_E_MALFORMED && wrong == 0);
                CHECK(strstr(err.text, "a share of station ") == err.text);
                free_table(&t);
            }
}

static void drop_point(struct header *h)
{
    h->scheme.has_point = false;
    h->scheme.point = 0;
}

static void wide_point(struct header *h)
{
    if (h->scheme.index == 1)
        h->scheme.point += 1ull << 32;
}

static void same_point(struct header *h)
{
    h->scheme.point = 3;
}

static void refuses(void (*change)(struct header *h), enum hagg_status status, const char *want)
{
    unsigned char total[64 * 8] = { 0 };
    struct filecache c = { 0 };
    struct pattern_tools tools = { .field = field, .scheme = ramp, .files = &c };
    struct hagg_err err = { 0 };
    struct pattern p;
    struct table t;

    make_table(&t, 3, 2, 0, 10);
    load(&p, &c, &t, 7, change);
    CHECK(pattern_decode(&p, &tools, PATTERN_ADD, total, &err) == -1 && err.status == status);
    if (!CHECK(strstr(err.text, want) != NULL))
        fprintf(stderr, "%s\n", err.text);
    pattern_free(&p);
    filecache_free(&c);
    free_table(&t);
}

static void refuses_records_that_do_not_fit(void)
{
    refuses(drop_point, HAGG_E_MALFORMED, "/s0: share has no point that is an element of field");
    refuses(same_point, HAGG_E_MALFORMED, "have the same point");
    if (field_elem_size(field) == 4)
        refuses(wide_point, HAGG_E_MALFORMED,
                "/s1: share has no point that is an element of field");
}

/* A scheme without points in which two of three shares would decode: share u is the part if u is
 * even, otherwise the part plus noise. Shares are identified by index. */
static int odd_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                     char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)k;
    (void)z;
    (void)why;
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = 1, .symbols = 1 };
    return 0;
}

static int odd_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *f,
                      const void *ctx, const struct hagg_field_info *info, const void *points,
                      void *matrix, char why[HAGG_WHY_SIZE])
{
    (void)k;
    (void)z;
    (void)f;
    (void)ctx;
    (void)points;
    (void)why;
    for (uint32_t u = 0; u < n; u++) {
        hagg_store(matrix, 2 * u, info->elem_size, 1);
        hagg_store(matrix, 2 * u + 1, info->elem_size, u + 1);
    }
    return 0;
}

static void decodes_without_points(void)
{
    struct scheme odd = { .ops = { .name = "odd", .shape = odd_shape, .matrix = odd_matrix } };

    for (unsigned set = 5; set <= 7; set += 2) {
        unsigned char total[64 * 8] = { 0 };
        struct filecache c = { 0 };
        struct pattern_tools tools = { .field = field, .scheme = &odd, .files = &c };
        struct hagg_err err = { 0 };
        struct pattern p;
        struct table t;

        make_table(&t, 3, 2, 1, 10);
        load(&p, &c, &t, set, drop_point);
        CHECK(pattern_decode(&p, &tools, PATTERN_ADD, total, &err) == 0);
        for (size_t i = 0; i < 10; i++)
            CHECK(hagg_load(total, i, field_elem_size(field)) == t.secret[i]);
        pattern_free(&p);
        filecache_free(&c);
        free_table(&t);
    }
}

/* The same share twice. */
static void refuses_a_share_twice(void)
{
    struct pattern_share copy;
    struct filecache c = { 0 };
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    struct pattern p;
    struct table t;
    size_t file;

    make_table(&t, 3, 2, 1, 10);
    load(&p, &c, &t, 7, NULL);
    CHECK(p.n_shares == 3);
    for (uint32_t u = 0; u < 3; u++)
        CHECK(p.shares[u].header.scheme.index == u);
    pattern_describe(&p, &text);
    CHECK_STR(text.bytes, "station 11 3 5");
    text_free(&text);
    CHECK(filecache_add(&c, "again", &file, &err) == 0);
    copy = p.shares[1];
    copy.stored.file = file;
    CHECK(pattern_add(&p, &copy, &c, &err) == -1 && err.status == HAGG_E_MISMATCH);
    CHECK(strstr(err.text, "again: contains share 2 of the same sharing as ") == err.text);
    CHECK(strstr(err.text,
                 "/s1: leave one out, or, if they belong to different clients, add them") != NULL);
    CHECK(p.n_shares == 3);
    pattern_free(&p);
    filecache_free(&c);
    free_table(&t);
}

int main(void)
{
    static const struct reference fields[] = { { "m31", (1ull << 31) - 1 },
                                               { "gf256", 256 },
                                               { "m61", (1ull << 61) - 1 } };
    struct hagg_err err = { 0 };

    ramp = scheme_open("ramp", &err);
    CHECK(ramp != NULL);
    for (size_t i = 0; i < 3; i++) {
        ref = &fields[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        any_k_decode(5, 3, 1, 100);
        any_k_decode(4, 4, 2, 7);
        any_k_decode(4, 2, 0, 1);
        any_k_decode(3, 1, 0, 0);
        corrects();
        leaves_out_those_who_take_turns();
        names_the_station();
        if (ref->order > 256) /* a wrong byte may be right by chance */
            blames_no_innocent();
        refuses_records_that_do_not_fit();
        refuses_a_share_twice();
        decodes_without_points();
        field_free(field);
    }
    scheme_free(ramp);
    return check_end();
}
