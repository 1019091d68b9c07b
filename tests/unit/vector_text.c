#include "vector/vector_text.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "little_endian.h"

/* Parses a copy with room for exactly one more byte. The caller frees *data, also on failure. */
static int parse_bytes(const char *text, size_t len, const char *type, void **data, size_t *n,
                       struct hagg_err *err)
{
    char *copy = malloc(len + 1);
    int status;

    memcpy(copy, text, len);
    copy[len] = 'x';
    memset(err, 0, sizeof *err);
    status = vector_text_parse(copy, len, type, "f", data, n, err);
    free(copy);
    return status;
}

static void check_doubles(const char *text, const double *want, size_t n_want)
{
    struct hagg_err err;
    void *data;
    size_t n;

    CHECK(parse_bytes(text, strlen(text), "f8", &data, &n, &err) == 0);
    CHECK_STR(err.text, "");
    if (CHECK(n == n_want))
        for (size_t i = 0; i < n; i++)
            CHECK(memcmp((double *)data + i, &want[i], sizeof *want) == 0);
    free(data);
}

#define DOUBLES(text, ...)                                                                         \
    check_doubles(text, (const double[]){ __VA_ARGS__ },                                           \
                  sizeof(const double[]){ __VA_ARGS__ } / sizeof(double))

static void reads_lines(void)
{
    check_doubles("", NULL, 0);
    check_doubles("\n\n  \n# nothing\n\t#", NULL, 0);
    DOUBLES("1", 1.0);
    DOUBLES("1\n", 1.0);
    DOUBLES("1\n2", 1.0, 2.0);
    DOUBLES("# two\n\n 1.5 \r\n\t-2.25\t# the second\n\n", 1.5, -2.25);
    DOUBLES("1#2\n3", 1.0, 3.0);
    DOUBLES("0\n-0\n+0", 0.0, -0.0, 0.0);
    DOUBLES("1.\n.5\n-1.e2\n+.5E-1\n007", 1.0, 0.5, -100.0, 0.05, 7.0);
    DOUBLES("inf\n-Infinity\n+INF", INFINITY, -INFINITY, INFINITY);
    DOUBLES("1e-400\n4.9406564584124654e-324\n2.2250738585072011e-308", 0.0, 0x1p-1074,
            0x0.fffffffffffffp-1022);
    /* near halfway cases, which a careless parser rounds wrongly */
    DOUBLES("9007199254740993\n9007199254740992.99999999999\n9007199254740993.00000000001",
            9007199254740992.0, 9007199254740992.0, 9007199254740994.0);
    DOUBLES("1.7976931348623157e308\n0.1000000000000000055511151231257827021181583404541015625",
            DBL_MAX, 0.1);
}

static void reads_nan(void)
{
    struct hagg_err err;
    void *data;
    size_t n;

    CHECK(parse_bytes("nan\n-NaN", 8, "f8", &data, &n, &err) == 0);
    CHECK(n == 2 && isnan(((double *)data)[0]) && isnan(((double *)data)[1]));
    free(data);
}

/* 1 + 2^-24 + 2^-54 is above the midpoint of two floats, but rounded to a double it is the
 * midpoint. */
static void rounds_floats_once(void)
{
    static const char text[] = "1.0000000596046448330\n3.4028235e38\n1e-46\n0.1";
    static const float want[] = { 0x1.000002p0f, FLT_MAX, 0.0f, 0.1f };
    struct hagg_err err;
    void *data;
    size_t n;

    CHECK(parse_bytes(text, strlen(text), "f4", &data, &n, &err) == 0);
    CHECK(n == 4 && memcmp(data, want, sizeof want) == 0);
    free(data);
}

static void reads_integers_to_their_limits(void)
{
    static const struct {
        const char *type, *min, *max, *below, *above;
    } cases[] = {
        { "i1", "-128", "127", "-129", "128" },
        { "i2", "-32768", "32767", "-32769", "32768" },
        { "i4", "-2147483648", "2147483647", "-2147483649", "2147483648" },
        { "i8", "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
          "9223372036854775808" },
        { "u1", "0", "255", "-1", "256" },
        { "u2", "0", "65535", "-1", "65536" },
        { "u4", "0", "4294967295", "-1", "4294967296" },
        { "u8", "0", "18446744073709551615", "-1", "18446744073709551616" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = (size_t)(cases[i].type[1] - '0');
        char text[64], want[64];
        unsigned char low[8], high[8];
        struct hagg_err err;
        void *data;
        size_t n;

        memset(low, 0, sizeof low);
        memset(high, 0xff, sizeof high);
        if (cases[i].type[0] == 'i') {
            low[size - 1] = 0x80;
            high[size - 1] = 0x7f;
        }
        snprintf(text, sizeof text, "%s\n+%s\n", cases[i].min[0] == '-' ? cases[i].min : "00",
                 cases[i].max);
        CHECK(parse_bytes(text, strlen(text), cases[i].type, &data, &n, &err) == 0);
        CHECK(n == 2);
        little_endian(data, n, size);
        CHECK(memcmp(data, low, size) == 0);
        CHECK(memcmp((unsigned char *)data + size, high, size) == 0);
        free(data);

        snprintf(want, sizeof want, "f: line 2: does not fit type %s", cases[i].type);
        snprintf(text, sizeof text, "1\n%s\n3", cases[i].below);
        CHECK(parse_bytes(text, strlen(text), cases[i].type, &data, &n, &err) == -1);
        CHECK_STR(err.text, want);
        free(data);
        snprintf(text, sizeof text, "1\n%s\n3", cases[i].above);
        CHECK(parse_bytes(text, strlen(text), cases[i].type, &data, &n, &err) == -1);
        CHECK_STR(err.text, want);
        free(data);
    }
}

static void check_bad(const char *text, size_t len, const char *type, const char *why)
{
    struct hagg_err err;
    char want[128];
    void *data;
    size_t n;

    CHECK(parse_bytes(text, len, type, &data, &n, &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want, "f: line %s", why);
    CHECK_STR(err.text, want);
    free(data);
}

static void refuses_what_is_no_number(void)
{
    static const char *const no_number[] = {
        "x",
        "1 2",
        "1,5",
        "1,",
        "0x10",
        "0x1p3",
        "nan(1)",
        "1e",
        "1e+",
        "e5",
        ".",
        "+",
        "-",
        "--1",
        "+-1",
        "1.2.3",
        "1e5.",
        "infin",
        "1d5",
        "1_000",
        "1f",
        "\"1\"",
        "\xef\xbb\xbf+1",
        "1\v2",
        "1L",
        "in",
    };
    static const char *const no_integer[] = {
        "1.0", "1e3", "nan", "inf", "", "0x1", "1 2", "+", "-"
    };
    char text[64];

    for (size_t i = 0; i < sizeof no_number / sizeof *no_number; i++) {
        snprintf(text, sizeof text, "1\n# 2\n%s", no_number[i]);
        check_bad(text, strlen(text), "f8", "3: is not a number");
        check_bad(text, strlen(text), "f4", "3: is not a number");
        check_bad(text, strlen(text), "i8", "3: is not an integer");
    }
    for (size_t i = 0; i < sizeof no_integer / sizeof *no_integer; i++) {
        snprintf(text, sizeof text, "%s.\n", no_integer[i]);
        check_bad(text, strlen(text), "u4", "1: is not an integer");
    }
    check_bad("1\0002\n", 4, "f8", "1: is not a number");
    check_bad("\0", 1, "i4", "1: is not an integer");
    check_bad("1\n\0# x", 6, "f8", "2: is not a number");
    check_bad("1e309", 5, "f8", "1: does not fit type f8");
    check_bad("\n\n-1.8e308\n", 11, "f8", "3: does not fit type f8");
    check_bad("3.4028236e38", 12, "f4", "1: does not fit type f4");
}

static void takes_long_numbers(void)
{
    char text[5002];
    struct hagg_err err;
    void *data;
    size_t n;

    memset(text, '0', sizeof text);
    text[1] = '.';
    text[5000] = '1';
    text[5001] = '\n';
    CHECK(parse_bytes(text, sizeof text, "f8", &data, &n, &err) == 0);
    CHECK(n == 1 && *(double *)data == 0.0);
    free(data);
}

static void check_format(const void *elems, size_t n, const char *type, const char *want)
{
    char out[1024];
    size_t done, len = vector_text_format(elems, n, type, out, sizeof out - 1, &done);

    out[len] = 0;
    CHECK(done == n);
    CHECK_STR(out, want);
}

static void writes_the_fewest_digits(void)
{
    static const double f8[] = { 0.1,  1.0 / 3,  -0.0,      1e23,    123456789012345680,
                                 1e22, INFINITY, -INFINITY, DBL_MAX, -0x1p-1022 };
    static const float f4[] = { 0.1f, 1.0f / 3, 16777216.0f, FLT_MAX, -0x1p-126f };

    check_format(f8, 10, "f8",
                 "0.1\n0.3333333333333333\n-0\n1e+23\n1.2345678901234568e+17\n1e+22\ninf\n-inf\n"
                 "1.7976931348623157e+308\n-2.2250738585072014e-308\n");
    check_format(f4, 5, "f4", "0.1\n0.33333334\n16777216\n3.4028235e+38\n-1.1754944e-38\n");
    check_format(&(double){ NAN }, 1, "f8", "nan\n");
    check_format(&(float){ NAN }, 1, "f4", "nan\n");
}

static void writes_integers(void)
{
    check_format((const int8_t[]){ INT8_MIN, -1, INT8_MAX }, 3, "i1", "-128\n-1\n127\n");
    check_format((const int16_t[]){ INT16_MIN, INT16_MAX }, 2, "i2", "-32768\n32767\n");
    check_format((const int32_t[]){ INT32_MIN, INT32_MAX }, 2, "i4", "-2147483648\n2147483647\n");
    check_format((const int64_t[]){ INT64_MIN, INT64_MAX }, 2, "i8",
                 "-9223372036854775808\n9223372036854775807\n");
    check_format((const uint8_t[]){ 0, UINT8_MAX }, 2, "u1", "0\n255\n");
    check_format((const uint16_t[]){ 0, UINT16_MAX }, 2, "u2", "0\n65535\n");
    check_format((const uint32_t[]){ 0, UINT32_MAX }, 2, "u4", "0\n4294967295\n");
    check_format((const uint64_t[]){ 0, UINT64_MAX }, 2, "u8", "0\n18446744073709551615\n");
}

static void stops_where_room_ends(void)
{
    static const double worst[] = { -0x1p-1022, -0x1p-1022, -0x1p-1022 };

    for (size_t size = 0; size < 100; size++) {
        char *out = malloc(size ? size : 1);
        size_t done, len = vector_text_format(worst, 3, "f8", out, size, &done);

        CHECK(len == 25 * done);
        CHECK(done == (size < 32 ? 0 : size < 57 ? 1 : size < 82 ? 2 : 3));
        free(out);
    }
}

static void gives_every_number_back(void)
{
    uint64_t state = 88172645463325252u;

    for (int i = 0; i < 20000; i++) {
        char out[2 * VECTOR_TEXT_LINE];
        double f8;
        float f4;
        uint32_t low;
        size_t done, len;

        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low = (uint32_t)(state >> 11);
        memcpy(&f8, &state, sizeof f8);
        memcpy(&f4, &low, sizeof f4);
        len = vector_text_format(&f8, 1, "f8", out, sizeof out, &done);
        out[len] = 0;
        CHECK(isnan(f8) || strtod(out, NULL) == f8);
        len = vector_text_format(&f4, 1, "f4", out, sizeof out, &done);
        out[len] = 0;
        CHECK(isnan(f4) || strtof(out, NULL) == f4);
    }
}

static void lives_without_memory(void)
{
    char text[] = "1\n2\n";
    struct hagg_err err = { 0 };
    void *data;
    size_t n;

    alloc_refuse(0);
    CHECK(vector_text_parse(text, 4, "f8", "f", &data, &n, &err) == -1);
    CHECK(alloc_refused() && data == NULL && n == 0);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "f: Cannot allocate memory");
}

int main(void)
{
    reads_lines();
    reads_nan();
    rounds_floats_once();
    reads_integers_to_their_limits();
    refuses_what_is_no_number();
    takes_long_numbers();
    writes_the_fewest_digits();
    writes_integers();
    stops_where_room_ends();
    gives_every_number_back();
    lives_without_memory();
    return check_end();
}
