#include "spec.h"

#include "check.h"

/* n times the letter, then the rest. */
static char *letters(size_t n, char letter, const char *rest)
{
    static char text[512];

    memset(text, letter, n);
    strcpy(text + n, rest);
    return text;
}

static void knows_plugin_names(void)
{
    static const char *const good[] = { "a",     "z",   "0",  "9",  "m31",
                                        "gf256", "a-b", "a-", "0-", "a--b" };
    static const char *const bad[] = { "",    "-",   "-a",  "A",    "aB",    "../x",    "/x", "a/b",
                                       "a.b", ".",   "..",  "a_b",  "a b",   " a",      "a ", "a\n",
                                       "a:b", "a,b", "a=b", "a%20", "a\x80", "\xc3\xa9" };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(spec_is_plugin_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!spec_is_plugin_name(bad[i]));
    CHECK(spec_is_plugin_name(letters(64, 'x', "")));
    CHECK(!spec_is_plugin_name(letters(65, 'x', "")));
    CHECK(!spec_is_plugin_name(letters(200, 'x', "")));
}

static void knows_tier_names(void)
{
    static const char *const good[] = { "a", "station", "relay", "federator", "tier-3", "c--" };
    static const char *const bad[] = { "", "3", "3a", "-a", "Station", "a.b", "a/b", "a b", "a\t" };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(spec_is_tier_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!spec_is_tier_name(bad[i]));
    CHECK(spec_is_tier_name(letters(16, 'x', "")));
    CHECK(!spec_is_tier_name(letters(17, 'x', "")));
}

/* Every byte as the only character, and as the second. */
static void keeps_to_its_alphabets(void)
{
    for (int byte = 1; byte < 256; byte++) {
        char alone[] = { (char)byte, 0 }, second[] = { 'a', (char)byte, 0 };
        bool lower = byte >= 'a' && byte <= 'z', digit = byte >= '0' && byte <= '9';

        CHECK(spec_is_plugin_name(alone) == (lower || digit));
        CHECK(spec_is_plugin_name(second) == (lower || digit || byte == '-'));
        CHECK(spec_is_tier_name(alone) == lower);
        CHECK(spec_is_tier_name(second) == (lower || digit || byte == '-'));
    }
}

static void keeps_to_the_alphabets_of_parameters(void)
{
    for (int byte = 1; byte < 256; byte++) {
        char text[] = "f:a=b", key[] = "f:ab=1";
        bool lower = byte >= 'a' && byte <= 'z', digit = byte >= '0' && byte <= '9';
        bool upper = byte >= 'A' && byte <= 'Z';
        struct hagg_err err = { 0 };
        struct spec spec;

        text[4] = (char)byte;
        CHECK((spec_parse(&spec, "field", text, &err) == 0) ==
              (lower || upper || digit || byte == '.' || byte == '_' || byte == '-'));
        text[4] = 'b';
        text[2] = (char)byte;
        CHECK((spec_parse(&spec, "field", text, &err) == 0) == lower);
        key[3] = (char)byte;
        CHECK((spec_parse(&spec, "field", key, &err) == 0) == (lower || digit));
    }
}

static void takes_specifications_apart(void)
{
    struct hagg_err err = { 0 };
    struct spec spec;

    CHECK(spec_parse(&spec, "field", "m31", &err) == 0);
    CHECK_STR(spec.name, "m31");
    CHECK(spec.n_params == 0);
    CHECK(spec_parse(&spec, "field", "prime:p=1000003", &err) == 0);
    CHECK_STR(spec.name, "prime");
    CHECK(spec.n_params == 1);
    CHECK_STR(spec.params[0].key, "p");
    CHECK_STR(spec.params[0].value, "1000003");
    CHECK(spec_parse(&spec, "field", "a:b=1,b1=x.Y_z-,c=0,d=0,e=0,f=0,g=0,h=0", &err) == 0);
    CHECK(spec.n_params == 8);
    CHECK_STR(spec.params[1].key, "b1");
    CHECK_STR(spec.params[1].value, "x.Y_z-");
    CHECK_STR(spec.params[7].key, "h");
}

static void refuses(const char *text, const char *message)
{
    struct hagg_err err = { 0 };
    struct spec spec;

    CHECK(spec_parse(&spec, "field", text, &err) == -1);
    CHECK(err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, message);
}

static void refuses_what_is_none(void)
{
    static const char *const shapeless[] = {
        "a:",    "a:b",       "a:=1",  "a:b=",    "a:b=1,", "a:,b=1", "a:b=1,,c=2", "a:B=1",
        "a:1=1", "a:b=1:c=2", "a:b==", "a:b=1=2", "a:b=+1", "a:b=1 ", "a::b=1"
    };
    char message[200];

    for (size_t i = 0; i < sizeof shapeless / sizeof *shapeless; i++) {
        snprintf(message, sizeof message, "field '%s' has a parameter that is not KEY=VALUE",
                 shapeless[i]);
        refuses(shapeless[i], message);
    }
    refuses("", "field '' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    refuses(":p=7", "field ':p=7' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    refuses("../x", "field '../x' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    refuses("a\nb", "field 'a?b' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    refuses("f:b=1,a=1", "the parameters of field 'f:b=1,a=1' are not in ascending order");
    refuses("f:a=1,a=1", "the parameters of field 'f:a=1,a=1' are not in ascending order");
    refuses("f:b1=1,b=1", "the parameters of field 'f:b1=1,b=1' are not in ascending order");
    refuses("f:a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1",
            "field 'f:a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1' has more than 8 parameters");
}

static int parses(const char *text)
{
    struct hagg_err err = { 0 };
    struct spec spec;

    return spec_parse(&spec, "field", text, &err) == 0;
}

static void keeps_to_its_limits(void)
{
    char text[600], value[100];

    snprintf(text, sizeof text, "%s", letters(64, 'n', ":a=1"));
    CHECK(parses(text));
    snprintf(text, sizeof text, "%s", letters(65, 'n', ":a=1"));
    CHECK(!parses(text));
    snprintf(text, sizeof text, "f:%s", letters(16, 'k', "=1"));
    CHECK(parses(text));
    snprintf(text, sizeof text, "f:%s", letters(17, 'k', "=1"));
    CHECK(!parses(text));
    snprintf(text, sizeof text, "f:k=%s", letters(64, 'v', ""));
    CHECK(parses(text));
    snprintf(text, sizeof text, "f:k=%s", letters(65, 'v', ""));
    CHECK(!parses(text));
    /* 255 characters in all, then one more */
    snprintf(value, sizeof value, "%s", letters(64, 'v', ""));
    snprintf(text, sizeof text, "f:a=%s,b=%s,c=%s,d=%s", value, value, value,
             letters(255 - 2 - 3 * 67 - 2, 'w', ""));
    CHECK(strlen(text) == 255);
    CHECK(parses(text));
    strcat(text, "w");
    CHECK(!parses(text));
    refuses(letters(400, 'y', ""),
            "field 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...' is longer than 255 bytes");
}

int main(void)
{
    knows_plugin_names();
    knows_tier_names();
    keeps_to_its_alphabets();
    keeps_to_the_alphabets_of_parameters();
    takes_specifications_apart();
    refuses_what_is_none();
    keeps_to_its_limits();
    return check_end();
}
