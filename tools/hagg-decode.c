#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_facts.h"
#include "cli_identity.h"
#include "cli_options.h"
#include "cli_state.h"
#include "decode/decode.h"
#include "decode_facts.h"
#include "records/describe.h"
#include "records/outfile.h"
#include "decode/total.h"
#include "decode/total_error.h"

enum { KEY_MEAN = CLI_FIRST_OWN, KEY_CORRECT, KEY_CLIENTS };

struct args {
    struct cli_options common;
    struct decode_options decode;
    struct total_options total;
    struct rangeset clients;
    struct cli_progress progress;
    bool quiet;
    struct cli_identity identity;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    { "round", CLI_ROUND, "ROUND", 0, "Refuse records of other rounds", 0 },
    { "clients", KEY_CLIENTS, "CLIENTS", 0,
      "Refuse a total that is not over exactly these clients, for instance 1-5,7", 0 },
    CLI_OPTION_ROSTER,
    CLI_OPTION_IDENTITY,
    { "mean", KEY_MEAN, NULL, 0,
      "Write the mean instead of the sum: divide by the number of clients, or of samples if they "
      "are counted",
      0 },
    { "correct", KEY_CORRECT, NULL, 0, "Correct wrong shares as far as surplus shares allow", 0 },
    CLI_OPTION_TYPE("The type of the numbers (default: as shared)"),
    CLI_OPTION_FORMAT(
        "The format of the output (default: text for a name that ends in .txt, otherwise npy)"),
    CLI_OPTIONS_STATE,
    { "quiet", 'q', NULL, 0, "Do not print a report on success, only warnings", 0 },
    CLI_OPTION_OUTPUT("Write the total to FILE"),
    CLI_OPTION_JSON,
    CLI_OPTION_THREADS,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_CLIENTS:
        cli_options_set(state, "--clients", arg, &args->clients);
        args->decode.clients = &args->clients;
        return 0;
    case KEY_MEAN:
        args->total.mean = true;
        return 0;
    case KEY_CORRECT:
        args->decode.correct = true;
        return 0;
    case 'q':
        args->quiet = true;
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RECORDS...]",
    .doc = "Decode the sum of the vectors from sums of shares.\vWith no RECORDS, or when RECORDS "
           "is -, "
           "read standard input.",
};

/* Prints what may be wrong with the inputs, even if no report is wanted. */
static void print_warnings(const struct decode *d)
{
    struct decode_blame blame;
    size_t at = 0;

    while (decode_next_blame(d, &at, &blame))
        cli_note("%s: the share of %s %u was wrong and was corrected", blame.file,
                 blame.holder.tier, blame.holder.number);
}

static void print_report(const struct decode *d, const struct total_report *r)
{
    const struct rangeset *set = decode_clients(d);
    const struct header *h = decode_header(d);
    struct text line = { 0 };

    if (r->n_clients > 0) {
        if (h->has_round)
            text_printf(&line, "round %llu: ", (unsigned long long)h->round);
        text_printf(&line, "total of %llu clients: ", (unsigned long long)r->n_clients);
        describe_ranges(&line, set->ranges, set->n);
        cli_note("%s", text_ok(&line) ? line.bytes : "");
        text_free(&line);
    }
    if (r->has_samples)
        cli_note("of %lld samples", (long long)r->samples);
    line = (struct text){ 0 };
    total_error_describe(&line, r);
    if (line.len > 0)
        cli_note("%s", line.bytes);
    text_free(&line);
}

static const char *format_of(const struct cli_options *o)
{
    const char *dot = o->output ? strrchr(o->output, '.') : NULL;

    return o->format ? o->format : dot && strcmp(dot, ".txt") == 0 ? "text" : "npy";
}

static int write_total(struct args *args, const struct decode *d, struct hagg_err *err)
{
    const char *output = args->common.output;
    struct total_options total = args->total;
    struct total_report report;
    struct outfile file;
    bool is_text;
    int status;

    total.type = args->common.type;
    total.format = format_of(&args->common);
    is_text = strcmp(total.format, "text") == 0;
    if (outfile_open(&file, output ? output : "-", 0666, output || is_text, err))
        return -1;
    status = total_write(d, &total, file.fd, file.path, &report, err);
    if (status == 0)
        status = outfile_finish(&file, err);
    outfile_discard(&file);
    cli_progress_end(&args->progress);
    if (status == 0) {
        decode_facts(d, &report, total.mean, &args->common);
        print_warnings(d);
    }
    if (status == 0 && !args->quiet)
        print_report(d, &report);
    return status;
}

static int decode(struct args *args, struct hagg_err *err)
{
    struct decode *d = decode_new(&args->decode, err);
    size_t n_files;
    const char *const *files = cli_options_files(&args->common, &n_files);
    int status = d ? 0 : -1;

    for (size_t i = 0; i < n_files && status == 0; i++)
        status = decode_add(d, files[i], err);
    if (status == 0)
        status = decode_run(d, err);
    if (status == 0)
        status = write_total(args, d, err);
    decode_free(d);
    return status;
}

/* Opens the identity, reads the roster, and checks the clients against the plan. */
static int check_plan(struct args *args, struct hagg_err *err)
{
    struct decode_options *d = &args->decode;

    if (cli_identity_open(&args->identity, &args->common, d->plan, &NODE_THE_FEDERATOR, err) ||
        cli_options_roster(&args->common, d->plan, &args->clients, &d->clients, NULL,
                           &args->identity, d->state, err))
        return -1;
    d->opener = cli_identity_opener(&args->identity);
    if (args->common.has_round)
        d->asked_round = &args->common.round;
    return d->plan && d->clients ? plan_check_clients(d->plan, d->clients, err) : 0;
}

static int run(struct args *args, struct hagg_err *err)
{
    const char *path = cli_options_plan(&args->common);
    struct plan plan = { 0 };
    int status;

    if (path && plan_load(&plan, path, err))
        return -1;
    args->decode.plan = path ? &plan : NULL;
    args->decode.minimum = 2;
    args->decode.progress = cli_progress_begin(&args->progress, args->common.progress);
    args->decode.state = cli_state_open(&args->common, err);
    status = args->decode.state && check_plan(args, err) == 0
                 ? cli_options_pool(&args->common, &args->decode.pool, err)
                 : -1;
    if (status == 0)
        status = decode(args, err);
    cli_facts_given(args->decode.plan, &args->common);
    cli_progress_end(&args->progress);
    cli_state_close(args->decode.state);
    parallel_free(args->decode.pool);
    cli_identity_close(&args->identity);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { 0 };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&argp, argc, argv, &args);
    cli_confine(&args.common);
    status = run(&args, &err);
    rangeset_free(&args.clients);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
