#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_options.h"
#include "inspect_state.h"
#include "records/inspect.h"
#include "records/stream.h"

enum { KEY_PRUNE_BEFORE = CLI_FIRST_OWN };

struct args {
    bool json;
    struct inspect_state_options state;
    const char *const *files;
    size_t n_files;
};

static const struct argp_option options[] = {
    { "json", 'j', NULL, 0,
      "Write JSON Lines instead of a table: one object per record, then the summary", 0 },
    { "state", CLI_STATE, "DIRECTORY", OPTION_ARG_OPTIONAL,
      "List what the commands remember in DIRECTORY (default: as for the commands)", 1 },
    { "plan", CLI_PLAN, "DIGEST", 0,
      "With --state: only the plan whose digest is, or begins with, DIGEST", 1 },
    { "prune-before", KEY_PRUNE_BEFORE, "ROUND", 0,
      "With --state and --plan: remove the entries of earlier rounds, which are then refused", 1 },
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case 'j':
        args->json = args->state.json = true;
        return 0;
    case CLI_STATE:
        args->state.wanted = true;
        args->state.directory = arg;
        return 0;
    case CLI_PLAN:
        args->state.plan = arg;
        return 0;
    case KEY_PRUNE_BEFORE:
        args->state.prune = true;
        args->state.before = cli_options_number(state, "--prune-before", arg, 0, LIMIT_ROUND);
        return 0;
    case ARGP_KEY_END:
        if (!args->state.wanted && (args->state.plan || args->state.prune))
            argp_error(state, "--plan and --prune-before require --state");
        if (args->state.prune && !args->state.plan)
            argp_error(state, "--prune-before requires --plan");
        if (args->state.wanted && args->n_files > 0)
            argp_error(state, "--state reads no files: write --state=DIRECTORY");
        return 0;
    case ARGP_KEY_ARGS:
        args->files = (const char *const *)state->argv + state->next;
        args->n_files = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RECORDS...]",
    .doc =
        "List and verify the records in share files.\vWith no RECORDS, or when RECORDS is -, read "
        "standard input. No key is needed, and no values of vectors are printed.",
};

/* State for all files. */
struct inspection {
    bool json;
    const char *file;
    struct verifier verifier;
    struct inspect_summary summary;
    struct text line;
};

static int inspect_record(void *inspection, struct reader *r, struct hagg_err *err)
{
    struct inspection *i = inspection;
    enum verify_result result;

    if (verify_record(&i->verifier, r, &result, err) || inspect_count(&i->summary, r, result, err))
        return -1;
    if (i->json)
        inspect_json(&i->line, i->file, r, result);
    else
        inspect_row(&i->line, i->file, r, result);
    return cli_print(&i->line, err);
}

static int report(const struct hagg_err *err, int status)
{
    int failure = cli_fail(err);

    return status ? status : failure;
}

/* Inspects all files, even if one is wrong. The exit status is that of the first failure. */
static int run(const struct args *args)
{
    static const char *const standard_input[] = { "-" };
    const char *const *files = args->n_files > 0 ? args->files : standard_input;
    size_t n_files = args->n_files > 0 ? args->n_files : 1;
    struct inspection in = { .json = args->json };
    struct hagg_err err = { 0 };
    int status = HAGG_OK;

    if (!args->json)
        inspect_heading(&in.line);
    if (cli_print(&in.line, &err))
        status = report(&err, status);
    for (size_t i = 0; i < n_files && !ferror(stdout); i++) {
        in.file = files[i];
        err = (struct hagg_err){ 0 };
        if (stream_each(files[i], STREAM_ANY_KIND, NULL, inspect_record, &in, &err))
            status = report(&err, status);
        /* do not count files that could not be read */
        in.summary.n_files += err.status != HAGG_E_SYSTEM;
    }
    if (args->json)
        inspect_summary_json(&in.line, &in.summary);
    else
        inspect_summary_table(&in.line, &in.summary);
    if (!ferror(stdout) && cli_print(&in.line, &err))
        status = report(&err, status);
    text_free(&in.line);
    inspect_summary_free(&in.summary);
    verify_free(&in.verifier);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { 0 };
    int status, closed;

    cli_parse(&argp, argc, argv, &args);
    cli_confine(
        &(struct cli_options){ .state = args.state.directory, .no_state = !args.state.wanted });
    status = args.state.wanted ? inspect_state(&args.state) : run(&args);
    closed = cli_close_stdout();
    return status ? status : closed;
}
