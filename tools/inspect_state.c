#include "inspect_state.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "cli_state.h"

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

static int list(const struct inspect_state_options *o, struct state *state, struct hagg_err *err)
{
    struct listing l = { .json = o->json };
    int status;

    if (!o->json)
        text_printf(&l.line, "%-*s %-14s %-9s %8s %s\n", PLAN_DIGITS, "PLAN", "NODE", "WHAT",
                    "ROUND", "CLIENTS");
    status = cli_print(&l.line, err);
    if (status == 0)
        status = state_each(state, o->plan ? o->plan : "", print_entry, &l, err);
    text_free(&l.line);
    return status;
}

static int prune(const struct inspect_state_options *o, struct state *state, struct hagg_err *err)
{
    size_t n;

    if (state_prune(state, o->plan, o->before, &n, err))
        return -1;
    cli_note("%zu entr%s removed: rounds before %llu of this plan are refused from now on", n,
             n == 1 ? "y" : "ies", (unsigned long long)o->before);
    return 0;
}

int inspect_state(const struct inspect_state_options *o)
{
    struct hagg_err err = { 0 };
    struct state *state = cli_state_open_directory(o->directory, &err);
    int status = -1;

    if (state)
        status = o->prune ? prune(o, state, &err) : list(o, state, &err);
    state_free(state);
    return status ? cli_fail(&err) : HAGG_OK;
}
