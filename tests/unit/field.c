#include "sharing/field.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

/* Offset of vectors in their buffers, so that no element of two bytes or more is aligned. */
#define SKEW 1

static uint64_t state = 1;

/* Opens a field that must exist. */
static struct field *need(const char *spec)
{
    struct hagg_err err = { 0 };
    struct field *f = field_open(spec, &err);

    if (!f) {
        fprintf(stderr, "field '%s': %s\n", spec, err.text);
        exit(1);
    }
    return f;
}

static void fill(const struct reference *ref, unsigned char *vector, uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        values[i] = reference_elem(ref, &state);
        hagg_store(vector, i, reference_elem_size(ref), values[i]);
    }
}

/* Returns true if element i of a vector is want. */
static bool is(const struct field *f, const unsigned char *vector, size_t i, uint64_t want)
{
    return hagg_load(vector, i, field_elem_size(f)) == want;
}

static void describes_itself(const struct field *f, const struct reference *ref)
{
    bool binary = ref->order == 256;

    CHECK_STR(f->spec, ref->spec);
    CHECK(f->info.order == ref->order && field_elem_size(f) == reference_elem_size(ref));
    CHECK(f->info.characteristic == (binary ? 2 : ref->order));
    CHECK((uint64_t)f->info.int_max - (uint64_t)f->info.int_min == ref->order - 1);
    CHECK(f->info.int_max == (int64_t)(binary ? 255 : ref->order == 2 ? 1 : (ref->order - 1) / 2));
    CHECK((uintptr_t)f->ctx % 16 == 0);
}

static void computes(const struct field *f, const struct reference *ref)
{
    unsigned char a[70 * 8 + SKEW], b[70 * 8 + SKEW], out[70 * 8 + SKEW];
    uint64_t x[70], y[70];

    for (size_t n = 0; n <= 67; n++) {
        size_t wrong = 0;

        fill(ref, a + SKEW, x, n);
        fill(ref, b + SKEW, y, n);
        field_add(f, out + SKEW, a + SKEW, b + SKEW, n);
        for (size_t i = 0; i < n; i++)
            wrong += !is(f, out + SKEW, i, reference_add(ref, x[i], y[i]));
        field_sub(f, out + SKEW, a + SKEW, b + SKEW, n);
        for (size_t i = 0; i < n; i++)
            wrong += !is(f, out + SKEW, i, reference_sub(ref, x[i], y[i]));
        memcpy(out + SKEW, b + SKEW, n * field_elem_size(f));
        if (n > 0)
            field_scale_add(f, out + SKEW, a + SKEW, a + SKEW, n);
        for (size_t i = 0; i < n; i++)
            wrong +=
                !is(f, out + SKEW, i, reference_add(ref, y[i], reference_mul(ref, x[0], x[i])));
        CHECK(wrong == 0);
    }
}

static void multiplies_and_inverts(const struct field *f, const struct reference *ref)
{
    for (int i = 0; i < 300; i++) {
        unsigned char a[8], b[8], out[8];
        uint64_t x, y;

        fill(ref, a, &x, 1);
        fill(ref, b, &y, 1);
        field_mul(f, out, a, b);
        CHECK(is(f, out, 0, reference_mul(ref, x, y)));
        memcpy(out, a, 8);
        field_mul(f, out, out, b); /* out equals a factor */
        CHECK(is(f, out, 0, reference_mul(ref, x, y)));
        field_mul(f, b, b, b);
        CHECK(is(f, b, 0, reference_mul(ref, y, y)));
        memset(out, 0x77, 8);
        CHECK(field_inv(f, out, a) == (x == 0 ? -1 : 0));
        if (x == 0)
            CHECK(out[0] == 0x77);
        else
            CHECK(is(f, out, 0, reference_inv(ref, x)));
    }
}

static void inverts_many(const struct field *f, const struct reference *ref)
{
    size_t size = field_elem_size(f);

    for (size_t n = 0; n < 20; n++) {
        unsigned char a[20 * 8], scratch[20 * 8];
        uint64_t x[20], first_zero = n;

        fill(ref, a, x, n);
        for (size_t i = n; i-- > 0;) {
            if (x[i] == 0 && n % 2) /* without a zero */
                hagg_store(a, i, size, x[i] = 1);
            if (x[i] == 0)
                first_zero = i;
        }
        CHECK(field_inv_all(f, a, n, scratch) == (first_zero < n ? -1 : 0));
        for (size_t i = 0; i < n && first_zero == n; i++)
            CHECK(is(f, a, i, reference_inv(ref, x[i])));
    }
}

/* Tests every index of the first element that is not canonical. */
static void finds_what_is_no_element(const struct field *f, const struct reference *ref)
{
    unsigned char a[40 * 8 + SKEW];
    uint64_t x[40];

    for (size_t bad = 0; bad <= 40; bad++) {
        fill(ref, a + SKEW, x, 40);
        CHECK(field_check(f, a + SKEW, 40) == 40);
        if (bad == 40 || ref->order == 256)
            continue;
        hagg_store(a + SKEW, bad, field_elem_size(f), ref->order);
        CHECK(field_check(f, a + SKEW, 40) == bad);
        CHECK(field_check(f, a + SKEW, bad) == bad);
        hagg_store(a + SKEW, bad, field_elem_size(f), ref->order - 1);
        CHECK(field_check(f, a + SKEW, 40) == 40);
        memset(a + SKEW + bad * field_elem_size(f), 0xff, field_elem_size(f));
        CHECK(field_check(f, a + SKEW, 40) == bad);
    }
}

/* Tests add_checked of the plugin, and the one that the host composes. */
static void adds_and_checks(struct field *f, const struct reference *ref)
{
    size_t (*own)(const void *, void *, const void *, const void *, size_t) = f->ops.add_checked;
    unsigned char a[40 * 8 + SKEW], b[40 * 8 + SKEW], sum[40 * 8 + SKEW];
    uint64_t x[40], y[40];
    size_t wrong = 0;

    CHECK(own != NULL);
    for (size_t bad = 0; bad <= 40; bad++) {
        fill(ref, a + SKEW, x, 40);
        fill(ref, b + SKEW, y, 40);
        for (int composed = 0; composed < 2; composed++) {
            f->ops.add_checked = composed ? NULL : own;
            memcpy(sum, a, sizeof a);
            CHECK(field_add_checked(f, sum + SKEW, sum + SKEW, b + SKEW, bad) == bad);
            for (size_t i = 0; i < 40; i++)
                wrong += !is(f, sum + SKEW, i, i < bad ? reference_add(ref, x[i], y[i]) : x[i]);
        }
        if (bad == 40 || ref->order == 256)
            continue;
        hagg_store(b + SKEW, bad, field_elem_size(f), ref->order);
        for (int composed = 0; composed < 2; composed++) {
            f->ops.add_checked = composed ? NULL : own;
            CHECK(field_add_checked(f, sum + SKEW, a + SKEW, b + SKEW, 40) == bad);
        }
    }
    f->ops.add_checked = own;
    CHECK(wrong == 0);
}

static void turns_integers_into_elements(const struct field *f, const struct reference *ref)
{
    const int64_t low = f->info.int_min, high = f->info.int_max;
    const int64_t in[] = { 0, 1, high, low, high - 1, low / 2 };
    unsigned char out[8 * 8];
    int64_t back[6], outside[] = { 0, 1, high, high + 1, 0 };

    CHECK(field_from_int(f, out, in, 6) == 6);
    for (size_t i = 0; i < 6; i++)
        CHECK(is(f, out, i, in[i] >= 0 ? (uint64_t)in[i] : ref->order - (uint64_t)-in[i]));
    field_to_int(f, back, out, 6);
    CHECK(memcmp(back, in, sizeof in) == 0);
    CHECK(field_from_int(f, out, outside, 5) == 3);
    outside[3] = low - 1;
    CHECK(field_from_int(f, out, outside, 5) == 3);
    outside[3] = INT64_MIN;
    CHECK(field_from_int(f, out, outside, 5) == 3);
}

/* Compares with sums of products, for 0 .. 5 rows and columns. */
static void applies_matrices(const struct field *f, const struct reference *ref)
{
    enum { MAX = 5, N = 67 };
    size_t size = field_elem_size(f), wrong = 0;
    unsigned char in[MAX][N * 8 + SKEW], out[MAX][N * 8 + SKEW], matrix[MAX * MAX * 8];
    uint64_t x[MAX][N], m[MAX * MAX];
    const void *from[MAX];
    void *to[MAX];

    for (size_t i = 0; i < MAX; i++) {
        from[i] = in[i] + SKEW;
        to[i] = out[i] + SKEW;
    }
    for (size_t rows = 0; rows <= MAX; rows++)
        for (size_t cols = 0; cols <= MAX; cols++) {
            size_t n = (rows * 31 + cols * 17) % (N + 1);

            for (size_t i = 0; i < cols; i++)
                fill(ref, in[i] + SKEW, x[i], n);
            fill(ref, matrix, m, rows * cols);
            memset(out, 0xcc, sizeof out);
            field_mat_apply(f, to, rows, from, cols, matrix, n);
            for (size_t r = 0; r < rows; r++) {
                for (size_t i = 0; i < n; i++) {
                    uint64_t sum = 0;

                    for (size_t c = 0; c < cols; c++)
                        sum = reference_add(ref, sum, reference_mul(ref, m[r * cols + c], x[c][i]));
                    wrong += !is(f, to[r], i, sum);
                }
                wrong += out[r][SKEW + n * size] != 0xcc && n < N;
            }
        }
    CHECK(wrong == 0);
}

/* The product that the host composes for a plugin without mat_apply, with lengths around its
 * tiles. */
static void composes_what_a_plugin_lacks(void)
{
    static const struct reference ref = { "five", 5 };
    enum { N = 140001 };
    struct field *f = need("five");
    unsigned char *in[2] = { malloc(N), malloc(N) }, *out[3] = { malloc(N), malloc(N), malloc(N) };
    const unsigned char matrix[] = { 1, 2, 3, 4, 0, 3 };
    size_t wrong = 0;

    CHECK(f->ops.mat_apply == NULL);
    applies_matrices(f, &ref);
    for (size_t i = 0; i < N; i++) {
        in[0][i] = (unsigned char)(i % 5);
        in[1][i] = (unsigned char)(i / 7 % 5);
    }
    field_mat_apply(f, (void *const *)out, 3, (const void *const *)in, 2, matrix, N);
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < N; i++)
            wrong += out[r][i] != (matrix[2 * r] * in[0][i] + matrix[2 * r + 1] * in[1][i]) % 5;
    CHECK(wrong == 0);
    for (size_t i = 0; i < 3; i++)
        free(out[i]);
    free(in[0]);
    free(in[1]);
    field_free(f);
}

static void refuses(const char *spec, enum hagg_status status, const char *message)
{
    struct hagg_err err = { 0 };
    struct field *f = field_open(spec, &err);

    CHECK(f == NULL && err.status == status);
    CHECK_STR(err.text, message);
    field_free(f);
}

static void refuses_what_is_no_field(void)
{
    char many[400];

    refuses("../x", HAGG_E_USAGE,
            "field '../x' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    refuses("five:b=1,a=1", HAGG_E_USAGE,
            "the parameters of field 'five:b=1,a=1' are not in ascending order");
    refuses("five:other=7", HAGG_E_USAGE, "field 'five:other=7': no parameter 'other' of 1");
    refuses("auto", HAGG_E_USAGE, "field 'auto' is for topologies: name a field, such as m31");
    refuses("nonesuch", HAGG_E_SYSTEM,
            "no plugin for field 'nonesuch': install hagg-field-nonesuch.so, or add its directory "
            "to HAGG_PLUGIN_PATH");
    refuses("ramp", HAGG_E_SYSTEM,
            "no plugin for field 'ramp': install hagg-field-ramp.so, or add its directory to "
            "HAGG_PLUGIN_PATH");
    /* a reason without NUL is truncated at the end of its buffer */
    snprintf(
        many, sizeof many, "field 'five:endless=1': %.*s", HAGG_WHY_SIZE - 1,
        "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
        "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    refuses("five:endless=1", HAGG_E_USAGE, many);
}

/* One byte less than the struct of the first release. */
static void refuses_a_struct_that_is_too_small(void)
{
    char message[300];

    snprintf(message, sizeof message,
             BAD_PLUGINS
             "/bad/hagg-field-one-less.so: its plugin struct is too small (%zu of %zu bytes)",
             offsetof(struct hagg_field, add_checked) - 1,
             offsetof(struct hagg_field, add_checked));
    refuses("one-less", HAGG_E_SYSTEM, message);
}

static void refuses_plugins_that_lack_a_function(void)
{
    static const char *const members[] = { "init",  "add",    "sub",      "scale-add", "inv",
                                           "check", "sample", "from-int", "to-int" };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char spec[40], message[500];

        snprintf(spec, sizeof spec, "lacks-%s", members[i]);
        snprintf(message, sizeof message,
                 BAD_PLUGINS "/bad/hagg-field-%s.so: the plugin lacks a required function", spec);
        refuses(spec, HAGG_E_SYSTEM, message);
    }
}

static void refuses_fields_that_cannot_be(void)
{
    static const char *const wrong[] = { "five:elem=0",
                                         "five:elem=3",
                                         "five:elem=16",
                                         "five:order=0",
                                         "five:order=1",
                                         "five:order=257",
                                         "five:char=0",
                                         "five:char=1",
                                         "five:char=6",
                                         "five:min=1",
                                         "five:max=0",
                                         "five:elem=2,order=65537",
                                         "five:elem=4,order=4294967297" };
    static const char *const right[] = { "five:order=256", "five:elem=2,order=65536",
                                         "five:elem=4,order=4294967296",
                                         "five:elem=8,order=9223372036854775807", "five:char=2" };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses(wrong[i], HAGG_E_SYSTEM,
                BAD_PLUGINS "/bad/hagg-field-five.so: describes an impossible field");
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        field_free(need(right[i]));
}

/* 23 bytes of context, in a block that is a multiple of its alignment. */
static void wipes_its_context(void)
{
    struct field *f;

    alloc_expect_wiped(32, 32, 23);
    f = need("five");
    CHECK(f->ops.ctx_size == 23 && memcmp(f->ctx, "ZZZZZZZZZZZZZZZZZZZZZZZ", 23) == 0);
    field_free(f);
    CHECK(alloc_n_wiped() == 1);
}

static void fails_cleanly_without_memory(void)
{
    unsigned long at = 0;

    for (;; at++) {
        struct hagg_err err = { 0 };
        struct field *f;

        alloc_refuse(at);
        f = field_open("five", &err);
        CHECK((f == NULL) == alloc_refused());
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        field_free(f);
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 3);
    alloc_watch();
}

int main(void)
{
    char path[2000];

    snprintf(path, sizeof path, "%s:%s/bad", getenv("HAGG_PLUGIN_PATH"), BAD_PLUGINS);
    setenv("HAGG_PLUGIN_PATH", path, 1);
    for (size_t i = 0; i < N_REFERENCES; i++) {
        struct field *f = need(references[i].spec);

        describes_itself(f, &references[i]);
        computes(f, &references[i]);
        multiplies_and_inverts(f, &references[i]);
        inverts_many(f, &references[i]);
        finds_what_is_no_element(f, &references[i]);
        adds_and_checks(f, &references[i]);
        turns_integers_into_elements(f, &references[i]);
        applies_matrices(f, &references[i]);
        field_free(f);
    }
    composes_what_a_plugin_lacks();
    refuses_what_is_no_field();
    refuses_a_struct_that_is_too_small();
    refuses_plugins_that_lack_a_function();
    refuses_fields_that_cannot_be();
    wipes_its_context();
    fails_cleanly_without_memory();
    field_free(NULL);
    return check_end();
}
