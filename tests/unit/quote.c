#include "round/quote.h"

#include "check.h"

static void shell(const char *text, const char *want)
{
    struct text out = { 0 };

    quote_shell(&out, text);
    CHECK_STR(out.bytes, want);
    text_free(&out);
}

static void quotes_for_shells(void)
{
    shell("work/a-b_c.npy", "work/a-b_c.npy");
    shell("1-3,5", "1-3,5");
    shell("", "''");
    shell("a b", "'a b'");
    shell("it's", "'it'\\''s'");
    shell("''", "''\\'''\\'''");
    shell("$(x)`y`\"z\\", "'$(x)`y`\"z\\'");
    shell("client-{}/key", "'client-{}/key'");
    shell("~x", "'~x'");
    shell("*", "'*'");
}

static void word(enum step_word_kind kind, const char *text, const char *want)
{
    char copy[100];
    struct text out = { 0 };

    snprintf(copy, sizeof copy, "%s", text);
    quote_word(&out, &(struct step_word){ kind, copy });
    CHECK_STR(out.bytes, want);
    text_free(&out);
}

/* In a pattern of files only the last star is special to the shell. */
static void quotes_words(void)
{
    word(STEP_TEXT, "a*b", "'a*b'");
    word(STEP_FILES, "w/station-1/client-*.cbor", "w/station-1/client-*.cbor");
    word(STEP_FILES, "a *b/station-1/client-*.cbor", "'a *b/station-1'/client-*.cbor");
    word(STEP_FILES, "client-*.cbor", "client-*.cbor");
    word(STEP_CONTENT, "n", "\"$(cat n)\"");
    word(STEP_CONTENT, "a 'b'", "\"$(cat 'a '\\''b'\\''')\"");
}

static void recipe(const char *text, const char *want)
{
    struct text out = { 0 };

    quote_recipe(&out, text);
    CHECK_STR(out.bytes, want);
    text_free(&out);
}

static void name(const char *text, const char *want)
{
    struct hagg_err err = { 0 };
    struct text out = { 0 };

    CHECK(quote_make_name(&out, text, &err) == 0);
    CHECK_STR(out.bytes, want);
    text_free(&out);
}

static void quotes_for_make(void)
{
    static const char *const beyond[] = { "a%b", "a;b", "a|b", "a&b", "a\\b", "~a", "a ", "a(b)" };

    recipe("plain", "plain");
    recipe("\"$(cat n)\" '$'$", "\"$$(cat n)\" '$$'$$");
    name("a-b.c", "a-b.c");
    name("a b#c:d*e?f[g]=h$", "a\\ b\\#c\\:d\\*e\\?f\\[g]$(EQUALS)h$$");
    name("a~b(c)d", "a~b(c)d");
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        struct hagg_err err = { 0 };
        struct text out = { 0 };

        CHECK(quote_make_name(&out, beyond[i], &err) == -1 && err.status == HAGG_E_USAGE);
        text_free(&out);
    }
}

int main(void)
{
    quotes_for_shells();
    quotes_words();
    quotes_for_make();
    return check_end();
}
