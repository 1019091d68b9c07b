#include <string.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_identity.h"
#include "cli_node.h"
#include "identity/data.h"
#include "records/outfile.h"

enum { KEY_FROM = CLI_FIRST_OWN };

struct args {
    struct cli_options common;
    struct node from;
    bool has_from;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_IDENTITY,
    { "from", KEY_FROM, "NODE", 0,
      "Refuse the file unless it is from this node: client=3, station=2, relay=1 or federator "
      "(default: print the sender on standard error)",
      0 },
    { "round", CLI_ROUND, "ROUND", 0, "Refuse a file of another round", 0 },
    CLI_OPTION_OUTPUT("Write the content to FILE"),
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_FROM:
        args->from = cli_node_parse(state, "--from", arg);
        args->has_from = true;
        return 0;
    case ARGP_KEY_END:
        if (!cli_options_plan(&args->common))
            argp_error(state, "--plan (or HAGG_PLAN) is required");
        if (args->common.n_files > 1)
            argp_error(state, "one file is opened at a time");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE]",
    .doc = "Open a file that hagg-seal has sealed to this node.\vWith no FILE, or when FILE is -, "
           "read standard input. Output to a pipe must not be used if the status is not 0.",
};

static int open_file(void *arg, struct cli_identity *identity, struct hagg_err *err)
{
    const struct args *args = arg;
    const char *output = args->common.output;
    struct data_content content = { .only = args->has_from ? &args->from : NULL };
    struct outfile file = { .fd = -1 };
    size_t n;
    int status;

    if (outfile_open(&file, output ? output : "-", 0600, output != NULL, err))
        return -1;
    status = data_open(cli_options_files(&args->common, &n)[0], cli_identity_opener(identity),
                       &content, file.fd, file.path, err);
    if (status == 0)
        status = outfile_finish(&file, err);
    outfile_discard(&file);
    if (status == 0 && !args->has_from)
        cli_note("%llu bytes from %s %u", (unsigned long long)content.n_bytes, content.from.tier,
                 content.from.number);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { .common.no_state = true };
    struct hagg_err err = { 0 };

    cli_parse(&argp, argc, argv, &args);
    cli_confine(&args.common);
    return cli_identity_use(&args.common, open_file, &args, &err) == 0 ? cli_close_stdout()
                                                                       : cli_fail(&err);
}
