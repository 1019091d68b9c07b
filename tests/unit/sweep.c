#include "cost/report/sweep.h"

#include "check.h"

static void counts(const char *text, enum parameter parameter, uint64_t n_points, uint64_t sum,
                   uint64_t last)
{
    struct hagg_err err = { 0 };
    struct sweep s;
    uint64_t value, n = 0, total = 0;

    CHECK(sweep_parse(&s, text, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(s.parameter == parameter);
    value = s.first;
    do {
        n++;
        total += value;
    } while (sweep_next(&s, &value));
    CHECK(n == n_points && total == sum && value == last);
}

static void refuses(const char *text)
{
    struct hagg_err err = { 0 };
    struct sweep s;

    CHECK(sweep_parse(&s, text, &err) == -1);
    CHECK(err.status == HAGG_E_USAGE);
}

int main(void)
{
    counts("v=1..25", PARAMETER_V, 25, 325, 25);
    counts("v=7..7", PARAMETER_V, 1, 7, 7);
    counts("reach=2..9..3", PARAMETER_REACH, 3, 15, 8);
    counts("clients=10..9999..x10", PARAMETER_CLIENTS, 3, 1110, 1000);
    counts("clients=10..10000..x10", PARAMETER_CLIENTS, 4, 11110, 10000);
    counts("collude-stations=0..4..4", PARAMETER_COLLUDE_STATIONS, 2, 4, 4);
    counts("seed=0..99999", PARAMETER_SEED, 100000, 4999950000, 99999);
    /* stops at the largest number without overflow */
    counts("seed=18446744073709551614..18446744073709551615", PARAMETER_SEED, 2, UINT64_MAX - 2,
           UINT64_MAX);
    counts("seed=1..18446744073709551615..x4294967296", PARAMETER_SEED, 2, 4294967297, 4294967296);
    counts("seed=0..18446744073709551615..1000000000000000000", PARAMETER_SEED, 19,
           (uint64_t)171 * 1000000000000000000u, 18000000000000000000u);
    refuses("");
    refuses("v");
    refuses("=1..2");
    refuses("v=2..1");
    refuses("v=-1..1");
    refuses("v= 1..2");
    refuses("v=1..2 ");
    refuses("v=1..5..x0");
    refuses("v=0..5..x2");
    refuses("seed=0..100000");
    refuses("seed=0..18446744073709551616");
    return check_end();
}
