#include "inspect_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "cli_state.h"
#include "header.h"

/* Hexadecimal digits of a plan's digest in the table. */
#define PLAN_DIGITS 16

struct listing {
    bool json;
    struct text line;
};

static int print_entry(void *listing, const struct state_entry *e, struct hagg_err *err)
{
    struct listing *l = listing;

    if (!l->json)
        text_printf(&l->line, "%.*s %-14s %-9s %8s %s\n", PLAN_DIGITS, e->plan, e->node, e->what,
                    e->round, e->clients ? e->clients : "-");
    else {
        text_printf(&l->line,
                    "{\"plan\":\"%s\",\"node\":\"%s\",\"what\":\"%s\",\"round\":%s,\"clients\":",
                    e->plan, e->node, e->what, e->round);
        if (e->clients && strcmp(e->clients, "-"))
            text_printf(&l->line, "\"%s\"}\n", e->clients);
        else
            text_printf(&l->line, "null}\n");
    }
    return cli_print(&l->line, err);
}

/* Digits of a whole digest, with the NUL. */
#define DIGITS (2 * HEADER_PLAN_BYTES + 1)

/* Copies the digits of a digest, which may have blanks between them. */
static int copy_digits(const char *given, char digits[DIGITS], struct hagg_err *err)
{
    size_t n = 0;

    for (const char *c = given; *c; c++) {
        if (*c == ' ')
            continue;
        if (!isxdigit((unsigned char)*c) || n == DIGITS - 1)
            return err_set(err, HAGG_E_USAGE,
                           "--plan must be a digest, or its first digits, as hagg-plan --digest "
                           "prints it, not '%s'",
                           given);
        digits[n++] = (char)tolower((unsigned char)*c);
    }
    digits[n] = 0;
    return 0;
}

static int list(const struct inspect_state_options *o, const char *digits, struct state *state,
                struct hagg_err *err)
{
    struct listing l = { .json = o->json };
    int status;

    if (!o->json)
        text_printf(&l.line, "%-*s %-14s %-9s %8s %s\n", PLAN_DIGITS, "PLAN", "NODE", "WHAT",
                    "ROUND", "CLIENTS");
    status = cli_print(&l.line, err);
    if (status == 0)
        status = state_each(state, digits, print_entry, &l, err);
    text_free(&l.line);
    return status;
}

static int prune(const struct inspect_state_options *o, const char *digits, struct state *state,
                 struct hagg_err *err)
{
    size_t n;

    if (state_prune(state, digits, o->before, &n, err))
        return -1;
    cli_note("%zu entr%s removed: rounds before %llu of this plan are refused from now on", n,
             n == 1 ? "y" : "ies", (unsigned long long)o->before);
    return 0;
}

int inspect_state(const struct inspect_state_options *o)
{
    struct hagg_err err = { 0 };
    struct state *state = cli_state_open_directory(o->directory, &err);
    char digits[DIGITS] = "";
    int status = -1;

    if (state && (!o->plan || copy_digits(o->plan, digits, &err) == 0))
        status = o->prune ? prune(o, digits, state, &err) : list(o, digits, state, &err);
    state_free(state);
    return status ? cli_fail(&err) : HAGG_OK;
}
