#include "round/quote.h"

#include <string.h>

#include "base/shell.h"

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
            shell_quote(out, directory.bytes);
        else
            out->failed = true;
        text_printf(out, "/");
        text_free(&directory);
    }
    text_printf(out, "%s", slash);
}

/* Around the name of a setting. No file name contains control characters. */
#define MARK_BEGIN '\001'
#define MARK_END   '\002'

void quote_word(struct text *out, const struct step_word *word)
{
    switch (word->kind) {
    case STEP_TEXT:
        shell_quote(out, word->text);
        break;
    case STEP_FILES:
        quote_files(out, word->text);
        break;
    case STEP_SETTING:
        text_printf(out, "%c%s%c", MARK_BEGIN, word->text, MARK_END);
        break;
    case STEP_AND:
        text_printf(out, "&&");
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

static bool has_several_commands(const struct step *s)
{
    for (size_t i = 0; i < s->n_words; i++)
        if (s->words[i].kind == STEP_AND)
            return true;
    return false;
}

void quote_job(struct text *out, const struct step_layer *l, const struct step *s)
{
    bool grouped = l->run != STEP_ALWAYS && has_several_commands(s);

    for (size_t i = 0; i < s->outputs.n && l->run != STEP_ALWAYS; i++) {
        text_printf(out, "test -e ");
        shell_quote(out, s->outputs.names[i]);
        text_printf(out, i + 1 < s->outputs.n ? " && " : " || ");
    }
    text_printf(out, grouped ? "{ " : "");
    quote_command(out, s);
    text_printf(out, grouped ? "; }" : "");
}

/* Appends the text with an escape before each special character, and with settings between open
 * and close. special contains the marks. */
static void escape(struct text *out, const char *text, const char *special, char escape,
                   const char *open, const char *close)
{
    while (*text) {
        size_t n = strcspn(text, special);

        text_printf(out, "%.*s", (int)n, text);
        text += n;
        if (*text == MARK_BEGIN)
            text_printf(out, "%s", open);
        else if (*text == MARK_END)
            text_printf(out, "%s", close);
        else if (*text)
            text_printf(out, "%c%c", escape, *text);
        text += *text != 0;
    }
}

void quote_script(struct text *out, const char *shell_text)
{
    escape(out, shell_text, "\001\002", 0, "${", "}");
}

void quote_recipe(struct text *out, const char *shell_text)
{
    escape(out, shell_text, "$\001\002", '$', "$(", ")");
}

void quote_here(struct text *out, const char *shell_text)
{
    escape(out, shell_text, "\\$`\001\002", '\\', "${", "}");
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
