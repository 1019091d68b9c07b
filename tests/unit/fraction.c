#include "cost/count/fraction.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "base/splitmix.h"

/* Prints times num / den with two functions. */
static void prints(uint64_t times, uint64_t num, uint64_t den,
                   void (*const print[2])(const mpq_t, struct text *), const char *const want[2])
{
    struct text text = { 0 };
    mpq_t q;

    mpq_init(q);
    fraction_add(q, times, num, den);
    for (int i = 0; i < 2; i++) {
        text_reset(&text);
        print[i](q, &text);
        CHECK_STR(text.bytes, want[i]);
    }
    text_free(&text);
    mpq_clear(q);
}

static void shows(uint64_t times, uint64_t num, uint64_t den, const char *want,
                  const char *want_decimal)
{
    prints(times, num, den,
           (void (*const[])(const mpq_t, struct text *)){ fraction_print, fraction_print_decimal },
           (const char *const[]){ want, want_decimal });
}

/* Checks the formats for programs and for people. */
static void digits(uint64_t num, uint64_t den, const char *want, const char *want_seven)
{
    prints(1, num, den,
           (void (*const[])(const mpq_t, struct text *)){ fraction_print_digits,
                                                          fraction_print_seven },
           (const char *const[]){ want, want_seven });
}

/* The sum of 1/1 .. 1/n, whose denominator soon has more digits than any machine word. */
static void harmonic(unsigned n, double want, bool is_long)
{
    struct text text = { 0 };
    mpq_t sum;

    mpq_init(sum);
    for (unsigned i = 1; i <= n; i++)
        fraction_add(sum, 1, 1, i);
    fraction_print(sum, &text);
    CHECK((strncmp(text.bytes, "about ", 6) == 0) == is_long);
    CHECK(fabs(strtod(is_long ? text.bytes + 6 : strchr(text.bytes, '=') + 1, NULL) - want) <
          0.00051);
    text_free(&text);
    mpq_clear(sum);
}

/* Compares random fractions with doubles, which are accurate to their last digit. */
static void random_digits(void)
{
    uint64_t state = 1;

    for (int i = 0; i < 2000; i++) {
        uint64_t num = (splitmix_next(&state) >> (splitmix_next(&state) % 40 + 20)) + 1;
        uint64_t den = (splitmix_next(&state) >> (splitmix_next(&state) % 30 + 34)) + 1;
        struct text text = { 0 };
        size_t len;
        mpq_t q;

        mpq_init(q);
        fraction_add(q, 1, num, den);
        fraction_print_digits(q, &text);
        len = strlen(text.bytes);
        CHECK(fabs(strtod(text.bytes, NULL) / ((double)num / (double)den) - 1) < 1e-14);
        CHECK(!strchr(text.bytes, '.') || text.bytes[len - 1] != '0');
        text_free(&text);
        mpq_clear(q);
    }
}

int main(void)
{
    digits(0, 1, "0", "0");
    digits(44, 1, "44", "44");
    digits(103, 3, "34.3333333333333", "34.33333");
    digits(2, 3, "0.666666666666667", "0.6666667");
    digits(1, 3000, "0.000333333333333333", "0.0003333333");
    digits(1, 1000, "0.001", "0.001");
    digits(2000, 3, "666.666666666667", "666.6667");
    digits(100000, 1, "100000", "100000");
    digits(12345678, 1, "12345678", "12345680");
    digits(999999999999999999, 1, "1000000000000000000", "1000000000000000000");
    digits(9999999, 10000000, "0.9999999", "0.9999999");
    digits(99999999, 100000000, "0.99999999", "1");
    digits(99999999, 10, "9999999.9", "10000000");
    digits(UINT64_MAX, 2, "9223372036854780000", "9223372000000000000");
    random_digits();
    shows(1, 103, 3, "103/3 = 34.333", "34.333");
    shows(44, 1, 1, "44", "44.000");
    shows(2, 3, 6, "1", "1.000");
    shows(0, 7, 3, "0", "0.000");
    shows(1, 1, 2000, "1/2000 = 0.001", "0.001"); /* a half is rounded up */
    shows(1, 1, 2001, "1/2001 = 0.000", "0.000");
    shows(1, 9999, 10000, "9999/10000 = 1.000", "1.000");
    shows(UINT64_MAX, UINT64_MAX, 1, "about 340282366920938463426481119284349108225.000",
          "340282366920938463426481119284349108225.000");
    shows(1, UINT64_MAX, UINT64_MAX, "1", "1.000");
    harmonic(10, 2.928968, false);
    harmonic(200, 5.878031, true);
    return check_end();
}
