#include "base/json.h"

#include <math.h>

#include "check.h"

/* Returns the JSON of one string. */
static const char *string(const char *value)
{
    static struct text t;
    struct json j = { .text = &t };

    text_reset(&t);
    json_string(&j, NULL, value);
    return t.bytes;
}

/* Every single byte: ASCII is unchanged or escaped, any other is not UTF-8. */
static void escapes_every_byte(void)
{
    for (int byte = 1; byte < 256; byte++) {
        char value[] = { (char)byte, 0 }, want[16];

        if (byte < 0x20 || byte == 0x7f)
            snprintf(want, sizeof want, "\"\\u00%02x\"", (unsigned)byte);
        else if (byte == '"' || byte == '\\')
            snprintf(want, sizeof want, "\"\\%c\"", byte);
        else if (byte < 0x80)
            snprintf(want, sizeof want, "\"%c\"", byte);
        else
            snprintf(want, sizeof want, "\"\\ufffd\"");
        CHECK_STR(string(value), want);
    }
}

/* Encodes a code point as UTF-8 by the table of RFC 3629, surrogates included. */
static size_t encode(char *to, unsigned c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

static void keeps_utf8(void)
{
    static const unsigned points[] = { 0x80,   0x9b,    0xa0,    0xe9,    0x7ff,    0x800,
                                       0xfff,  0x1000,  0x20ac,  0xd7ff,  0xe000,   0xfffd,
                                       0xffff, 0x10000, 0x1f600, 0xfffff, 0x100000, 0x10ffff };

    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        char value[8] = { 0 }, want[16], cut[8];
        size_t n = encode(value, points[i]);

        snprintf(want, sizeof want, "\"%s\"", value);
        CHECK_STR(string(value), want);
        /* if truncated, each remaining byte is replaced */
        for (size_t kept = 1; kept < n; kept++) {
            snprintf(cut, sizeof cut, "%.*s", (int)kept, value);
            CHECK(strlen(string(cut)) == 2 + 6 * kept);
        }
    }
}

static void refuses_what_is_no_utf8(void)
{
    char value[8] = { 0 };

    for (unsigned c = 0xd800; c < 0xe000; c++) {
        value[encode(value, c)] = 0;
        CHECK_STR(string(value), "\"\\ufffd\\ufffd\\ufffd\"");
    }
    value[encode(value, 0x110000)] = 0;
    CHECK_STR(string(value), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    /* overlong forms of '/', U+7FF and U+FFFF */
    CHECK_STR(string("\xc0\xaf"), "\"\\ufffd\\ufffd\"");
    CHECK_STR(string("\xc1\xbf"), "\"\\ufffd\\ufffd\"");
    CHECK_STR(string("\xe0\x80\xaf"), "\"\\ufffd\\ufffd\\ufffd\"");
    CHECK_STR(string("\xe0\x9f\xbf"), "\"\\ufffd\\ufffd\\ufffd\"");
    CHECK_STR(string("\xf0\x8f\xbf\xbf"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    CHECK_STR(string("\xf5\x80\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    /* valid characters directly after invalid bytes are kept */
    CHECK_STR(string("a\xc3(\xc3\xa9\xff\xe2\x82\xac"), "\"a\\ufffd(\xc3\xa9\\ufffd\xe2\x82\xac\"");
}

static void builds_objects(void)
{
    static const uint8_t bytes[] = { 0x00, 0x7f, 0x80, 0xff };
    struct text t = { 0 };
    struct json j = { .text = &t };

    json_open(&j, NULL, '{');
    json_close(&j, '}');
    CHECK_STR(t.bytes, "{}");
    text_reset(&t);
    j.comma = false;

    json_open(&j, NULL, '{');
    json_uint(&j, "a", 0);
    json_uint(&j, "b", UINT64_MAX);
    json_bool(&j, "c", true);
    json_bool(&j, "d", false);
    json_null(&j, "n");
    json_open(&j, "e", '[');
    json_close(&j, ']');
    json_open(&j, "f", '[');
    json_uint(&j, NULL, 1);
    json_open(&j, NULL, '[');
    json_string(&j, NULL, "x");
    json_close(&j, ']');
    json_open(&j, NULL, '{');
    json_close(&j, '}');
    json_close(&j, ']');
    json_hex(&j, "g", bytes, sizeof bytes);
    json_hex(&j, "h", bytes, 0);
    json_string(&j, "i\"\n", "");
    json_close(&j, '}');
    CHECK_STR(t.bytes,
              "{\"a\":0,\"b\":18446744073709551615,\"c\":true,\"d\":false,\"n\":null,\"e\":[],"
              "\"f\":[1,[\"x\"],{}],\"g\":\"007f80ff\",\"h\":\"\",\"i\\\"\\u000a\":\"\"}");
    text_free(&t);
}

/* Numbers that Python's json reads back exactly. */
static void writes_doubles(void)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = { { 1.0, "1" },
                    { 0.5, "0.5" },
                    { 0.1, "0.10000000000000001" },
                    { 1e300, "1.0000000000000001e+300" },
                    { 0x1p-24, "5.9604644775390625e-08" },
                    { 0x1p-1074, "4.9406564584124654e-324" },
                    { 65504.0, "65504" },
                    { HUGE_VAL, "null" },
                    { -HUGE_VAL, "null" } };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct text t = { 0 };
        struct json j = { .text = &t };

        json_double(&j, NULL, numbers[i].value);
        CHECK_STR(t.bytes, numbers[i].text);
        text_free(&t);
    }
}

int main(void)
{
    escapes_every_byte();
    keeps_utf8();
    refuses_what_is_no_utf8();
    builds_objects();
    writes_doubles();
    return check_end();
}
