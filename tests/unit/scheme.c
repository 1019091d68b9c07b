#include "sharing/scheme.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

static struct hagg_err err;

static struct scheme *need_scheme(const char *name)
{
    struct scheme *s = scheme_open(name, &err);

    if (!s) {
        fprintf(stderr, "scheme '%s': %s\n", name, err.text);
        exit(1);
    }
    return s;
}

static struct field *need_field(const char *spec)
{
    struct field *f = field_open(spec, &err);

    if (!f) {
        fprintf(stderr, "field '%s': %s\n", spec, err.text);
        exit(1);
    }
    return f;
}

static void cannot_open(const char *name, enum hagg_status status, const char *message)
{
    err = (struct hagg_err){ 0 };
    CHECK(scheme_open(name, &err) == NULL && err.status == status);
    CHECK_STR(err.text, message);
}

static void opens_by_name(void)
{
    struct scheme *s = need_scheme("ramp");
    char small[300];

    CHECK_STR(s->ops.name, "ramp");
    scheme_free(s);
    scheme_free(NULL);
    cannot_open("../ramp", HAGG_E_USAGE,
                "scheme '../ramp' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    cannot_open("ramp:n=3", HAGG_E_USAGE, "scheme 'ramp:n=3': it has no parameters");
    cannot_open("m31", HAGG_E_SYSTEM,
                "no plugin for scheme 'm31': install hagg-scheme-m31.so, or add its directory to "
                "HAGG_PLUGIN_PATH");
    snprintf(small, sizeof small,
             BAD_PLUGINS
             "/bad/hagg-scheme-one-less.so: its plugin struct is too small (%zu of %zu bytes)",
             offsetof(struct hagg_scheme, block) - 1, offsetof(struct hagg_scheme, block));
    cannot_open("one-less", HAGG_E_SYSTEM, small);
    cannot_open("lacks-shape", HAGG_E_SYSTEM,
                BAD_PLUGINS
                "/bad/hagg-scheme-lacks-shape.so: the plugin lacks a required function");
    cannot_open("lacks-matrix", HAGG_E_SYSTEM,
                BAD_PLUGINS
                "/bad/hagg-scheme-lacks-matrix.so: the plugin lacks a required function");
}

/* The struct of an older plugin ends before block, whatever follows it in memory. */
static void opens_older(void)
{
    struct scheme *s = scheme_open("older", &err);

    CHECK(s && s->ops.shape && s->ops.matrix && !scheme_aligns(s));
    scheme_free(s);
}

static bool has_shape(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z, uint32_t parts,
                      uint32_t randoms, uint32_t symbols, uint32_t uses_points)
{
    struct hagg_scheme_shape shape;

    return scheme_shape(s, n, k, z, &shape, &err) == 0 &&
           scheme_check_size(s, n, k, z, &shape, &err) == 0 && shape.parts == parts &&
           shape.randoms == randoms && shape.symbols == symbols && shape.uses_points == uses_points;
}

static void refuses(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                    enum hagg_status status, const char *message)
{
    struct hagg_scheme_shape shape;

    err = (struct hagg_err){ 0 };
    CHECK((scheme_shape(s, n, k, z, &shape, &err) || scheme_check_size(s, n, k, z, &shape, &err)) &&
          err.status == status);
    CHECK_STR(err.text, message);
}

#define RULE ": n must be at most 65535, k from 1 to n, and z below k"

static void says_the_shape(void)
{
    struct scheme *ramp = need_scheme("ramp"), *additive = need_scheme("additive"),
                  *staircase = need_scheme("staircase");

    CHECK(has_shape(ramp, 5, 4, 2, 2, 2, 1, 1));
    CHECK(has_shape(ramp, 1, 1, 0, 1, 0, 1, 1));
    /* the largest matrices have 2^27 elements: 11585^2 is just below, and 65535 * 2048 */
    CHECK(has_shape(ramp, 11585, 11585, 0, 11585, 0, 1, 1));
    CHECK(has_shape(ramp, 11585, 11585, 11584, 1, 11584, 1, 1));
    CHECK(has_shape(ramp, 65535, 2048, 1, 2047, 1, 1, 1));
    refuses(ramp, 11586, 11586, 1, HAGG_E_USAGE,
            "scheme 'ramp' with n = 11586, k = 11586, z = 1: its matrix would have more than "
            "134217728 elements: use fewer holders, or a smaller k");
    refuses(ramp, 65535, 2049, 1, HAGG_E_USAGE,
            "scheme 'ramp' with n = 65535, k = 2049, z = 1: its matrix would have more than "
            "134217728 elements: use fewer holders, or a smaller k");
    refuses(additive, 65535, 65535, 65534, HAGG_E_USAGE,
            "scheme 'additive' with n = 65535, k = 65535, z = 65534: its matrix would have more "
            "than 134217728 elements: use fewer holders, or a smaller k");
    /* with several symbols decoding takes k * (k * symbols)^2 steps, at most 2^32: 4 * 1024^3 */
    CHECK(has_shape(staircase, 1025, 1024, 1023, 2, 2046, 2, 1));
    refuses(staircase, 1026, 1025, 1024, HAGG_E_USAGE,
            "scheme 'staircase' with n = 1026, k = 1025, z = 1024: to decode it would take more "
            "than 4294967296 steps: use fewer holders, or a smaller k");
    CHECK(has_shape(additive, 3, 3, 2, 1, 2, 1, 0));
    CHECK(has_shape(additive, 1, 1, 0, 1, 0, 1, 0));
    refuses(ramp, 3, 0, 0, HAGG_E_USAGE, "scheme 'ramp' with n = 3, k = 0, z = 0" RULE);
    refuses(ramp, 3, 4, 1, HAGG_E_USAGE, "scheme 'ramp' with n = 3, k = 4, z = 1" RULE);
    refuses(ramp, 3, 2, 2, HAGG_E_USAGE, "scheme 'ramp' with n = 3, k = 2, z = 2" RULE);
    refuses(ramp, 65536, 2, 1, HAGG_E_USAGE, "scheme 'ramp' with n = 65536, k = 2, z = 1" RULE);
    refuses(ramp, 0, 0, 0, HAGG_E_USAGE, "scheme 'ramp' with n = 0, k = 0, z = 0" RULE);
    refuses(
        additive, 3, 2, 1, HAGG_E_USAGE,
        "scheme 'additive' with n = 3, k = 2, z = 1: additive sharing among 3 needs k = 3 and z "
        "= 2, not k = 2 and z = 1");
    scheme_free(ramp);
    scheme_free(additive);
    scheme_free(staircase);
}

static void refuses_schemes_that_cannot_be(void)
{
    struct scheme *odd = need_scheme("odd");
    char endless[HAGG_WHY_SIZE], message[300];

    for (uint32_t k = 1; k <= 5; k++)
        refuses(odd, 9, k, 0, HAGG_E_SYSTEM,
                BAD_PLUGINS "/bad/hagg-scheme-odd.so: describes an impossible scheme");
    CHECK(has_shape(odd, 9, 3, 1, 65535, 0, 1, 0)); /* the maximum */
    CHECK(has_shape(odd, 9, 4, 1, 1, 65535, 1, 0));
    CHECK(has_shape(odd, 9, 5, 1, 1, 0, 65535, 0));
    memset(endless, 'y', sizeof endless);
    snprintf(message, sizeof message, "scheme 'odd' with n = 9, k = 6, z = 0: %.*s",
             HAGG_WHY_SIZE - 1, endless);
    refuses(odd, 9, 6, 0, HAGG_E_USAGE, message);
    refuses(odd, 9, 7, 0, HAGG_E_USAGE, "scheme 'odd' with n = 9, k = 7, z = 0: ");
    scheme_free(odd);
}

static void gives_points(void)
{
    for (size_t i = 0; i < N_REFERENCES; i++) {
        const struct reference *ref = &references[i];
        struct field *f = need_field(ref->spec);
        uint32_t most = ref->order > 300 ? 300 : (uint32_t)ref->order - 1;
        unsigned char points[300 * 8 + 1] = { 0 };
        char message[200];
        size_t wrong = 0;

        CHECK(scheme_default_points(f, most, points, &err) == 0);
        for (size_t u = 0; u < most; u++)
            wrong += hagg_load(points, u, field_elem_size(f)) != u + 1;
        CHECK(wrong == 0 && points[most * field_elem_size(f)] == 0);
        CHECK(field_check(f, points, most) == most);
        if (ref->order <= 300) {
            snprintf(message, sizeof message,
                     "field '%s' does not have %u distinct points other than zero", ref->spec,
                     most + 1);
            err = (struct hagg_err){ 0 };
            CHECK(scheme_default_points(f, most + 1, points, &err) == -1);
            CHECK(err.status == HAGG_E_USAGE);
            CHECK_STR(err.text, message);
        }
        field_free(f);
    }
}

/* Row u of the ramp matrix has the powers of its point, lowest first. */
static void fills_the_matrix_of_ramp(void)
{
    struct scheme *s = need_scheme("ramp");

    for (size_t i = 0; i < N_REFERENCES; i++) {
        const struct reference *ref = &references[i];
        struct field *f = need_field(ref->spec);
        uint32_t n = ref->order > 6 ? 6 : (uint32_t)ref->order - 1, k = n < 4 ? n : 4;
        unsigned char points[6 * 8];
        struct matrix m;
        size_t wrong = 0;

        for (uint32_t u = 0; u < n; u++)
            hagg_store(points, u, field_elem_size(f), ref->order - 1 - u);
        CHECK(scheme_matrix(s, n, k, k / 2, f, points, &m, &err) == 0);
        CHECK(m.rows == n && m.cols == k);
        for (uint32_t u = 0; u < n; u++) {
            uint64_t power = 1;

            for (uint32_t c = 0; c < k; c++) {
                wrong += hagg_load(matrix_at(&m, u, c), 0, field_elem_size(f)) != power;
                power = reference_mul(ref, power, ref->order - 1 - u);
            }
        }
        CHECK(wrong == 0);
        matrix_free(&m);
        field_free(f);
    }
    scheme_free(s);
}

/* All holders except the last have random summands; the last has the secret minus all of these. */
static void fills_the_matrix_of_additive(void)
{
    static const unsigned char want[] = { 0, 1, 0, 0, 0, 1, 1, 6, 6 };
    struct scheme *s = need_scheme("additive");
    struct field *f = need_field("prime:p=7");
    struct matrix m;

    CHECK(scheme_matrix(s, 3, 3, 2, f, NULL, &m, &err) == 0);
    CHECK(m.rows == 3 && m.cols == 3 && memcmp(m.elems, want, sizeof want) == 0);
    matrix_free(&m);
    field_free(f);
    scheme_free(s);
}

static void refuses_matrix(const struct scheme *s, uint32_t k, const struct field *f,
                           const void *points, const char *message)
{
    struct matrix m;

    err = (struct hagg_err){ 0 };
    CHECK(scheme_matrix(s, 3, k, 1, f, points, &m, &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK(m.elems == NULL);
    CHECK_STR(err.text, message);
}

static void refuses_points_that_disclose(void)
{
    static const unsigned char with_zero[] = { 1, 0, 2 }, twice[] = { 4, 1, 4 },
                               good[] = { 1, 2, 3 };
    struct scheme *s = need_scheme("ramp");
    struct field *f = need_field("prime:p=7");

    refuses_matrix(s, 2, f, with_zero,
                   "scheme 'ramp' with n = 3, k = 2, z = 1: the point of holder 2 of 3 is zero, "
                   "which would disclose the first part");
    refuses_matrix(
        s, 2, f, twice,
        "scheme 'ramp' with n = 3, k = 2, z = 1: holders 1 and 3 of 3 have the same point");
    refuses_matrix(s, 4, f, good, "scheme 'ramp' with n = 3, k = 4, z = 1" RULE);
    field_free(f);
    scheme_free(s);
}

/* Several symbols per share, and points that the scheme does not use. */
static void takes_any_shape(void)
{
    static const unsigned char points[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct scheme *s = need_scheme("odd");
    struct field *f = need_field("prime:p=251");
    struct matrix m;
    size_t wrong = 0;

    CHECK(scheme_matrix(s, 9, 9, 0, f, points, &m, &err) == 0);
    CHECK(m.rows == 27 && m.cols == 3);
    for (size_t i = 0; i < 81; i++)
        wrong += m.elems[i] != i % 5;
    CHECK(wrong == 0);
    matrix_free(&m);
    err = (struct hagg_err){ 0 };
    CHECK(scheme_matrix(s, 8, 8, 0, f, points, &m, &err) == -1);
    CHECK_STR(err.text, "scheme 'odd' with n = 8, k = 8, z = 0: points not given");
    field_free(f);
    scheme_free(s);
}

static void knows_the_length_of_a_share(void)
{
    static const struct {
        uint32_t parts, symbols;
        uint64_t length, want;
    } cases[] = {
        { 1, 1, 0, 0 },
        { 1, 1, 7, 7 },
        { 2, 1, 0, 0 },
        { 2, 1, 1, 1 },
        { 2, 1, 2, 1 },
        { 2, 1, 3, 2 },
        { 3, 1, 10, 4 },
        { 3, 2, 10, 8 },
        { 10, 1, 9, 1 },
        { 65535, 65535, 1ull << 48, 281474976710656 / 65535 * 65535 + 65535 },
        { 1, 65535, 1ull << 48, 65535ull << 48 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hagg_scheme_shape shape = { .parts = cases[i].parts, .symbols = cases[i].symbols };

        CHECK(scheme_share_length(&shape, cases[i].length) == cases[i].want);
    }
}

static void fails_cleanly_without_memory(void)
{
    static const unsigned char points[] = { 1, 2, 3 };
    struct field *f = need_field("prime:p=7");
    unsigned long at = 0;

    for (;; at++) {
        struct matrix m = { 0 };
        struct scheme *s;
        int status = -1;

        err = (struct hagg_err){ 0 };
        alloc_refuse(at);
        s = scheme_open("ramp", &err);
        if (s)
            status = scheme_matrix(s, 3, 2, 1, f, points, &m, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        matrix_free(&m);
        scheme_free(s);
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 3);
    alloc_watch();
    field_free(f);
}

int main(void)
{
    char path[2000];

    snprintf(path, sizeof path, "%s:%s/bad", getenv("HAGG_PLUGIN_PATH"), BAD_PLUGINS);
    setenv("HAGG_PLUGIN_PATH", path, 1);
    opens_by_name();
    opens_older();
    says_the_shape();
    refuses_schemes_that_cannot_be();
    gives_points();
    fills_the_matrix_of_ramp();
    fills_the_matrix_of_additive();
    refuses_points_that_disclose();
    takes_any_shape();
    knows_the_length_of_a_share();
    fails_cleanly_without_memory();
    return check_end();
}
