#include "cli_complete.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_options.h"

/* argp adds these to every table, and shows its own table to nobody. */
static const struct argp_option options_of_argp[] = {
    { "help", CLI_FIRST_OWN, NULL, 0, "Give this help list", 0 }, /* its -? is special in a shell */
    { "usage", CLI_FIRST_OWN, NULL, 0, "Give a short usage message", 0 },
    { "version", 'V', NULL, 0, "Print program version", 0 },
    { 0 },
};

/* Set while the parser of a command is asked for the words of a value. */
static struct cli_complete_value *asked;

bool cli_complete_offer(const char *const *words, bool several)
{
    if (!asked)
        return false;
    asked->words = words;
    asked->several = several;
    return true;
}

void cli_complete_word(const char *word, const char *description)
{
    /* the first statement, without what is in parentheses */
    size_t n = description ? strcspn(description, ";(") : 0;

    while (n > 0 && description[n - 1] == ' ')
        n--;
    printf("word\t%s\t%.*s\n", word, (int)n, description ? description : "");
}

static bool is_end(const struct argp_option *o)
{
    return !o->name && !o->key && !o->doc;
}

/* Finds an option by its name, which may be abbreviated. */
static const struct argp_option *find_long(const struct argp *argp, const char *name, size_t n)
{
    const struct argp_option *found = NULL;
    unsigned n_found = 0;

    for (const struct argp_option *o = argp->options; !is_end(o); o++)
        if (o->name && !(o->flags & OPTION_DOC) && strncmp(o->name, name, n) == 0) {
            if (!o->name[n])
                return o;
            found = o;
            n_found++;
        }
    return n_found == 1 ? found : NULL;
}

static const struct argp_option *find_short(const struct argp *argp, char key)
{
    for (const struct argp_option *o = argp->options; !is_end(o); o++)
        if (key && o->key == key)
            return o;
    return NULL;
}

/* Returns the option at the end of the word if its value follows: at *value, or, if that is NULL,
 * in the next word. Otherwise returns NULL. */
static const struct argp_option *find_option(const struct argp *argp, const char *word,
                                             const char **value)
{
    const struct argp_option *o = NULL;
    const char *at = word + 1;

    *value = NULL;
    if (*at == '-') {
        size_t n = strcspn(++at, "=");

        o = find_long(argp, at, n);
        at += n;
    } else
        while (*at && (o = find_short(argp, *at)) && !o->arg)
            at++;
    if (!o || !o->arg)
        return NULL;
    if (*at == '=' || (*at && at[1]))
        *value = at + 1;
    return *value || !(o->flags & OPTION_ARG_OPTIONAL) ? o : NULL;
}

static void print_options(const struct argp_option *o)
{
    for (; !is_end(o); o++) {
        char *word;

        if (o->flags & (OPTION_DOC | OPTION_HIDDEN))
            continue;
        if (o->name && o->arg && asprintf(&word, "--%s=", o->name) >= 0) {
            cli_complete_word(word, o->doc);
            free(word);
        }
        if (o->name && (!o->arg || o->flags & OPTION_ARG_OPTIONAL) &&
            asprintf(&word, "--%s", o->name) >= 0) {
            cli_complete_word(word, o->doc);
            free(word);
        }
        if (o->key > 0 && o->key < CLI_PLAN) /* a character */
            cli_complete_word((const char[]){ '-', (char)o->key, 0 }, o->doc);
    }
}

/* Calls the parser with the option alone, which makes the function that checks its value call
 * cli_complete_offer. Nothing is done with the result. */
static void ask_parser(const struct argp *argp, void *args, const struct argp_option *o,
                       struct cli_complete_value *v)
{
    struct argp_state state = {
        .root_argp = argp, .flags = ARGP_SILENT, .input = args, .name = program_invocation_name
    };
    char empty[] = "";

    asked = v;
    argp->parser(o->key, empty, &state);
    asked = NULL;
}

static void print_value(const struct argp *argp, void *args, const struct cli_complete_line *line,
                        const struct argp_option *o, const char *word, const char *value)
{
    struct cli_complete_value v = { .metavariable = o->arg, .text = value };
    char *prefix = strndup(word, (size_t)(value - word));

    v.prefix = prefix;
    ask_parser(argp, args, o, &v);
    if (prefix)
        cli_complete_print(line, &v);
    free(prefix);
}

/* Copies the name of the first operand in a line such as "[RECORDS...]". */
static void copy_operand(const char *line, char name[32])
{
    size_t n;

    line += strspn(line, "[");
    n = strcspn(line, " ].\n");
    snprintf(name, 32, "%.*s", (int)n, line);
}

/* A name in lower case is the operand itself. */
static void print_operands(const struct argp *argp, const struct cli_complete_line *line,
                           const char *text)
{
    for (const char *doc = argp->args_doc; doc; doc = strchr(doc, '\n')) {
        char name[32];
        struct cli_complete_value v = { .metavariable = name, .prefix = "", .text = text };

        doc += *doc == '\n';
        copy_operand(doc, name);
        if (islower((unsigned char)*name))
            cli_complete_word(name, NULL);
        else
            cli_complete_print(line, &v);
    }
    /* the words of a table, such as the commands of hagg */
    for (const struct argp_option *o = argp->options; !is_end(o); o++)
        if (o->name && o->flags & OPTION_DOC)
            cli_complete_word(o->name, o->doc);
}

/* o is NULL for an operand. */
static void keep_value(struct cli_complete_line *line, const struct argp_option *o,
                       const char *metavariable, const char *value)
{
    if (strcmp(metavariable, "PLAN") == 0)
        line->plan = value;
    else if (strcmp(metavariable, "DIGEST") == 0)
        line->digest = value;
    else if (o && o->key == CLI_STATE)
        line->state = value;
}

int cli_complete(const struct argp *argp, void *args, char *const *words)
{
    struct cli_complete_line line = { 0 };
    const struct argp_option *o = NULL; /* whose value is the next word */
    bool only_operands = false;
    const char *value;
    char operand[32] = "";

    alarm(2); /* nobody waits longer than that, whatever the files are */
    if (argp->args_doc)
        copy_operand(argp->args_doc, operand);
    for (; *words && words[1]; words++) {
        if (o) {
            keep_value(&line, o, o->arg, *words);
            o = NULL;
        } else if (only_operands || words[0][0] != '-' || !words[0][1])
            keep_value(&line, NULL, operand, *words);
        else if (strcmp(*words, "--") == 0)
            only_operands = true;
        else if ((o = find_option(argp, *words, &value)) && value) {
            keep_value(&line, o, o->arg, value);
            o = NULL;
        }
    }
    if (o && *words)
        print_value(argp, args, &line, o, *words, *words);
    else if (*words && !only_operands && **words == '-' &&
             (o = find_option(argp, *words, &value)) && value)
        print_value(argp, args, &line, o, *words, value);
    else if (*words && !only_operands && (**words == '-' || !argp->args_doc)) {
        print_options(argp->options);
        print_options(options_of_argp);
    } else if (*words)
        print_operands(argp, &line, *words);
    return fflush(stdout) ? HAGG_E_SYSTEM : HAGG_OK;
}
