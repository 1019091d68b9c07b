#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "records/inspect.h"
#include "records/stream.h"

struct args {
    bool json;
    const char *const *files;
    size_t n_files;
};

static const struct argp_option options[] = {
    { "json", 'j', NULL, 0,
      "Write JSON Lines instead of a table: one object per record, then the summary", 0 },
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    (void)arg;
    switch (key) {
    case 'j':
        args->json = true;
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
    .args_doc = "[FILE...]",
    .doc = "List and verify the records in share files.\vWith no FILE, or when FILE is -, read "
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
        if (stream_each_any_kind(files[i], inspect_record, &in, &err))
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
    status = run(&args);
    closed = cli_close_stdout();
    return status ? status : closed;
}
