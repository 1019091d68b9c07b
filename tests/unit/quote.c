#include "round/quote.h"

#include "base/shell.h"
#include "check.h"

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
    word(STEP_AND, "", "&&");
}

/* Settings become variables; everything else is unchanged after the shell or make has read it. */
static void quotes_settings(void)
{
    struct text command = { 0 }, recipe = { 0 }, here = { 0 };
    struct step_word carry = { STEP_SETTING, (char[]){ "CARRY" } };

    quote_word(&command, &carry);
    text_printf(&command, " ");
    shell_quote(&command, "a$`\\b");
    quote_recipe(&recipe, command.bytes);
    CHECK_STR(recipe.bytes, "$(CARRY) 'a$$`\\b'");
    quote_here(&here, command.bytes);
    CHECK_STR(here.bytes, "${CARRY} 'a\\$\\`\\\\b'");
    text_free(&command);
    text_free(&recipe);
    text_free(&here);
}

/* A job of several commands is skipped as a whole. */
static void quotes_jobs(void)
{
    struct step_layer l = { .run = STEP_ONCE };
    struct text job = { 0 }, always = { 0 };

    step_add(&l, 1);
    step_word(&l, STEP_TEXT, "one");
    step_output(&l, "a b");
    step_output(&l, "c");
    quote_job(&job, &l, &l.steps[0]);
    CHECK_STR(job.bytes, "test -e 'a b' && test -e c || one");
    text_reset(&job);
    step_word(&l, STEP_AND, "%s", "");
    step_word(&l, STEP_TEXT, "two");
    quote_job(&job, &l, &l.steps[0]);
    CHECK_STR(job.bytes, "test -e 'a b' && test -e c || { one && two; }");
    l.run = STEP_ALWAYS;
    quote_job(&always, &l, &l.steps[0]);
    CHECK_STR(always.bytes, "one && two");
    text_free(&job);
    text_free(&always);
    step_free_layer(&l);
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
    quotes_words();
    quotes_settings();
    quotes_jobs();
    quotes_for_make();
    return check_end();
}
