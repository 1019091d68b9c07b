/* The known answers are from tests/unit/expand_answers.py. */
#include "sharing/expand.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

enum { N = 10000, N_PLACES = 8 };

static const size_t places[N_PLACES] = { 0, 1, 2, 4095, 4096, 8191, 8192, 9999 };

static const struct answer {
    const char *spec;
    uint64_t elems[N_PLACES];
    uint64_t total; /* of (i + 1) times element i, over the first N */
    uint64_t far;   /* element 5 of piece 2^40 */
} answers[] = {
    { "m31",
      { 0x6aa29b17, 0x26a825ca, 0x31b5a805, 0x19927c12, 0x3f0371fc, 0x70f3b555, 0x37426068,
        0x22d03b1d },
      0xbd15e7a47ff61b,
      0x1d83268c },
    { "m61",
      { 0x6a825caeaa29b17, 0x5ddd530b1b5a805, 0x4ee46fec6fb5a65, 0x76bbb024966ff80,
        0x407d2df3f0371fc, 0x11f1cc49a31c474d, 0x2a87b1a37426068, 0x7e34cbc19bbbe2 },
      0x4b284603472ea17,
      0x120f2c073522cb34 },
    { "goldilocks",
      { 0xa6a825caeaa29b17, 0x5ddd530b1b5a805, 0xa4ee46fec6fb5a65, 0x676bbb024966ff80,
        0x4407d2df3f0371fc, 0x51f1cc49a31c474d, 0xe2a87b1a37426068, 0x607e34cbc19bbbe2 },
      0x4b284603472ea17,
      0x920f2c073522cb34 },
    { "gf256", { 0x17, 0x9b, 0xa2, 0x4f, 0xfc, 0x35, 0x68, 0x38 }, 0x17c00cf3a, 0x3b },
    { "prime:p=65521",
      { 0x9b17, 0xeaa2, 0x25ca, 0xed75, 0x71fc, 0x99cd, 0x6068, 0x6bd9 },
      0x17fa9b99544,
      0x32c3 },
    { "prime:p=5", { 0x3, 0x2, 0x2, 0x2, 0x4, 0x1, 0x0, 0x2 }, 0x5ef24fb, 0x3 },
};

static unsigned char seed[EXPAND_SEED_BYTES];
static struct field *field;

static struct expand *seeded(void)
{
    struct hagg_err err = { 0 };
    struct expand *e = expand_new(field, seed, &err);

    CHECK(e != NULL);
    return e;
}

static void known_answers(const struct answer *a)
{
    size_t size = field_elem_size(field);
    unsigned char *elems = calloc(N, size), one[8] = { 0 };
    struct hagg_err err = { 0 };
    struct expand *e = seeded();
    uint64_t total = 0;

    CHECK(expand_elems(e, 0, elems, N, &err) == 0);
    for (size_t i = 0; i < N_PLACES; i++)
        CHECK(hagg_load(elems, places[i], size) == a->elems[i]);
    for (size_t i = 0; i < N; i++)
        total += (i + 1) * hagg_load(elems, i, size);
    CHECK(total == a->total);
    CHECK(expand_elems(e, (UINT64_C(1) << 40) * EXPAND_PIECE + 5, one, 1, &err) == 0);
    CHECK(hagg_load(one, 0, size) == a->far);
    expand_free(e);
    free(elems);
}

/* Portions of any length, at any place and in any order, are portions of the same elements. */
static void is_the_same_from_anywhere(void)
{
    size_t size = field_elem_size(field), wrong = 0;
    unsigned char *all = calloc(N, size), *some = calloc(N, size);
    struct hagg_err err = { 0 };
    struct expand *e = seeded();
    uint64_t state = 3;

    CHECK(expand_elems(e, 0, all, N, &err) == 0);
    for (int i = 0; i < 300; i++) {
        uint64_t at = reference_next(&state) % (N + 1);
        size_t n = reference_next(&state) % (N - at + 1);

        if (i % 3 == 0) /* a few near the end of a piece */
            at = at % 2 * EXPAND_PIECE + 4090 + at % 10, n = n % 20;
        wrong += expand_elems(e, at, some, n, &err) != 0;
        wrong += memcmp(some, all + at * size, n * size) != 0;
    }
    for (size_t at = 0; at < N; at += 700) {
        size_t n = N - at < 700 ? N - at : 700;

        wrong += expand_elems(e, at, some + at * size, n, &err) != 0;
    }
    CHECK(wrong == 0 && memcmp(some, all, N * size) == 0);
    expand_free(e);
    free(all);
    free(some);
}

/* Every bit of the seed counts. */
static void depends_on_the_seed(void)
{
    unsigned char first[64], other[64];
    struct hagg_err err = { 0 };
    struct expand *e = seeded();
    size_t n = sizeof first / field_elem_size(field), n_equal = 0;

    CHECK(expand_elems(e, 0, first, n, &err) == 0);
    expand_free(e);
    for (size_t bit = 0; bit < 8 * sizeof seed; bit++) {
        seed[bit / 8] ^= 1u << bit % 8;
        e = seeded();
        CHECK(expand_elems(e, 0, other, n, &err) == 0);
        n_equal += memcmp(first, other, n * field_elem_size(field)) == 0;
        expand_free(e);
        seed[bit / 8] ^= 1u << bit % 8;
    }
    CHECK(n_equal == 0);
}

static void wipes_elements(void)
{
    size_t len_bytes = EXPAND_PIECE * field_elem_size(field);
    struct hagg_err err = { 0 };
    unsigned char elem[8];
    struct expand *e;

    alloc_expect_wiped(len_bytes, len_bytes, len_bytes);
    e = seeded();
    CHECK(expand_elems(e, 7, elem, 1, &err) == 0);
    expand_free(e);
    CHECK(alloc_n_wiped() == 1);
    alloc_expect_wiped(SIZE_MAX, 0, 0);
    expand_free(NULL);
}

static void fails_cleanly_without_memory(void)
{
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        struct expand *e;

        alloc_refuse(at);
        e = expand_new(field, seed, &err);
        CHECK((e == NULL) == alloc_refused());
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        expand_free(e);
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
}

int main(void)
{
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < sizeof seed; i++)
        seed[i] = (unsigned char)(7 * i);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        field = field_open(answers[i].spec, &err);
        if (!CHECK(field != NULL))
            break;
        known_answers(&answers[i]);
        is_the_same_from_anywhere();
        depends_on_the_seed();
        wipes_elements();
        fails_cleanly_without_memory();
        field_free(field);
    }
    return check_end();
}
