#include "sharing/uniform.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "reference.h"

static struct hagg_err err;

static struct field *need(const char *spec)
{
    struct field *f = field_open(spec, &err);

    if (!f) {
        fprintf(stderr, "field '%s': %s\n", spec, err.text);
        exit(1);
    }
    return f;
}

/* Checks the elements that a field makes from these bytes, and how many bytes are left. */
static void makes(const char *spec, const void *bytes, size_t n_bytes, const void *want, size_t n,
                  size_t n_left)
{
    struct field *f = need(spec);
    unsigned char out[400];
    struct random *r;
    int ends[2], left = -1;

    CHECK(pipe(ends) == 0 && write(ends[1], bytes, n_bytes) == (ssize_t)n_bytes);
    close(ends[1]);
    r = random_open(feed_path(ends[0]), &err);
    memset(out, 0x99, sizeof out);
    CHECK(uniform_elems(f, r, out, n, &err) == 0);
    CHECK(memcmp(out, want, n * field_elem_size(f)) == 0);
    CHECK(out[n * field_elem_size(f)] == 0x99);
    CHECK(ioctl(ends[0], FIONREAD, &left) == 0 && (size_t)left == n_left);
    random_free(r);
    close(ends[0]);
    field_free(f);
}

/* m31 uses 31 bits of four bytes, and 2^31 - 1 is not an element. */
static void rejects_in_m31(void)
{
    static const unsigned char bytes[] = {
        0xff, 0xff, 0xff, 0xff, /* rejected */
        0x01, 0x00, 0x00, 0x00, /* 1 */
        0xff, 0xff, 0xff, 0x7f, /* rejected */
        0xff, 0xff, 0xff, 0x7f, /* rejected */
        0xfe, 0xff, 0xff, 0x7f, /* 2^31 - 2 */
        0x05, 0x00, 0x00, 0x80, /* 5 */
        0xfe, 0xff, 0xff, 0xff, /* 2^31 - 2 */
        0x07, 0x00, 0x00, 0x00, /* 7 */
    };
    static const unsigned char want[] = { 1, 0, 0,    0,    0xfe, 0xff, 0xff, 0x7f, 5, 0,
                                          0, 0, 0xfe, 0xff, 0xff, 0x7f, 7,    0,    0, 0 };

    makes("m31", bytes, sizeof bytes, want, 0, 32);
    makes("m31", bytes, sizeof bytes, want, 1, 24);
    makes("m31", bytes, sizeof bytes, want, 2, 12);
    makes("m31", bytes, sizeof bytes, want, 3, 8);
    makes("m31", bytes, sizeof bytes, want, 5, 0);
}

/* goldilocks uses all 64 bits: p and 2^64 - 1 are not elements, p - 1 and 0 are. */
static void rejects_in_goldilocks(void)
{
    static const unsigned char bytes[] = {
        0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, /* p */
        0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, /* p - 1 */
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* 2^64 - 1 */
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0 */
        0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, /* p - 2 */
    };
    static const unsigned char want[] = { 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
                                          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                          0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff };

    makes("goldilocks", bytes, sizeof bytes, want, 1, 24);
    makes("goldilocks", bytes, sizeof bytes, want, 2, 8);
    makes("goldilocks", bytes, sizeof bytes, want, 3, 0);
}

/* m61 uses 61 bits of eight bytes. */
static void rejects_in_m61(void)
{
    static const unsigned char bytes[] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* rejected */
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, /* rejected: p */
        0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, /* p - 1 */
        0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 3 */
    };

    makes("m61", bytes, sizeof bytes, bytes + 16, 1, 8);
    makes("m61", bytes, sizeof bytes, bytes + 16, 2, 0);
}

static void takes_every_byte_in_gf256(void)
{
    unsigned char bytes[256];

    for (size_t i = 0; i < 256; i++)
        bytes[i] = (unsigned char)(255 - i);
    makes("gf256", bytes, 256, bytes, 256, 0);
    makes("gf256", bytes, 256, bytes, 100, 156);
}

/* Bytes that are a canonical element give that element, in every field. */
static void keeps_canonical_elements(void)
{
    for (size_t i = 0; i < N_REFERENCES; i++) {
        const struct reference *ref = &references[i];
        size_t size = reference_elem_size(ref);
        unsigned char bytes[30 * 8];
        uint64_t state = i;

        for (size_t j = 0; j < 30; j++)
            hagg_store(bytes, j, size, reference_elem(ref, &state));
        makes(ref->spec, bytes, 30 * size, bytes, 30, 0);
    }
}

/* Tests every value of one try: each element must occur equally often. */
static void is_exactly_uniform(const char *spec, size_t order, size_t elem_size)
{
    size_t n_tries = (size_t)1 << 8 * elem_size, least = SIZE_MAX, most = 0, n_made = 0;
    unsigned char *bytes = malloc(n_tries * elem_size), *out = malloc(n_tries * elem_size);
    size_t *count = calloc(order, sizeof *count);
    struct field *f = need(spec);
    struct random *r;

    CHECK(field_elem_size(f) == elem_size);
    for (size_t i = 0; i < n_tries; i++)
        hagg_store(bytes, i, elem_size, i);
    r = random_open(feed_file(bytes, n_tries * elem_size), &err);
    /* one at a time, until the source has too few bytes left */
    while (uniform_elems(f, r, out, 1, &err) == 0) {
        uint64_t elem = hagg_load(out, 0, elem_size);

        if (!CHECK(elem < order))
            break;
        count[elem]++;
        n_made++;
    }
    for (size_t i = 0; i < order; i++) {
        least = count[i] < least ? count[i] : least;
        most = count[i] > most ? count[i] : most;
    }
    CHECK(least == most && least > 0 && n_made == order * least);
    /* at most half of the tries are rejected */
    CHECK(n_made >= n_tries / 2);
    random_free(r);
    field_free(f);
    free(count);
    free(out);
    free(bytes);
}

/* One call and many calls give the same elements from the same bytes. */
static void does_not_depend_on_how_it_is_asked(const char *spec)
{
    enum { N = 5000, TRIES = 12000 };
    struct field *f = need(spec);
    size_t size = field_elem_size(f), at = 0;
    unsigned char *bytes = malloc(TRIES * size), *whole = malloc(N * size),
                  *parts = malloc(N * size);
    uint64_t state = 7;
    struct random *r;

    for (size_t i = 0; i < TRIES * size; i++)
        bytes[i] = (unsigned char)(reference_next(&state) % 8 == 0 ? 0xff : reference_next(&state));
    r = random_open(feed_file(bytes, TRIES * size), &err);
    CHECK(uniform_elems(f, r, whole, N, &err) == 0);
    CHECK(field_check(f, whole, N) == N);
    random_free(r);
    r = random_open(feed_file(bytes, TRIES * size), &err);
    for (size_t step = 1; at < N; at += step, step = step % 70 + 1) {
        size_t n = N - at < step ? N - at : step;

        CHECK(uniform_elems(f, r, parts + at * size, n, &err) == 0);
    }
    CHECK(memcmp(whole, parts, N * size) == 0);
    random_free(r);
    field_free(f);
    free(parts);
    free(whole);
    free(bytes);
}

static void ends_with_its_source(void)
{
    static const unsigned char bytes[] = { 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };
    struct field *f = need("m31");
    struct random *r = random_open(feed_file(bytes, sizeof bytes), &err);
    unsigned char out[8];

    err = (struct hagg_err){ 0 };
    CHECK(uniform_elems(f, r, out, 2, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK(strstr(err.text, "ends too early: give a random source with more bytes") != NULL);
    random_free(r);
    field_free(f);
}

/* Elements from the generator are canonical, spread over the whole field, and equal only by
 * chance. */
static void draws_from_the_generator(const struct reference *ref)
{
    enum { N = 20000 };
    struct field *f = need(ref->spec);
    struct random *r = random_new(&err);
    size_t size = field_elem_size(f), n_low = 0, n_equal = 0;
    unsigned char *a = malloc(N * size), *b = malloc(N * size);
    /* expected numbers; 500 is at least seven standard deviations */
    double low = N * (double)(ref->order / 2) / (double)ref->order, same = N / (double)ref->order;

    CHECK(r && uniform_elems(f, r, a, N, &err) == 0 && uniform_elems(f, r, b, N, &err) == 0);
    CHECK(field_check(f, a, N) == N && field_check(f, b, N) == N);
    for (size_t i = 0; i < N; i++) {
        n_low += hagg_load(a, i, size) < ref->order / 2;
        n_equal += hagg_load(a, i, size) == hagg_load(b, i, size);
    }
    CHECK((double)n_low > low - 500 && (double)n_low < low + 500);
    CHECK((double)n_equal > same - 500 && (double)n_equal < same + (same < 1 ? 3 : 500));
    free(a);
    free(b);
    random_free(r);
    field_free(f);
}

int main(void)
{
    rejects_in_m31();
    rejects_in_goldilocks();
    rejects_in_m61();
    takes_every_byte_in_gf256();
    keeps_canonical_elements();
    is_exactly_uniform("prime:p=2", 2, 1);
    is_exactly_uniform("prime:p=3", 3, 1);
    is_exactly_uniform("prime:p=7", 7, 1);
    is_exactly_uniform("prime:p=131", 131, 1);
    is_exactly_uniform("prime:p=251", 251, 1);
    is_exactly_uniform("gf256", 256, 1);
    is_exactly_uniform("prime:p=257", 257, 2);
    is_exactly_uniform("prime:p=65521", 65521, 2);
    does_not_depend_on_how_it_is_asked("prime:p=7");
    does_not_depend_on_how_it_is_asked("prime:p=1000003");
    does_not_depend_on_how_it_is_asked("m31");
    does_not_depend_on_how_it_is_asked("m61");
    does_not_depend_on_how_it_is_asked("goldilocks");
    ends_with_its_source();
    for (size_t i = 0; i < N_REFERENCES; i++)
        draws_from_the_generator(&references[i]);
    return check_end();
}
