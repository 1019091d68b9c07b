#include "base/ratio.h"

#include <string.h>

#include "check.h"

static enum ratio_result parse(const char *text, struct ratio *r)
{
    return ratio_parse(text, strlen(text), r);
}

static void is(const char *text, uint32_t num, uint32_t den)
{
    struct ratio r = { 0 };

    CHECK(parse(text, &r) == RATIO_OK);
    CHECK(r.num == num && r.den == den);
}

static void parses_numbers(void)
{
    is("0", 0, 1);
    is("7", 7, 1);
    is("0.1", 1, 10);
    is("0.0", 0, 1);
    is("2.50", 5, 2);
    is("1/3", 1, 3);
    is("6/4", 3, 2);
    is("0/5", 0, 1);
    is("1073741824", RATIO_MOST, 1);
    is("1/1073741824", 1, RATIO_MOST);
    is("0.000000001", 1, 1000000000);
    /* in lowest terms it is small enough */
    is("2000000000/1000000", 2000, 1);
}

static void refuses_others(void)
{
    static const char *const malformed[] = { "",      "-1",   "+1",    ".5",   "1.",  "1/",  "/2",
                                             "1/0",   "01",   "1e3",   "1/03", "0x1", " 1",  "1 ",
                                             "1.5/2", "1..2", "1/2/3", "nan",  "1,5", "00.5" };
    static const char *const large[] = { "1073741825",
                                         "1/1073741825",
                                         "99999999999999999999999",
                                         "0.0000000000000000000001",
                                         "0.0000000001",
                                         "1/99999999999999999999" };
    struct ratio r;

    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        CHECK(parse(malformed[i], &r) == RATIO_MALFORMED);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        CHECK(parse(large[i], &r) == RATIO_TOO_LARGE);
}

static void prints(uint64_t num, uint64_t den, const char *want)
{
    struct text text = { 0 };

    ratio_print(num, den, &text);
    CHECK(text_ok(&text));
    CHECK_STR(text.bytes, want);
    text_free(&text);
}

static void prints_decimals_if_exact(void)
{
    prints(0, 7, "0");
    prints(14, 7, "2");
    prints(1, 10, "0.1");
    prints(10, 4, "2.5");
    prints(1, 1000000, "0.000001");
    prints(1, 64, "0.015625");
    prints(1, 128, "1/128");
    prints(2, 6, "1/3");
    prints(1001, 1000, "1.001");
}

int main(void)
{
    parses_numbers();
    refuses_others();
    prints_decimals_if_exact();
    return check_end();
}
