#include "vector/npy.h"

#include <stdlib.h>

#include "check.h"

/* Parses a copy without extra bytes, so that a read beyond its end is detected. */
static int parse(const char *text, unsigned version, struct npy_header *h, struct hagg_err *err)
{
    size_t len = strlen(text);
    char *copy = malloc(len ? len : 1);
    int status;

    memcpy(copy, text, len);
    memset(h, 0, sizeof *h);
    memset(err, 0, sizeof *err);
    status = npy_parse(h, copy, len, version, "f", err);
    free(copy);
    return status;
}

static int good(const char *text, unsigned version, struct npy_header *h)
{
    struct hagg_err err;
    int status = parse(text, version, h, &err);

    CHECK_STR(err.text, "");
    return CHECK(status == 0);
}

static void takes_what_numpy_writes(void)
{
    struct npy_header h;

    if (good("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n", 1, &h)) {
        CHECK_STR(h.type, "f4");
        CHECK(!h.big_endian && !h.fortran_order);
        CHECK(h.n_shape == 2 && h.shape[0] == 3 && h.shape[1] == 4);
    }
    if (good("{'descr': '>i8', 'fortran_order': False, 'shape': (), }\n", 3, &h)) {
        CHECK_STR(h.type, "i8");
        CHECK(h.big_endian && h.n_shape == 0);
    }
    if (good("{'descr': '|u1', 'fortran_order': True, 'shape': (281474976710656,), }", 2, &h)) {
        CHECK_STR(h.type, "u1");
        CHECK(!h.big_endian && h.n_shape == 1 && h.shape[0] == 1ull << 48);
    }
}

static void takes_other_spellings(void)
{
    struct npy_header h;

    good("{'shape':(2,0,),'fortran_order':False,'descr':'<u2'}", 1, &h);
    CHECK(h.n_shape == 2 && h.shape[0] == 2 && h.shape[1] == 0);
    CHECK_STR(h.type, "u2");
    good(" \n{ \"shape\"\t:\n( 7\f, ) ,\r\n\"descr\" : \"<f8\" , \"fortran_order\" : False , } \n",
         3, &h);
    CHECK(h.n_shape == 1 && h.shape[0] == 7);
    good("{'descr': '<i1', 'fortran_order': False, 'shape': (5L, 6L)}", 2, &h);
    CHECK(h.n_shape == 2 && h.shape[1] == 6);
    good("{'descr': '>u1', 'fortran_order': False, 'shape': ( )}", 1, &h);
    CHECK(h.n_shape == 0);
}

static void knows_where_order_matters(void)
{
    static const struct {
        const char *shape;
        bool matters;
    } cases[] = {
        { "()", false },     { "(9,)", false },
        { "(1, 9)", false }, { "(9, 1, 1)", false },
        { "(2, 2)", true },  { "(1, 2, 1, 3)", true },
        { "(0, 3)", false }, { "(2, 3, 0)", false },
        { "(1, 1)", false }, { "(281474976710656, 281474976710656)", true },
    };
    struct npy_header h;
    char text[128];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': True, 'shape': %s}",
                 cases[i].shape);
        if (good(text, 1, &h))
            CHECK(h.fortran_order == cases[i].matters);
    }
}

static void counts_dimensions(void)
{
    char text[512] = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    size_t start = strlen(text);
    struct npy_header h;
    struct hagg_err err;

    for (size_t i = 0; i < LIMIT_DIMENSIONS; i++)
        strcat(text, "1, ");
    strcat(text, ")}");
    if (good(text, 1, &h))
        CHECK(h.n_shape == 32 && h.shape[31] == 1);
    text[start] = 0;
    for (size_t i = 0; i <= LIMIT_DIMENSIONS; i++)
        strcat(text, "1,");
    strcat(text, ")}");
    CHECK(parse(text, 1, &h, &err) == -1);
    CHECK_STR(err.text, "f: byte 115 of the .npy header: 'shape' has more than 32 dimensions");
}

#define REST  ", 'fortran_order': False, 'shape': (1,)}"
#define DESCR "{'descr': '<f4', 'fortran_order': "

static void refuses_bad_dictionaries(void)
{
    static const char missing[] = "'descr', 'fortran_order' or 'shape' is missing";
    static const char tuple[] = "'shape' must be a tuple of non-negative integers";
    static const char boolean[] = "'fortran_order' must be True or False";
    static const struct {
        const char *text;
        unsigned byte;
        const char *why;
    } cases[] = {
        { "", 0, "a dictionary must begin here" },
        { "  [", 2, "a dictionary must begin here" },
        { "{", 1, "a string is missing" },
        { "{}", 2, missing },
        { "{,}", 1, "a string is missing" },
        { "{'descr': '<f4', 'shape': (1,)}", 31, missing },
        { "{'descr': '<f4'", 15, "a comma is missing" },
        { "{'descr': '<f4',", 16, "a string is missing" },
        { "{'descr': '<f4' 'shape': (1,)}", 16, "a comma is missing" },
        { "{'descr' '<f4'}", 9, "a colon is missing" },
        { "{'descr': '<f4}", 15, "a string does not end" },
        { "{'descr': '\\x3cf4'" REST, 11, "a string has a character that is not allowed" },
        { "{'descr\n': '<f4'" REST, 7, "a string has a character that is not allowed" },
        { "{descr: '<f4'" REST, 1, "a string is missing" },
        { "{'descr': 4" REST, 10, "a string is missing" },
        { "{'descr': 'f4'" REST, 14, "'descr' does not specify the byte order" },
        { "{'descr': '=f4'" REST, 15, "'descr' does not specify the byte order" },
        { "{'descr': '|f4'" REST, 15, "'descr' does not specify the byte order" },
        { "{'descr': '<f4', 'descr': '<f4'" REST, 24, "a key appears twice" },
        { "{'order': '<f4'" REST, 8, "a key is unknown" },
        { "{'': '<f4'" REST, 3, "a key is unknown" },
        { "{'descr': '<f4'" REST " x", 56, "something follows the dictionary" },
        { "{'descr': '<f4'" REST "}", 55, "something follows the dictionary" },
        { DESCR "true, 'shape': (1,)}", 38, boolean },
        { DESCR "0, 'shape': (1,)}", 34, boolean },
        { DESCR "Falsehood, 'shape': (1,)}", 43, boolean },
        { DESCR "False, 'shape': (3)}", 52, tuple },
        { DESCR "False, 'shape': 3}", 50, tuple },
        { DESCR "False, 'shape': [3]}", 50, tuple },
        { DESCR "False, 'shape': (-1,)}", 51, tuple },
        { DESCR "False, 'shape': (+1,)}", 51, tuple },
        { DESCR "False, 'shape': (,)}", 51, tuple },
        { DESCR "False, 'shape': (1,,)}", 53, tuple },
        { DESCR "False, 'shape': (True,)}", 51, tuple },
        { DESCR "False, 'shape': (007,)}", 54, tuple },
        { DESCR "False, 'shape': (1.0,)}", 52, "a comma is missing" },
        { DESCR "False, 'shape': (1 2)}", 53, "a comma is missing" },
        { DESCR "False, 'shape': (0x1,)}", 52, "a comma is missing" },
        { DESCR "False, 'shape': (1_0,)}", 52, "a comma is missing" },
        { DESCR "False, 'shape': (1", 52, "a comma is missing" },
        { DESCR "False, 'shape': (1,", 53, tuple },
        { DESCR "False, 'shape': (281474976710657,)}", 66,
          "'shape' has a dimension that exceeds 2^48" },
        { DESCR "False, 'shape': (99999999999999999999999,)}", 66,
          "'shape' has a dimension that exceeds 2^48" },
    };
    struct npy_header h;
    struct hagg_err err;
    char want[256];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(parse(cases[i].text, 1, &h, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want, "f: byte %u of the .npy header: %s", cases[i].byte,
                 cases[i].why);
        CHECK_STR(err.text, want);
    }
    CHECK(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (5L,)}", 3, &h, &err) == -1);
    CHECK_STR(err.text, "f: byte 52 of the .npy header: a comma is missing");
    CHECK(npy_parse(&h, "{'descr': '<f4'" REST "\0", 56, 1, "f", &err) == -1);
    CHECK_STR(err.text, "f: byte 55 of the .npy header: something follows the dictionary");
}

static void refuses_other_types_by_name(void)
{
    static const struct {
        const char *descr, *kind;
    } cases[] = {
        { "'|b1'", "booleans (|b1)" },
        { "'?'", "booleans (?)" },
        { "'<c8'", "complex numbers (<c8)" },
        { "'>c16'", "complex numbers (>c16)" },
        { "'<f2'", "floating-point numbers of another width (<f2)" },
        { "'<f16'", "floating-point numbers of another width (<f16)" },
        { "'|O'", "Python objects (|O)" },
        { "'|S5'", "byte strings (|S5)" },
        { "'<U12'", "strings (<U12)" },
        { "'<M8[ns]'", "dates (<M8[ns])" },
        { "'<m8'", "time differences (<m8)" },
        { "'|V8'", "records (|V8)" },
        { "[('a', '<f4')]", "records (structured)" },
        { "('<f4', (2,))", "records (structured)" },
        { "'<i16'", "integers of another width (<i16)" },
        { "'<u3'", "integers of another width (<u3)" },
        { "'float32'", "elements of an unknown type (float32)" },
        { "'<x4'", "elements of an unknown type (<x4)" },
        { "'<'", "elements of an unknown type (<)" },
        { "''", "elements of an unknown type ()" },
        { "'|V1234567890123456789012345678901234567890123456789'",
          "records (|V12345678901234567890123456789012345678)" },
    };
    struct npy_header h;
    struct hagg_err err;
    char text[256], want[256];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "{'descr': %s" REST, cases[i].descr);
        CHECK(parse(text, 1, &h, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want,
                 "f: contains %s: convert with astype to f4, f8, i1 to i8 or u1 to u8",
                 cases[i].kind);
        CHECK_STR(err.text, want);
    }
}

/* The lengths are those of numpy.save; tests/vectors compares every byte. */
static void writes_what_numpy_writes(void)
{
    static const struct {
        const char *type;
        uint64_t shape[14];
        size_t n_shape, len;
        const char *text;
    } cases[] = {
        { "f4", { 3 }, 1, 128, "'<f4', 'fortran_order': False, 'shape': (3,), }" },
        { "u1", { 0 }, 0, 128, "'|u1', 'fortran_order': False, 'shape': (), }" },
        { "i8", { 0, 7 }, 2, 128, "'<i8', 'fortran_order': False, 'shape': (0, 7), }" },
        /* here the newline ends on the boundary without any spaces */
        { "f8",
          { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 99 },
          14,
          128,
          "'<f8', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 99), "
          "}" },
        { "f8",
          { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100 },
          14,
          192,
          "'<f8', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100), "
          "}" },
    };
    uint8_t out[NPY_FORMAT_MAX];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = npy_format(out, cases[i].type, cases[i].shape, cases[i].n_shape);
        size_t text = strlen(cases[i].text);

        CHECK(len == cases[i].len);
        CHECK(memcmp(out, "\x93NUMPY\x01\0", 8) == 0);
        CHECK(out[8] + 256u * out[9] == len - 10);
        CHECK(memcmp(out + 10, "{'descr': ", 10) == 0);
        CHECK(memcmp(out + 20, cases[i].text, text) == 0);
        for (size_t at = 20 + text; at < len - 1; at++)
            CHECK(out[at] == ' ');
        CHECK(out[len - 1] == '\n');
    }
}

static void longest_header_fits(void)
{
    uint64_t shape[LIMIT_DIMENSIONS];
    uint8_t out[NPY_FORMAT_MAX];
    struct npy_header h = { 0 };
    struct hagg_err err;
    size_t len;

    for (size_t i = 0; i < LIMIT_DIMENSIONS; i++)
        shape[i] = LIMIT_LENGTH;
    len = npy_format(out, "f8", shape, LIMIT_DIMENSIONS);
    CHECK(len <= NPY_FORMAT_MAX && len % 64 == 0);
    CHECK(npy_parse(&h, (char *)out + 10, len - 10, 1, "f", &err) == 0);
    CHECK(h.n_shape == LIMIT_DIMENSIONS && memcmp(h.shape, shape, sizeof shape) == 0);
}

int main(void)
{
    takes_what_numpy_writes();
    takes_other_spellings();
    knows_where_order_matters();
    counts_dimensions();
    refuses_bad_dictionaries();
    refuses_other_types_by_name();
    writes_what_numpy_writes();
    longest_header_fits();
    return check_end();
}
