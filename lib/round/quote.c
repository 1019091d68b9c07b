#include "round/quote.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+=./,:@%^";

void quote_shell(struct text *out, const char *text)
{
    if (text[0] && text[strspn(text, plain)] == 0) {
        text_printf(out, "%s", text);
        return;
    }
    text_printf(out, "'");
    for (const char *quote; (quote = strchr(text, '\'')); text = quote + 1)
        text_printf(out, "%.*s'\\''", (int)(quote - text), text);
    text_printf(out, "%s'", text);
}

/* Quotes everything except stars, as in "DIRECTORY/client-*.cbor". */
static void quote_files(struct text *out, const char *text)
{
    const char *star = strrchr(text, '*'), *slash = star;

    while (slash > text && slash[-1] != '/')
        slash--;
    if (slash > text) {
        struct text directory = { 0 };

        text_printf(&directory, "%.*s", (int)(slash - text - 1), text);
        if (text_ok(&directory))
            quote_shell(out, directory.bytes);
        else
            out->failed = true;
        text_printf(out, "/");
        text_free(&directory);
    }
    text_printf(out, "%s", slash);
}

void quote_word(struct text *out, const struct step_word *word)
{
    switch (word->kind) {
    case STEP_TEXT:
        quote_shell(out, word->text);
        break;
    case STEP_FILES:
        quote_files(out, word->text);
        break;
    case STEP_CONTENT:
        text_printf(out, "\"$(cat ");
        quote_shell(out, word->text);
        text_printf(out, ")\"");
        break;
    }
}

void quote_command(struct text *out, const struct step *s)
{
    for (size_t i = 0; i < s->n_words; i++) {
        text_printf(out, i > 0 ? " " : "");
        quote_word(out, &s->words[i]);
    }
}

void quote_output_test(struct text *out, const struct step *s)
{
    for (size_t i = 0; i < s->outputs.n; i++) {
        text_printf(out, i > 0 ? " && test -e " : "test -e ");
        quote_shell(out, s->outputs.names[i]);
    }
    text_printf(out, " || ");
}

void quote_recipe(struct text *out, const char *shell_text)
{
    for (const char *dollar; (dollar = strchr(shell_text, '$')); shell_text = dollar + 1)
        text_printf(out, "%.*s$$", (int)(dollar - shell_text), shell_text);
    text_printf(out, "%s", shell_text);
}

/* True if make would misread the name or cannot represent it. */
static bool has_no_make_form(const char *name)
{
    size_t len = strlen(name);

    return name[strcspn(name, "%;|&\\")] || name[0] == '~' || name[len - 1] == ' ' ||
           (name[len - 1] == ')' && strchr(name, '('));
}

int quote_make_name(struct text *out, const char *name, struct hagg_err *err)
{
    if (has_no_make_form(name))
        return err_set(err, HAGG_E_USAGE,
                       "%s: make cannot use this file name: it must not contain %%, ;, |, & or \\, "
                       "begin with ~, or end with a space or (...)",
                       name);
    while (*name) {
        size_t n = strcspn(name, " #:*?[=$");

        text_printf(out, "%.*s", (int)n, name);
        name += n;
        if (*name == '=')
            text_printf(out, "$(EQUALS)");
        else if (*name)
            text_printf(out, "%c%c", *name == '$' ? '$' : '\\', *name);
        name += *name != 0;
    }
    return 0;
}
