#include "fraction.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

static void prints(uint64_t times, uint64_t num, uint64_t den, const char *want,
                   const char *want_decimal)
{
    struct text text = { 0 };
    mpq_t q;

    mpq_init(q);
    fraction_add(q, times, num, den);
    fraction_print(q, &text);
    CHECK_STR(text.bytes, want);
    text_reset(&text);
    fraction_print_decimal(q, &text);
    CHECK_STR(text.bytes, want_decimal);
    text_free(&text);
    mpq_clear(q);
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

int main(void)
{
    prints(1, 103, 3, "103/3 = 34.333", "34.333");
    prints(44, 1, 1, "44", "44.000");
    prints(2, 3, 6, "1", "1.000");
    prints(0, 7, 3, "0", "0.000");
    prints(1, 1, 2000, "1/2000 = 0.001", "0.001"); /* half goes up */
    prints(1, 1, 2001, "1/2001 = 0.000", "0.000");
    prints(1, 9999, 10000, "9999/10000 = 1.000", "1.000");
    prints(UINT64_MAX, UINT64_MAX, 1, "about 340282366920938463426481119284349108225.000",
           "340282366920938463426481119284349108225.000");
    prints(1, UINT64_MAX, UINT64_MAX, "1", "1.000");
    harmonic(10, 2.928968, false);
    harmonic(200, 5.878031, true);
    return check_end();
}
