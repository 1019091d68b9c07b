#include "cursor.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "hex.h"

static uint8_t bytes[64];
static struct hagg_err err;

/* A cursor over exactly the bytes of the digits, in memory of their own so that reading beyond them
 * is noticed. */
static struct cursor over(const char *hex, size_t cut)
{
    static uint8_t *memory;
    size_t n = hex_bytes(bytes, hex) - cut;

    free(memory);
    memory = malloc(n + (n == 0));
    memcpy(memory, bytes, n);
    err = (struct hagg_err){ 0 };
    return (struct cursor){ .bytes = memory, .n = n, .field = "it", .err = &err };
}

static void is_bad(const struct cursor *c, const char *why)
{
    char want[200];

    snprintf(want, sizeof want, "field 'it' of the header %s", why);
    CHECK(c->state == CURSOR_BAD && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, want);
}

static void takes_heads(void)
{
    struct cursor c = over("0018ff1903e8", 0);
    uint64_t value;

    CHECK(cursor_take(&c, HEAD_UINT, 0, &value) && value == 0);
    CHECK(cursor_take(&c, HEAD_UINT, 255, &value) && value == 255);
    CHECK(!cursor_take(&c, HEAD_UINT, 999, &value));
    is_bad(&c, "is too large");
    c = over("62", 0);
    CHECK(!cursor_take(&c, HEAD_TEXT, 1, &value));
    is_bad(&c, "is too long");
    c = over("5f", 0);
    CHECK(!cursor_take(&c, HEAD_BYTES, 1, &value));
    is_bad(&c, "has an indefinite length or a reserved head");
    c = over("1903e8", 1);
    CHECK(!cursor_take(&c, HEAD_UINT, 1000, &value) && c.state == CURSOR_MORE && c.at == 0);
    c = over("", 0);
    CHECK(!cursor_take(&c, HEAD_UINT, 1000, &value) && c.state == CURSOR_MORE);
    CHECK(err.status == HAGG_OK);
}

/* An item of every type where each type is expected. */
static void tells_types_apart(void)
{
    static const char *const items[] = { "00", "20", "40", "60", "80", "a0", "c0", "e0" };
    static const char *const want[] = {
        "must be a non-negative integer",
        "must not be negative",
        "must be a byte string",
        "must be text",
        "must be an array",
        "must be a map",
        "must be a tag",
        "must be a simple value",
    };
    uint64_t value;

    for (unsigned item = 0; item < 8; item++)
        for (unsigned expected = 0; expected < 8; expected++) {
            struct cursor c = over(items[item], 0);

            CHECK(cursor_take(&c, (enum head_major)expected, 0, &value) == (item == expected));
            if (item != expected)
                is_bad(&c, want[expected]);
        }
}

static void takes_integers(void)
{
    struct cursor c = over("1affffffff", 0);
    uint32_t value;

    CHECK(cursor_u32(&c, &value) && value == UINT32_MAX && c.at == 5);
    c = over("1b0000000100000000", 0);
    CHECK(!cursor_u32(&c, &value));
    is_bad(&c, "is too large");
}

static void takes_text(void)
{
    struct cursor c = over("63206f7e", 0);
    char text[5] = "....";

    CHECK(cursor_text(&c, text, 3) && c.at == 4);
    CHECK_STR(text, " o~");
    c = over("60", 0);
    CHECK(cursor_text(&c, text, 3));
    CHECK_STR(text, "");
    c = over("6461626364", 0);
    CHECK(!cursor_text(&c, text, 3));
    is_bad(&c, "is too long");
    for (size_t cut = 1; cut < 4; cut++) {
        c = over("63206f7e", cut);
        CHECK(!cursor_text(&c, text, 3) && c.state == CURSOR_MORE);
    }
}

static void keeps_to_printable_ascii(void)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        char hex[8], text[3];
        struct cursor c;
        bool fine = byte >= 0x20 && byte < 0x7f;

        snprintf(hex, sizeof hex, "6261%02x", byte);
        c = over(hex, 0);
        CHECK(cursor_text(&c, text, 2) == fine);
        if (!fine)
            is_bad(&c, "has text that is not printable ASCII");
    }
}

static void takes_keys(void)
{
    struct cursor c = over("616b616b62616b", 0);

    CHECK(cursor_key(&c, "k") && c.at == 2);
    CHECK(!cursor_key(&c, "n"));
    is_bad(&c, "has a key that is missing, unknown or out of order");
    c = over("616b", 1);
    CHECK(!cursor_key(&c, "k") && c.state == CURSOR_MORE);
    c = over("626b6b", 0);
    CHECK(!cursor_key(&c, "k"));
}

static const char *name(unsigned i)
{
    static const char *const names[] = { "a", "bc", NULL };

    return names[i];
}

static const char *longest(unsigned i)
{
    return i == 0 ? "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" : NULL;
}

/* Names of 64 letters are read whole, of 65 not at all. */
static void takes_the_longest_name(void)
{
    uint8_t item[67] = { 0x78, 64 };
    struct cursor c = { .bytes = item, .n = 66, .field = "it", .err = &err };
    unsigned choice = 9;

    memset(item + 2, 'n', 65);
    CHECK(cursor_choice(&c, longest, &choice) && choice == 0 && c.at == 66);
    c.at = 0;
    CHECK(cursor_key(&c, longest(0)) && c.at == 66);
    item[1] = 65;
    c.at = 0;
    c.n = 67;
    CHECK(!cursor_choice(&c, longest, &choice));
    is_bad(&c, "is too long");
}

static void takes_choices(void)
{
    struct cursor c = over("626263", 0);
    unsigned choice = 9;

    CHECK(cursor_choice(&c, name, &choice) && choice == 1);
    c = over("6161", 0);
    CHECK(cursor_choice(&c, name, &choice) && choice == 0);
    c = over("60", 0);
    CHECK(!cursor_choice(&c, name, &choice));
    is_bad(&c, "has an unknown value");
    c = over("6162", 0);
    CHECK(!cursor_choice(&c, name, &choice));
    is_bad(&c, "has an unknown value");
}

/* Never more than bytes present, so that what follows may take memory for each. */
static void takes_counts(void)
{
    struct cursor c = over("83000000", 0);
    size_t count;

    CHECK(cursor_count(&c, 3, &count) && count == 3 && c.at == 1);
    c = over("83000000", 1);
    CHECK(!cursor_count(&c, 3, &count) && c.state == CURSOR_MORE);
    c = over("83000000", 0);
    CHECK(!cursor_count(&c, 2, &count));
    is_bad(&c, "is too long");
    c = over("9bffffffffffffffff00", 0);
    CHECK(!cursor_count(&c, UINT64_MAX, &count) && c.state == CURSOR_MORE);
}

static void takes_numbers(void)
{
    struct cursor c = over("0118641affffffff", 0);
    uint32_t *numbers;

    CHECK(cursor_numbers(&c, 3, &numbers) && c.at == 8);
    CHECK(numbers[0] == 1 && numbers[1] == 100 && numbers[2] == UINT32_MAX);
    free(numbers);
    c = over("0120", 0);
    CHECK(!cursor_numbers(&c, 2, &numbers));
    is_bad(&c, "must be a non-negative integer");
    free(numbers);
    c = over("01", 0);
    CHECK(!cursor_numbers(&c, 2, &numbers) && c.state == CURSOR_MORE);
    free(numbers);
    c = over("01", 0);
    CHECK(cursor_numbers(&c, 0, &numbers) && numbers && c.at == 0);
    free(numbers);
    c = over("01", 0);
    alloc_refuse(0);
    CHECK(!cursor_numbers(&c, 1, &numbers) && numbers == NULL && c.state == CURSOR_BAD);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "cannot read field 'it' of the header: Cannot allocate memory");
    alloc_watch();
}

static void takes_bytes(void)
{
    static const char hex[] = "50000102030405060708090a0b0c0d0e0f";
    struct cursor c = over(hex, 0);
    uint8_t got[16];
    bool has = false;

    CHECK(cursor_bytes(&c, got, sizeof got, &has) && has && memcmp(got, bytes + 1, 16) == 0 &&
          c.at == 17);
    for (size_t cut = 1; cut <= 17; cut++) {
        has = false;
        c = over(hex, cut);
        CHECK(!cursor_bytes(&c, got, sizeof got, &has) && c.state == CURSOR_MORE && !has);
    }
    c = over("4f000102030405060708090a0b0c0d0e", 0);
    CHECK(!cursor_bytes(&c, got, sizeof got, &has));
    is_bad(&c, "must have 16 bytes");
    c = over("51", 0);
    CHECK(!cursor_bytes(&c, got, sizeof got, &has));
    is_bad(&c, "must have 16 bytes");
    c = over("42abcd", 0);
    CHECK(cursor_bytes(&c, got, 2, &has) && got[0] == 0xab && got[1] == 0xcd && c.at == 3);
}

static void takes_floats(void)
{
    static const struct {
        const char *hex;
        double value;
    } good[] = {
        { "f93c00", 1.0 },
        { "f97bff", 65504.0 },
        { "f90001", 0x1p-24 },
        { "f90003", 0x1.8p-23 },
        { "f903ff", 0x1.ff8p-15 },
        { "fa47c35000", 100000.0 },
        { "fa00000001", 0x1p-149 },
        { "fb3ff199999999999a", 1.1 },
        { "fb0000000000000001", 0x1p-1074 },
    };
    static const char *const bad[] = { "00", "f5", "f7", "f814", "20", "60" };
    double value;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct cursor c = over(good[i].hex, 0);

        CHECK(cursor_float(&c, &value) && value == good[i].value);
        CHECK(c.at == strlen(good[i].hex) / 2);
        c = over(good[i].hex, 1);
        CHECK(!cursor_float(&c, &value) && c.state == CURSOR_MORE);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cursor c = over(bad[i], 0);

        CHECK(!cursor_float(&c, &value));
        is_bad(&c, "must be a floating-point number");
    }
}

int main(void)
{
    takes_heads();
    tells_types_apart();
    takes_integers();
    takes_text();
    keeps_to_printable_ascii();
    takes_keys();
    takes_choices();
    takes_the_longest_name();
    takes_counts();
    takes_numbers();
    takes_bytes();
    takes_floats();
    over("", 0);
    return check_end();
}
