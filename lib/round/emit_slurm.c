#include <string.h>

#include "base/shell.h"
#include "round/emit.h"
#include "round/quote.h"

/* Maximum number of tasks of an array, numbered from 0: the default limit of Slurm. */
#define MAX_TASKS ((size_t)1000)

/* If a node fails, Slurm itself restarts its jobs, which is safe for every step. If a job fails,
 * the jobs that wait for it are cancelled. */
static const char preamble[] =
    "# Options after FILE are for the last job: sh FILE --wait\n"
    "# Options of sbatch for the jobs of a tier: CLIENT_OPTIONS, STATION_OPTIONS, RELAY_OPTIONS,\n"
    "# FEDERATOR_OPTIONS:\n"
    "#   STATION_OPTIONS='--partition=stations --mem=2G' sh FILE\n"
    "# A program that runs the commands of a tier, or of one node, each of which it gets as one "
    "word;\n"
    "# $NODE is the number of the node:\n"
    "#   STATION='srun sh -c' STATION_2='ssh station-$NODE' sh FILE\n"
    "# The command that carries a file to another node, before the names of the file and its copy; "
    "and\n"
    "# the mode of the directories for such copies:\n"
    "#   CARRY='" ROUND_CARRY "' INBOX=" ROUND_INBOX " sh FILE\n"
    "# When the total is decoded, empty the shares, masks and keys:\n"
    "#   sh FILE clean-keys\n"
    "set -eu\n"
    "\n"
    "# quote TEXT: prints it as a part of a word in quotes\n"
    "quote() {\n"
    "    printf '%s\\n' \"$1\" | sed \"s/'/'\\\\\\\\''/g\"\n"
    "}\n"
    "CARRY=$(quote \"${CARRY:-" ROUND_CARRY "}\")\n"
    "INBOX=$(quote \"${INBOX:-" ROUND_INBOX "}\")\n"
    "\n"
    "# submit NAME TASKS AFTER OPTIONS...: submits an array of tasks, whose commands are on\n"
    "# standard input, and sets $job to its number\n"
    "submit() {\n"
    "    name=$1 tasks=$2 after=$3\n"
    "    shift 3\n"
    "    job=$({ printf '%s\\n' \"$head\"; cat; echo esac; } |\n"
    "        sbatch --parsable --job-name=\"round-$round-$name\" --array=\"$tasks\" --requeue \\\n"
    "            --kill-on-invalid-dep=yes --open-mode=append --output=\"$logs/$name-%A_%a.log\" "
    "\\\n"
    "            ${after:+\"--dependency=afterok$after\"} \"$@\")\n"
    "    job=${job%%;*}\n"
    "}\n"
    "\n"
    "# the beginning of every job\n"
    "head='#!/bin/sh\n"
    "on() {\n"
    "    NODE=$2\n"
    "    eval \"front=\\${$1_$2-\\${$1-}}\"\n"
    "    eval \"${front:-sh -c} \\\"\\$3\\\"\"\n"
    "}\n"
    "case $SLURM_ARRAY_TASK_ID in'\n";

/* sbatch --wait reports a cancelled job as successful. */
static const char ending[] =
    "\n# with --wait: fail if the last job was cancelled because a job before it failed\n"
    "for option; do\n"
    "    case $option in\n"
    "    --wait | -W) test -e \"$logs/total-${job}_0.log\" ;;\n"
    "    esac\n"
    "done\n";

/* The command is one word, so that no shell on the way interprets it. */
static void put_task(struct text *out, const struct step_layer *l, const struct step *s, size_t at)
{
    struct text job = { 0 }, word = { 0 };

    quote_job(&job, l, s);
    if (text_ok(&job))
        shell_quote(&word, job.bytes);
    out->failed = out->failed || !text_ok(&job) || !text_ok(&word);
    text_printf(out, "%zu) on %s %u ", at, step_tier_name(l->tier), s->node);
    if (!out->failed)
        quote_here(out, word.bytes);
    text_printf(out, " ;;\n");
    text_free(&job);
    text_free(&word);
}

/* An array for n steps of a layer. after: the shell variables with the jobs to wait for. */
static void put_array(struct text *out, const struct step_layer *l, size_t first, size_t n,
                      const char *after, bool is_last)
{
    text_printf(out, "submit %s 0-%zu \"%s\" ${%s_OPTIONS-}%s <<END\n", l->name, n - 1, after,
                step_tier_name(l->tier), is_last ? " \"$@\"" : "");
    for (size_t i = 0; i < n; i++)
        put_task(out, l, &l->steps[first + i], i);
    text_printf(out, "END\n");
}

/* Submits a layer. after: the shell variables with the jobs to wait for. */
static void put_layer(struct text *out, const struct step_layer *l, const char *after, bool is_last)
{
    bool in_order = l->run == STEP_IN_ORDER;
    size_t at_once = in_order ? 1 : MAX_TASKS;
    struct text own = { 0 };

    text_printf(&own, "$%s", l->name);
    out->failed = out->failed || !text_ok(&own);
    text_printf(out, "\n# %s\n%s=\n", l->what, l->name);
    for (size_t first = 0; first < l->n && !out->failed; first += at_once) {
        size_t n = l->n - first < at_once ? l->n - first : at_once;

        put_array(out, l, first, n, in_order && first > 0 ? own.bytes : after, is_last);
        text_printf(out, "%s=%s:$job\n", l->name, in_order ? "" : own.bytes);
    }
    text_free(&own);
}

/* A layer of the round waits for the layers that it needs. */
static void put_round(struct text *out, const struct round *r)
{
    for (size_t i = 0; i < r->n_layers; i++) {
        struct text after = { 0 };

        text_printf(&after, "%s", "");
        for (size_t j = 0; j < i; j++)
            if (r->needs[i][j])
                text_printf(&after, "$%s", r->layers[j].name);
        out->failed = out->failed || !text_ok(&after);
        if (!out->failed)
            put_layer(out, &r->layers[i], after.bytes, i + 1 == r->n_layers);
        text_free(&after);
    }
}

/* Each layer waits for the one before. */
static void put_cleaning(struct text *out, const struct round *r)
{
    text_printf(out, "\nif [ \"${1-}\" = clean-keys ]; then\nshift\n");
    for (size_t i = 0; i < ROUND_CLEANING; i++) {
        if (r->cleaning[i].n == 0)
            continue;
        put_layer(out, &r->cleaning[i], i > 0 ? "$before" : "", i + 1 == ROUND_CLEANING);
        text_printf(out, "before=$%s\n", r->cleaning[i].name);
    }
    text_printf(out, "exit\nfi\n");
}

int emit_slurm(const struct round *r, struct text *out, struct hagg_err *err)
{
    if (strpbrk(r->base, "%\\"))
        return err_set(
            err, HAGG_E_USAGE,
            "%s: Slurm cannot write logs in a directory of this name: it must not contain %% or \\",
            r->base);
    text_printf(out, "#!/bin/sh\n# Round %llu of %s, for Slurm: sh FILE submits it.\n%s\n",
                (unsigned long long)r->options->number, r->options->plan_path, preamble);
    quote_command(out, &r->folder.steps[0]);
    text_printf(out, "\nround=%llu\nlogs=", (unsigned long long)r->options->number);
    shell_quote(out, r->base);
    text_printf(out, "/logs\nmkdir -p -m 700 \"$logs\"\n");
    put_cleaning(out, r);
    put_round(out, r);
    text_printf(out, "%s", ending);
    return 0;
}
