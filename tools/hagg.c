#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bindir.h"
#include "cli.h"
#include "cli_complete.h"

#define COMMAND(name, what) { name, 0, NULL, OPTION_DOC | OPTION_NO_USAGE, what, 1 },
#define TOPIC(name, what)
static const struct argp_option options[] = {
    { NULL, 0, NULL, 0, "Commands:", 1 },
#include "commands.inc" /* generated from the NAME of each page by man/CMakeLists.txt */
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    if (key != ARGP_KEY_NO_ARGS)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, "a command is missing");
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "COMMAND [ARGUMENT...]\nhelp [TOPIC]",
    .doc = "Run a command of hagg: 'hagg share' is hagg-share.\v'hagg COMMAND --help' lists the "
           "options of a command. 'hagg help TOPIC' opens a manual page. TOPIC is a command, "
           "'hagg' for the overview, or another page such as 'topology' or 'format'.",
};

/* Levenshtein distance: insertions, deletions and replacements of characters. */
static size_t distance(const char *from, const char *to)
{
    size_t row[NAME_MAX + 1], n = strlen(to);

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; from[i]; i++) {
        size_t diagonal = row[0]++;

        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (from[i] != to[j - 1]);

            diagonal = row[j];
            best = diagonal < best ? diagonal + 1 : best;
            row[j] = row[j - 1] < best ? row[j - 1] + 1 : best;
        }
    }
    return row[n];
}

/* Returns the command most similar to the name, or NULL if none is similar. *nearness is 0 if it is
 * equal. */
static const char *nearest(const char *name, size_t *nearness)
{
    const char *found = NULL;

    *nearness = 3;
    for (const struct argp_option *o = options + 1; o->name; o++) {
        size_t d = distance(name, o->name);

        if (d < *nearness && d < strlen(o->name)) {
            *nearness = d;
            found = o->name;
        }
    }
    return found;
}

/* what is "unknown command", for instance. */
static int unknown(const char *what, const char *name, struct hagg_err *err)
{
    size_t d;
    const char *near = nearest(name, &d);

    if (near && d > 0)
        return err_set(err, HAGG_E_USAGE, "%s '%.80s': did you mean '%s'?", what, name, near);
    return err_set(err, HAGG_E_USAGE, "%s '%.80s': 'hagg --help' lists the commands", what, name);
}

/* Executes hagg-NAME from the directory of this executable, whether or not it belongs to hagg.
 * Returns only on failure. */
static int run(const char *bin, char **argv, struct hagg_err *err)
{
    const char *name = argv[0];
    char *path;
    size_t d;

    if (strchr(name, '/'))
        return unknown("unknown command", name, err);
    if (asprintf(&path, "%s/hagg-%s", bin, name) < 0)
        return err_errno(err, "hagg-%.80s", name);
    argv[0] = strrchr(path, '/') + 1;
    execv(path, argv);
    if (access(path, F_OK) && !(nearest(name, &d) && d == 0))
        unknown("unknown command", name, err);
    else
        err_errno(err, "cannot run %s", path);
    free(path);
    return -1;
}

/* Returns the file of a manual page, which may be compressed, malloc'ed for the caller; NULL if
 * there is none. */
static char *find_page(const char *bin, const char *topic)
{
    const char *prefix = strncmp(topic, "hagg", 4) ? "hagg-" : "";

    /* hagg(7), the overview, has precedence over hagg(1); any other name has one page */
    for (const char *section = "7531"; *section && !strchr(topic, '/'); section++)
        for (int packed = 0; packed < 2; packed++) {
            char *path;

            if (asprintf(&path, "%s/%s/man%c/%s%s.%c%s", bin, MAN_FROM_BIN, *section, prefix, topic,
                         *section, packed ? ".gz" : "") < 0)
                return NULL;
            if (access(path, R_OK) == 0)
                return path;
            free(path);
        }
    return NULL;
}

/* Returns only on failure. */
static int help(const char *bin, const char *topic, struct hagg_err *err)
{
    char *page = find_page(bin, topic);

    if (!page)
        return unknown("no manual page for", topic, err);
    execlp("man", "man", page, (char *)NULL);
    err_errno(err, "cannot run man: install man-db or mandoc to read %s", page);
    free(page);
    return -1;
}

/* Replaces the function of cli_complete.h, which needs much of lib: no option of hagg has a value.
 */
void cli_complete_print(const struct cli_complete_line *line, const struct cli_complete_value *v)
{
    (void)line;
    (void)v;
}

/* Completes a topic, or lets a command complete its own words, if it belongs to hagg: another one
 * need not know how. argv are a command, the option, and the words after the command. */
static int complete(const char *bin, char **argv, struct hagg_err *err)
{
    size_t d;

    if (strcmp(argv[0], "help"))
        return nearest(argv[0], &d) && d == 0 ? run(bin, argv, err) : HAGG_OK;
    if (argv[3])
        return HAGG_OK;
#undef COMMAND
#undef TOPIC
#define COMMAND           TOPIC
#define TOPIC(name, what) cli_complete_word(name, what);
#include "commands.inc"
    return fflush(stdout) ? HAGG_E_SYSTEM : HAGG_OK;
}

int main(int argc, char **argv)
{
    static char help_option[] = "--help", complete_option[] = CLI_COMPLETE;
    struct hagg_err err = { 0 };
    char bin[PATH_MAX];
    bool helps = argc > 1 && strcmp(argv[1], "help") == 0;

    if (argc > 3 && strcmp(argv[1], CLI_COMPLETE) == 0 && bindir_get(bin, sizeof bin) == 0) {
        argv[1] = argv[2];
        argv[2] = complete_option;
        return complete(bin, argv + 1, &err) ? HAGG_E_SYSTEM : HAGG_OK;
    }
    if (helps && argc == 2)
        argv[1] = help_option;
    if (argc < 2 || argv[1][0] == '-') {
        setenv("ARGP_HELP_FMT", "opt-doc-col=17", 0); /* names are short, descriptions are long */
        cli_parse(&argp, argc, argv, NULL);           /* exits */
    } else if (helps && argc > 3)
        err_set(&err, HAGG_E_USAGE, "only one topic is accepted: '%.80s' is extra", argv[3]);
    else if (bindir_get(bin, sizeof bin))
        err_set(&err, HAGG_E_SYSTEM, "cannot find its own directory in /proc/self/exe");
    else if (helps)
        help(bin, argv[2], &err);
    else
        run(bin, argv + 1, &err);
    return cli_fail(&err);
}
