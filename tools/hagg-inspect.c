#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "inspect.h"

struct args {
    bool json;
    const char *const *files;
    size_t n_files;
};

static const struct argp_option options[] = {
    { "json", 'j', NULL, 0, "Write JSON Lines: an object a record, then the summary", 0 },
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
    .doc = "Say what is in share files, and verify them.\vWith no FILE, or when FILE is -, read "
           "standard input. No key is needed, and nothing is said of values.",
};

static int inspect_file(const struct args *args, const char *file, struct verifier *verifier,
                        struct inspect_summary *summary, struct hagg_err *err)
{
    struct reader *r = reader_open(file, err);
    enum verify_result result;
    struct text line = { 0 };
    int got = -1;

    if (!r)
        return -1;
    summary->n_files++;
    while ((got = reader_next(r, err)) > 0) {
        got = -1;
        if (verify_record(verifier, r, &result, err) || inspect_count(summary, r, result, err))
            break;
        if (args->json)
            inspect_json(&line, file, r, result);
        else
            inspect_row(&line, file, r, result);
        if (cli_print(&line, err))
            break;
    }
    if (got == 0 && reader_record(r) == 0)
        got = err_set(err, HAGG_E_MALFORMED, "%s: is empty: it holds no record", reader_name(r));
    text_free(&line);
    reader_free(r);
    return got;
}

/* A file that is wrong does not keep the others from being looked at; the first failure counts. */
static int run(const struct args *args)
{
    static const char *const standard_input[] = { "-" };
    const char *const *files = args->n_files > 0 ? args->files : standard_input;
    size_t n_files = args->n_files > 0 ? args->n_files : 1;
    struct inspect_summary summary = { 0 };
    struct verifier verifier = { 0 };
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    int status = HAGG_OK;

    if (!args->json)
        inspect_heading(&text);
    for (size_t i = 0; i < n_files && !ferror(stdout); i++)
        if (cli_print(&text, &err) || inspect_file(args, files[i], &verifier, &summary, &err)) {
            int failure = cli_fail(&err);

            status = status ? status : failure;
        }
    if (args->json)
        inspect_summary_json(&text, &summary);
    else
        inspect_summary_table(&text, &summary);
    if (!ferror(stdout) && cli_print(&text, &err)) {
        int failure = cli_fail(&err);

        status = status ? status : failure;
    }
    text_free(&text);
    inspect_summary_free(&summary);
    verify_free(&verifier);
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
