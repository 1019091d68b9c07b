#include "base/shell.h"
#include "round/emit.h"
#include "round/quote.h"

/* Each line of a list has the number of the node and the command, separated by a tab, which no name
 * contains. The prefix gets the command as one word, as ssh and sh -c expect. parallel would
 * replace
 * {...} in the name of its working directory, and even execute it. */
static const char preamble[] =
    "#   PARALLEL='--jobs 8 --sshloginfile hosts' sh FILE\n"
    "# A program that runs the commands of a tier, each of which it gets as one word; {1} is the\n"
    "# number of the node:\n"
    "#   STATION='ssh station-{1}' sh FILE\n"
    "# The command that carries a file to another node, before the names of the file and its copy; "
    "and\n"
    "# the mode of the directories for such copies:\n"
    "#   CARRY='" ROUND_CARRY "' INBOX=" ROUND_INBOX " sh FILE\n"
    "# After a failure, run it again: only the missing files are made. When the total is decoded, "
    "empty\n"
    "# the shares, masks and keys:\n"
    "#   sh FILE clean-keys\n"
    "set -eu\n"
    "CARRY=${CARRY:-" ROUND_CARRY "}\n"
    "INBOX=${INBOX:-" ROUND_INBOX "}\n"
    "case $PWD in\n"
    "*'{'*)\n"
    "    echo \"$PWD: parallel cannot run in a directory whose name contains {\" >&2\n"
    "    exit 2\n"
    "    ;;\n"
    "esac\n"
    "\n"
    "# layer NAME FRONT: the jobs are on standard input\n"
    "layer() {\n"
    "    parallel --colsep '\\t' --wd \"$PWD\" --halt soon,fail=1 --joblog \"$logs/$1.joblog\" \\\n"
    "        \"${2:-sh -c} {2}\"\n"
    "}\n";

static void put_job(struct text *out, const struct step_layer *l, const struct step *s)
{
    struct text job = { 0 };

    text_printf(out, "%u\t", s->node);
    quote_job(&job, l, s);
    if (text_ok(&job))
        quote_here(out, job.bytes);
    out->failed = out->failed || !text_ok(&job);
    text_free(&job);
    text_printf(out, "\n");
}

/* The jobs of a list run in any order, on several machines at once. If order matters, each job gets
 * a list of its own. */
static void put_layer(struct text *out, const struct step_layer *l)
{
    const char *tier = step_tier_name(l->tier);

    text_printf(out, "\n# %s\n", l->what);
    for (size_t i = 0; i < l->n; i++) {
        if (l->run == STEP_IN_ORDER)
            text_printf(out, "layer %s-%zu \"${%s-}\" <<END\n", l->name, i + 1, tier);
        else if (i == 0)
            text_printf(out, "layer %s \"${%s-}\" <<END\n", l->name, tier);
        put_job(out, l, &l->steps[i]);
        if (l->run == STEP_IN_ORDER || i + 1 == l->n)
            text_printf(out, "END\n");
    }
}

int emit_parallel(const struct round *r, struct text *out, struct hagg_err *err)
{
    (void)err;
    text_printf(out,
                "#!/bin/sh\n# Round %llu of %s, for GNU parallel. Its options can be set in the "
                "environment:\n%s\n",
                (unsigned long long)r->options->number, r->options->plan_path, preamble);
    quote_command(out, &r->folder.steps[0]);
    text_printf(out, "\nlogs=");
    shell_quote(out, r->base);
    text_printf(out, "\n\nif [ \"${1-}\" = clean-keys ]; then\n");
    for (size_t i = 0; i < ROUND_CLEANING; i++)
        if (r->cleaning[i].n > 0)
            put_layer(out, &r->cleaning[i]);
    text_printf(out, "exit\nfi\n");
    for (size_t i = 0; i < r->n_layers; i++)
        put_layer(out, &r->layers[i]);
    return 0;
}
