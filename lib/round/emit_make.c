#include <string.h>

#include "base/shell.h"
#include "round/emit.h"
#include "round/part.h"
#include "round/quote.h"

static int put_names(struct text *out, const struct step_names *names, struct hagg_err *err)
{
    for (size_t i = 0; i < names->n; i++) {
        text_printf(out, i > 0 ? " " : "");
        if (quote_make_name(out, names->names[i], err))
            return -1;
    }
    return 0;
}

/* The command as the value of a variable of make, without line break. */
static void put_command(struct text *out, const struct step *s)
{
    struct text command = { 0 };

    quote_command(&command, s);
    if (text_ok(&command))
        quote_recipe(out, command.bytes);
    out->failed = out->failed || !text_ok(&command);
    text_free(&command);
}

/* A recipe that runs the command of the variable LAYER.INDEX, defined here. */
static void put_recipe(struct text *out, const struct step_layer *l, size_t index)
{
    text_printf(out, "\t$(call ON,%s,%u,%s.%zu)\n", step_tier_name(l->tier), l->steps[index].node,
                l->name, index + 1);
}

static void put_definition(struct text *out, const struct step_layer *l, size_t index)
{
    text_printf(out, "define %s.%zu\n", l->name, index + 1);
    put_command(out, &l->steps[index]);
    text_printf(out, "\nendef\n");
}

/* The targets of the layers that a layer needs. */
static void put_needs(struct text *out, const struct round *r, size_t layer)
{
    for (size_t i = 0; i < layer; i++)
        if (r->needs[layer][i])
            text_printf(out, " all-%s", r->layers[i].name);
}

/* The files that the step, which has one output, waits for until the deadline. */
static int put_expected(struct text *out, const struct step *s, struct hagg_err *err)
{
    if (s->expected.n == 0)
        return 0;
    text_printf(out, "REPORT := ");
    if (put_names(out, &s->outputs, err))
        return -1;
    text_printf(out, "\nifeq ($(LATE)$(wildcard $(REPORT)),)\n");
    if (put_names(out, &s->outputs, err))
        return -1;
    text_printf(out, ": | ");
    if (put_names(out, &s->expected, err))
        return -1;
    text_printf(out, "\nendif\n");
    return 0;
}

/* One rule for all outputs of a command: if any is missing, the command runs again. All layers that
 * are needed must be complete before an output is used. Otherwise make could use one output, then
 * find that another is missing and make both again. Inputs after the bar must exist, but may be
 * newer than outputs that are made only once. */
static int put_rule(struct text *out, const struct round *r, size_t layer, size_t index,
                    struct hagg_err *err)
{
    const struct step_layer *l = &r->layers[layer];
    const struct step *s = &l->steps[index];
    bool once = l->run == STEP_ONCE || l->run == STEP_IN_ORDER;

    put_definition(out, l, index);
    if (put_names(out, &s->outputs, err))
        return -1;
    text_printf(out, s->outputs.n > 1 ? " &: " : ": ");
    if (!once && put_names(out, &s->inputs, err))
        return -1;
    text_printf(out, "%s| $(FOLDER)", !once && s->inputs.n > 0 ? " " : "");
    if (once && s->inputs.n > 0) {
        text_printf(out, " ");
        if (put_names(out, &s->inputs, err))
            return -1;
    }
    if (s->settled.n > 0) {
        text_printf(out, " ");
        if (put_names(out, &s->settled, err))
            return -1;
    }
    put_needs(out, r, layer);
    text_printf(out, "\n");
    put_recipe(out, l, index);
    return put_expected(out, s, err);
}

/* A file that somebody else makes has a rule that fails, so that make -k does everything else. */
static int put_awaited(struct text *out, const struct round *r, struct hagg_err *err)
{
    if (r->n_awaited > 0)
        text_printf(out, "\n# files that must arrive\n");
    for (size_t i = 0; i < r->n_awaited; i++) {
        struct text message = { 0 }, word = { 0 };
        int status = quote_make_name(out, r->awaited[i], err);

        text_printf(&message, "round %llu: %s waits for %s", (unsigned long long)r->options->number,
                    part_home(r->options).text, r->awaited[i]);
        if (text_ok(&message))
            shell_quote(&word, message.bytes);
        text_printf(out, ":\n\t@echo ");
        if (text_ok(&message) && text_ok(&word))
            quote_recipe(out, word.bytes);
        text_printf(out, " >&2; false\n");
        out->failed = out->failed || !text_ok(&message) || !text_ok(&word);
        text_free(&message);
        text_free(&word);
        if (status)
            return -1;
    }
    return 0;
}

/* $(call ON,STATION,2,sums.2) expands to the command in the variable sums.2. If there is a program
 * to run it, the command is quoted as one word, so that every character reaches the shell at the
 * node unchanged, and no other shell interprets it. */
static const char preamble[] =
    "# A program that runs the commands of a tier, each of which it gets as one word:\n"
    "# make STATION='ssh station-$(NODE)', or for one node make STATION-2='ssh station-2'. $(NODE) "
    "is\n"
    "# the number of the node.\n"
    "CLIENT =\n"
    "STATION =\n"
    "RELAY =\n"
    "FEDERATOR =\n"
    "# The command that carries a file to another node, before the names of the file and its copy; "
    "and\n"
    "# the mode of the directories for such copies.\n"
    "CARRY = " ROUND_CARRY "\n"
    "INBOX = " ROUND_INBOX "\n"
    "\n"
    "MAKEFLAGS += --no-builtin-rules\n"
    "ifeq ($(filter grouped-target,$(.FEATURES)),)\n"
    "$(error rules for several files at once need GNU make 4.3 or newer)\n"
    "endif\n"
    "EQUALS := =\n"
    "FRONT = $(if $(filter undefined,$(origin $1-$2)),$($1),$($1-$2))\n"
    "ON = $(foreach NODE,$2,$(if $(FRONT),$(FRONT) '$(subst ','\\'',$($3))',$($3)))\n";

static void put_about(struct text *out, const struct round *r)
{
    const struct round_options *o = r->options;

    if (!o->node)
        text_printf(
            out,
            "# Round %llu of %s. Run it with make -j2. After a failure, run it again: only "
            "the missing\n# files are made. If a client cannot share, write the round again "
            "with --clients, before the\n# roster is made; if a station or relay fails, "
            "with --without.\n%s",
            (unsigned long long)o->number, o->plan_path, preamble);
    else
        text_printf(
            out,
            "# The part of %s in round %llu of %s. Run it with make -k, which does all\n# that can "
            "be done now, and again when files have arrived.\n%s"
            "# From this time on, in seconds since 1970, the report does not wait for clients.\n"
            "DEADLINE =%s\n"
            "LATE := $(if $(DEADLINE),$(shell test $$(date +%%s) -ge $(DEADLINE) && echo late))\n",
            part_home(o).text, (unsigned long long)o->number, o->plan_path, preamble,
            o->has_deadline ? node_name_of(" %lld", (long long)o->deadline).text : "");
}

static int put_head(struct text *out, const struct round *r, struct hagg_err *err)
{
    const struct step *s = &r->folder.steps[0];
    size_t last = r->n_layers - 1;

    put_about(out, r);
    text_printf(out, "FOLDER := ");
    if (put_names(out, &s->outputs, err))
        return -1;
    text_printf(out, "\n\n.PHONY: all\nall:");
    /* the last layer of a whole round needs all others */
    for (size_t i = r->options->node ? 0 : last; i <= last; i++)
        text_printf(out, " all-%s", r->layers[i].name);
    text_printf(out, "\n\n$(FOLDER):\n\t");
    put_command(out, s);
    text_printf(out, "\n");
    return 0;
}

/* Adds the outputs of a step to its layer, unless the file that the step needs can no longer be
 * waited for: the deadline has passed, or the clients are known. */
static int put_offered(struct text *out, const struct round *r, const struct step_layer *l,
                       const struct step *s, struct hagg_err *err)
{
    const struct step_names roster = { .names = (char *[]){ r->roster }, .n = 1 };
    const struct step_names offered = { .names = (char *[]){ s->offered }, .n = 1 };

    text_printf(out, "ROSTER := ");
    if (put_names(out, &roster, err))
        return -1;
    text_printf(out, "\nOFFERED := ");
    if (put_names(out, &offered, err))
        return -1;
    text_printf(out,
                "\nifneq ($(if $(LATE)$(wildcard $(ROSTER)),$(wildcard $(OFFERED)),wait),)\n"
                "all-%s: ",
                l->name);
    if (put_names(out, &s->outputs, err))
        return -1;
    text_printf(out, "\nendif\n");
    return 0;
}

static int put_layer(struct text *out, const struct round *r, size_t layer, struct hagg_err *err)
{
    const struct step_layer *l = &r->layers[layer];

    text_printf(out, "\n# %s\n.PHONY: all-%s\nall-%s:", l->what, l->name, l->name);
    put_needs(out, r, layer);
    for (size_t i = 0; i < l->n; i++) {
        if (r->options->node && l->steps[i].offered)
            continue;
        text_printf(out, " ");
        if (put_names(out, &l->steps[i].outputs, err))
            return -1;
    }
    text_printf(out, "\n");
    for (size_t i = 0; i < l->n && r->options->node; i++)
        if (l->steps[i].offered && put_offered(out, r, l, &l->steps[i], err))
            return -1;
    for (size_t i = 0; i < l->n && l->run == STEP_ALWAYS; i++) {
        text_printf(out, ".PHONY: ");
        if (put_names(out, &l->steps[i].outputs, err))
            return -1;
        text_printf(out, "\n");
    }
    for (size_t i = 0; i < l->n; i++)
        if (put_rule(out, r, layer, i, err))
            return -1;
    return 0;
}

/* One recipe, so that its lines run one after the other even with -j. */
static void put_cleaning(struct text *out, const struct round *r)
{
    text_printf(out, "\n# empties the shares, masks and keys of a round whose total was decoded\n");
    for (size_t i = 0; i < ROUND_CLEANING; i++)
        for (size_t j = 0; j < r->cleaning[i].n; j++)
            put_definition(out, &r->cleaning[i], j);
    text_printf(out, ".PHONY: clean-keys\nclean-keys:\n");
    for (size_t i = 0; i < ROUND_CLEANING; i++)
        for (size_t j = 0; j < r->cleaning[i].n; j++)
            put_recipe(out, &r->cleaning[i], j);
}

int emit_make(const struct round *r, struct text *out, struct hagg_err *err)
{
    if ((strncmp(r->result, "all", 3) == 0 && !strchr(r->result, '/')) ||
        strcmp(r->result, "clean-keys") == 0)
        return err_set(err, HAGG_E_USAGE, "%s: the Makefile has a target of this name: use ./%s",
                       r->result, r->result);
    if (put_head(out, r, err))
        return -1;
    for (size_t i = 0; i < r->n_layers; i++)
        if (put_layer(out, r, i, err))
            return -1;
    if (put_awaited(out, r, err))
        return -1;
    put_cleaning(out, r);
    return 0;
}
