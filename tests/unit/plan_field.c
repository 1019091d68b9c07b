#include "plan/plan_field.h"

#include <stdio.h>

#include "check.h"
#include "plan/plan.h"

/* Checks the field of a topology, which must parse. */
static void chooses(const char *text, const char *want)
{
    struct hagg_err err = { 0 };
    struct topology t;

    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK_STR(t.field, TOPOLOGY_FIELD_AUTO);
    CHECK(plan_field_settle(&t, &err) == 0);
    CHECK_STR(t.field, want);
    topology_free(&t);
}

/* The same with n clients, b bits and three stations. */
static void chooses_for(uint32_t n, uint32_t bits, const char *want)
{
    char text[200];

    snprintf(text, sizeof text,
             "minimum 1\nstations 3\nclient 1-%u via 1-3\nquantize bits=%u clip=1", n, bits);
    chooses(text, want);
}

/* By hand: n (2^b - 2), the number of sums but one, must be below the order. */
static void chooses_by_the_sums(void)
{
    chooses_for(125, 2, "prime:p=251"); /* 250 */
    chooses_for(126, 2, "prime:p=65521");
    chooses_for(41, 3, "prime:p=251"); /* 246 */
    chooses_for(42, 3, "prime:p=65521");
    chooses_for(1, 7, "prime:p=251"); /* 126 */
    chooses_for(1, 8, "prime:p=65521");
    chooses_for(32760, 2, "prime:p=65521"); /* 65520 */
    chooses_for(32761, 2, "m31");
    chooses_for(16, 12, "prime:p=65521"); /* 65504 */
    chooses_for(17, 12, "m31");
    chooses_for(32769, 16, "m31"); /* 2147483646 */
    chooses_for(32770, 16, "m61");
    chooses_for(2, 60, "m61"); /* 2^61 - 4 */
    chooses_for(3, 60, "goldilocks");
    chooses_for(1000, 62, "goldilocks"); /* too small, as any */
}

/* Nothing is known about integers and sample counts, and bits=max uses the room that there is. */
static void is_m31_if_numbers_are_open(void)
{
    chooses("stations 3\nclient 1-9 via 1-3", "m31");
    chooses("field auto\nstations 3\nclient 1-9 via 1-3", "m31");
    chooses("quantize bits=max clip=1\nstations 3\nclient 1-9 via 1-3", "m31");
    chooses("quantize bits=2 clip=1\nsamples\nstations 3\nclient 1-9 via 1-3", "m31");
    chooses("quantize bits=40 clip=1\nsamples\nstations 3\nclient 1-9 via 1-3", "m61");
}

static void chooses_integers(uint32_t n, const char *integers, const char *want)
{
    char text[200];

    snprintf(text, sizeof text, "minimum 1\nstations 3\nclient 1-%u via 1-3\n%s", n, integers);
    chooses(text, want);
}

/* By hand: n (hi - lo) is at most the order less 1. */
static void chooses_by_declared_integers(void)
{
    chooses_integers(250, "integers 0..1", "prime:p=251");
    chooses_integers(251, "integers 0..1", "prime:p=65521");
    chooses_integers(25, "integers -13..-3", "prime:p=251");
    chooses_integers(25, "integers 1000000..1000010", "prime:p=251");
    chooses_integers(25, "integers -5..6", "prime:p=65521");
    chooses_integers(256, "integers u1", "prime:p=65521"); /* 65280 */
    chooses_integers(257, "integers i1", "m31");
    chooses_integers(32768, "integers u2", "m31"); /* 2^31 - 32768 */
    chooses_integers(32769, "integers i2", "m61");
    chooses_integers(1, "integers -4611686018427387904..4611686018427387904", "goldilocks");
    /* samples are never negative */
    chooses_integers(25, "integers 0..1\nsamples most=10", "prime:p=251");
    chooses_integers(25, "integers 0..1\nsamples most=11", "prime:p=65521");
    chooses_integers(25, "integers 0..1\nsamples", "m31");
    chooses_integers(25, "quantize bits=2 clip=1\nsamples most=10", "prime:p=251");
    chooses_integers(25, "samples most=10", "m31");
}

/* By hand: levels are integers from 0, a sign is 0 or 1. */
static void chooses_by_levels(void)
{
    chooses_integers(250, "quantize levels=2 clip=1", "prime:p=251");
    chooses_integers(251, "quantize levels=2 clip=1", "prime:p=65521");
    chooses_integers(125, "quantize ternary clip=1", "prime:p=251");
    chooses_integers(126, "quantize ternary clip=1", "prime:p=65521");
    chooses_integers(250, "quantize sign clip=1", "prime:p=251");
    chooses_integers(251, "quantize sign clip=1", "prime:p=65521");
    chooses_integers(10, "quantize levels=6553 clip=1", "prime:p=65521"); /* 65520 */
    chooses_integers(10, "quantize levels=6554 clip=1", "m31");
}

#define BITS "quantize bits=2 clip=1\n"

/* Stations, and half as many segments as the largest sharing has parts. */
static void chooses_by_the_points(void)
{
    /* one segment */
    chooses(BITS "stations 250\nclient 1-2 via 1-3", "prime:p=251");
    chooses(BITS "stations 251\nclient 1-2 via 1-3", "prime:p=65521");
    chooses(BITS "stations 250\nclient 1-2 via 1-4", "prime:p=65521");
    chooses(BITS "stations 249\nclient 1-2 via 1-5\nclient 3 via 1 2", "prime:p=251");
    chooses(BITS "stations 249\nclient 1-2 via 1-6", "prime:p=65521");
    chooses(BITS "stations 249\nclient 1-2 via 1-6\nclient 3 via 1-5", "prime:p=65521");
    /* 167 + ceil((167 - 1) / 2) = 250, 168 + ceil((168 - 1) / 2) = 252 */
    chooses(BITS "stations 167\nclient 1-2 via 1-167", "prime:p=251");
    chooses(BITS "stations 168\nclient 1-2 via 1-168", "prime:p=65521");
    chooses(BITS "collude partial stations=3\ndrop stations=2\nstations 169\nclient 1-2 via 1-169",
            "prime:p=251");
    chooses(BITS "collude partial stations=3\nstations 169\nclient 1-2 via 1-169", "prime:p=65521");
    /* relays have points from 1 */
    chooses(
        BITS
        "stations 1\ncollude partial stations=0\nrelays 250\nstation 1 via 1-250\nclient 1-2 via 1",
        "prime:p=251");
    chooses(
        BITS
        "stations 1\ncollude partial stations=0\nrelays 251\nstation 1 via 1-251\nclient 1-2 via 1",
        "prime:p=65521");
    chooses(BITS "stations 3\nsegments 248\nclient 1-2 via 1-3", "prime:p=251");
    chooses(BITS "stations 3\nsegments 249\nclient 1-2 via 1-3", "prime:p=65521");
}

static void keeps_a_stated_field(void)
{
    static const char text[] =
        "field prime:p=7\nstations 2\nclient 1-9 via 1 2\nquantize bits=9 clip=1";
    struct hagg_err err = { 0 };
    struct topology t;

    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
    CHECK(plan_field_settle(&t, &err) == 0);
    CHECK_STR(t.field, "prime:p=7");
    topology_free(&t);
}

/* By hand: 20 clients with 16 bits have m31; 20 (2^11 - 2) < 65521 and 20 (2^3 - 2) < 251. */
static void finds_shorter_elements(void)
{
    static const char text[] = "stations 3\nclient 1-20 via 1-3\nquantize bits=16 clip=1";
    struct plan_field_other others[PLAN_FIELD_OTHERS];
    struct hagg_err err = { 0 };
    struct topology t;

    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
    CHECK(plan_field_others(&t, 4, others, &err) == 2);
    CHECK_STR(others[0].field, "prime:p=65521");
    CHECK(others[0].elem_size == 2 && others[0].quant.bits == 11);
    CHECK_STR(others[1].field, "prime:p=251");
    CHECK(others[1].elem_size == 1 && others[1].quant.bits == 3);
    CHECK(plan_field_others(&t, 8, others, &err) == 3);
    CHECK_STR(others[0].field, "m31");
    CHECK(others[0].elem_size == 4 && others[0].quant.bits == 16);
    CHECK(plan_field_others(&t, 1, others, &err) == 0);
    /* with a sample count the numbers are open */
    t.samples = true;
    CHECK(plan_field_others(&t, 4, others, &err) == 0);
    CHECK(plan_field_others(&t, 8, others, &err) == 1);
    topology_free(&t);
}

/* Checks the first field with elements of less than 4 bytes, and returns what it has. */
static struct plan_field_other shorter(const char *lines, const char *want)
{
    struct plan_field_other others[PLAN_FIELD_OTHERS] = { 0 };
    struct hagg_err err = { 0 };
    struct topology t;
    char text[200];

    snprintf(text, sizeof text, "stations 3\nclient 1-20 via 1-3\n%s", lines);
    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
    CHECK(plan_field_others(&t, 4, others, &err) == 2);
    CHECK_STR(others[0].field, "prime:p=65521");
    CHECK_STR(others[1].field, "prime:p=251");
    topology_free(&t);
    return strcmp(want, others[0].field) == 0 ? others[0] : others[1];
}

/* By hand: 65520 / 20 = 3276 and 250 / 20 = 12.5. */
static void finds_numbers_for_shorter_elements(void)
{
    struct plan_field_other o = shorter("quantize levels=100000 clip=1", "prime:p=65521");

    CHECK(o.quant.levels == 3277);
    o = shorter("quantize levels=100000 clip=1", "prime:p=251");
    CHECK(o.quant.levels == 13 && o.quant.clip == 1);
    CHECK(shorter("quantize levels=14 clip=1", "prime:p=65521").quant.levels == 14);
    o = shorter("integers -1000..4000\nsamples most=13", "prime:p=65521");
    CHECK(o.integers.lo == -1000 && o.integers.hi == 2276 && o.most_samples == 13);
    o = shorter("integers -1000..4000\nsamples most=13", "prime:p=251");
    CHECK(o.integers.lo == -1000 && o.integers.hi == -988 && o.most_samples == 12);
    o = shorter("integers 100000000000000000..100000000000005000", "prime:p=251");
    CHECK(o.integers.hi == 100000000000000012);
    o = shorter("integers -400000000000000000..400000000000000000", "prime:p=251");
    CHECK(o.integers.hi == -399999999999999988);
}

/* With 251 clients no integers fit a byte, and no samples. */
static void finds_no_numbers_where_none_fit(void)
{
    static const char *const lines[] = { "quantize levels=3 clip=1", "integers 0..9",
                                         "quantize bits=4 clip=1",
                                         "integers 0..1\nsamples most=8" };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct plan_field_other others[PLAN_FIELD_OTHERS];
        struct hagg_err err = { 0 };
        struct topology t;
        char text[200];

        snprintf(text, sizeof text, "stations 3\nclient 1-251 via 1-3\n%s", lines[i]);
        CHECK(topology_parse(&t, "t", text, strlen(text), &err) == 0);
        CHECK(plan_field_others(&t, 2, others, &err) == 0);
        CHECK(plan_field_others(&t, 4, others, &err) == 1);
        topology_free(&t);
    }
}

int main(void)
{
    chooses_by_the_sums();
    is_m31_if_numbers_are_open();
    chooses_by_declared_integers();
    chooses_by_levels();
    chooses_by_the_points();
    keeps_a_stated_field();
    finds_shorter_elements();
    finds_numbers_for_shorter_elements();
    finds_no_numbers_where_none_fit();
    return check_end();
}
