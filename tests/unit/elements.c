#include "vector/elements.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "reference.h"

static struct vector vector_of(const char *type, void *data, size_t n)
{
    static char name[] = "v.npy";
    struct vector v = { .name = name, .shape = { n }, .n_shape = 1, .n_elems = n, .data = data };

    strcpy(v.type, type);
    return v;
}

static void refuses(const struct field *f, const struct vector *v, const struct elements_options *o,
                    enum hagg_status status, const char *want)
{
    unsigned char *out = malloc(v->n_elems * 8 + 1);
    struct hagg_err err = { 0 };
    uint64_t n_clipped = 0;

    CHECK(elements_from_vector(f, v, o, out, &n_clipped, &err) == -1 && err.status == status);
    CHECK_STR(err.text, want);
    free(out);
}

/* Integers are exact up to the limit of the plan, in several blocks. */
static void takes_integers(void)
{
    enum { N = 10000 };
    struct hagg_err err = { 0 };
    struct field *f = field_open("m31", &err);
    int32_t *ints = malloc(N * sizeof *ints);
    unsigned char *out = malloc(N * 4);
    struct vector v = vector_of("i4", ints, N);
    struct elements_options o = { .lo = -1000, .hi = 1000 };
    uint64_t n_clipped = 0, state = 1;
    size_t wrong = 0;

    for (size_t i = 0; i < N; i++)
        ints[i] = (int32_t)(reference_next(&state) % 2001) - 1000;
    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == 0 && n_clipped == 0);
    for (size_t i = 0; i < N; i++)
        wrong += hagg_load(out, i, 4) != (uint64_t)(ints[i] < 0 ? ints[i] + 0x7fffffff : ints[i]);
    CHECK(wrong == 0);
    ints[9999] = 1001;
    refuses(f, &v, &o, HAGG_E_MALFORMED,
            "v.npy: element 9999 is too large: sums in field 'm31' could overflow");
    ints[4096] = -1001;
    refuses(f, &v, &o, HAGG_E_MALFORMED,
            "v.npy: element 4096 is too large: sums in field 'm31' could overflow");
    /* without a plan the limit is that of the field */
    o.lo = f->info.int_min;
    o.hi = f->info.int_max;
    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == 0);
    ints[0] = 1 << 30;
    refuses(f, &v, &o, HAGG_E_MALFORMED,
            "v.npy: element 0 is too large: sums in field 'm31' could overflow");
    free(ints);
    free(out);
    field_free(f);
}

/* One integer out of bounds, by one or by a large amount, at any index. In goldilocks the bounds
 * are too far apart to be checked by a difference. */
static void finds_the_one_beyond(void)
{
    static const char *const specs[] = { "m31", "m61", "goldilocks" };
    static const size_t places[] = { 0, 63, 64, 4095, 4096, 4159, 4199 };
    enum { N = 4200 };
    static int64_t ints[N];
    struct vector v = vector_of("i8", ints, N);

    for (size_t i = 0; i < 3 * sizeof places / sizeof *places; i++) {
        size_t place = places[i / 3];
        struct hagg_err err = { 0 };
        struct field *f = field_open(specs[i % 3], &err);
        int64_t least = f->info.int_min, most = f->info.int_max;
        struct elements_options o = { .lo = least, .hi = most };
        int64_t beyond[] = { most + 1, least - 1, INT64_MAX, INT64_MIN };
        char want[100];
        unsigned char *out = malloc(N * 8);

        snprintf(want, sizeof want,
                 "v.npy: element %zu is too large: sums in field '%s' could overflow", place,
                 specs[i % 3]);
        ints[place] = most;
        ints[N - 1 - place] = least;
        CHECK(elements_from_vector(f, &v, &o, out, NULL, &err) == 0);
        for (size_t j = 0; j < 4; j++) {
            ints[place] = beyond[j];
            refuses(f, &v, &o, HAGG_E_MALFORMED, want);
        }
        ints[place] = ints[N - 1 - place] = 0;
        free(out);
        field_free(f);
    }
}

static void takes_bytes(void)
{
    struct hagg_err err = { 0 };
    struct field *f = field_open("gf256", &err);
    unsigned char bytes[256], out[256];
    struct vector v = vector_of("u1", bytes, 256);
    struct elements_options o = { .hi = 255 };
    uint64_t n_clipped = 0, big[] = { 3, UINT64_MAX };

    for (size_t i = 0; i < 256; i++)
        bytes[i] = (unsigned char)i;
    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == 0);
    CHECK(memcmp(bytes, out, 256) == 0);
    v = vector_of("u8", big, 2);
    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, "element 1 ") != NULL);
    field_free(f);
}

static void takes_reals(void)
{
    struct hagg_err err = { 0 };
    struct field *f = field_open("m61", &err);
    float floats[] = { 0.5f, -0.25f, 0, 1, -1, 0.125f };
    struct vector v = vector_of("f4", floats, 6);
    struct elements_options o = { .quant = { .bits = 9, .clip = 1 } };
    int64_t want[] = { 128, -64, 0, 255, -255, 32 }, got[6];
    unsigned char out[48];
    uint64_t n_clipped = 0;

    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == 0);
    field_to_int(f, got, out, 6);
    CHECK(memcmp(got, want, sizeof got) == 0);
    floats[4] = -1.5f;
    refuses(f, &v, &o, HAGG_E_MALFORMED,
            "v.npy: element 4 is beyond the clip of 1: scale the vector or use --clip");
    o.clip = true;
    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == 0 && n_clipped == 1);
    field_to_int(f, got, out, 6);
    CHECK(memcmp(got, want, sizeof got) == 0);
    floats[2] = NAN;
    refuses(f, &v, &o, HAGG_E_MALFORMED, "v.npy: element 2 is not a number");
    v.n_elems = 0;
    CHECK(elements_from_vector(f, &v, &o, out, &n_clipped, &err) == 0);
    field_free(f);
}

int main(void)
{
    takes_integers();
    finds_the_one_beyond();
    takes_bytes();
    takes_reals();
    return check_end();
}
