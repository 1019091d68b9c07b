#include <string.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_identity.h"
#include "cli_node.h"
#include "identity/data.h"
#include "records/outfiles.h"

enum { KEY_TO = CLI_FIRST_OWN };

struct args {
    struct cli_options common;
    struct node to;
    bool has_to;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_IDENTITY,
    { "to", KEY_TO, "NODE", 0, "Seal to this node: client=3, station=2, relay=1 or federator", 0 },
    { "round", CLI_ROUND, "ROUND", 0, "Mark the file as one of this round", 0 },
    CLI_OPTION_OUTPUT("Write the sealed file to FILE"),
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_TO:
        args->to = cli_node_parse(state, "--to", arg);
        args->has_to = true;
        return 0;
    case ARGP_KEY_END:
        if (!args->has_to || !cli_options_plan(&args->common))
            argp_error(state, "--to and --plan (or HAGG_PLAN) are required");
        if (args->common.n_files > 1)
            argp_error(state, "one file is sealed at a time");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE]",
    .doc =
        "Seal any file to a node of a plan, which opens it with hagg-open.\vWith no FILE, or when "
        "FILE is -, read standard input.",
};

static int seal(void *arg, struct cli_identity *identity, struct hagg_err *err)
{
    const struct args *args = arg;
    const char *output = args->common.output;
    struct data_route route = { .to = args->to };
    struct outfiles *out;
    struct writer *w;
    struct input in;
    size_t n;
    int status = -1;

    if (args->common.has_round)
        route.round = &args->common.round;
    if (keyring_self(identity->keyring, &route.from, err) ||
        input_open(&in, cli_options_files(&args->common, &n)[0], err))
        return -1;
    out = outfiles_new(output ? output : "-", output != NULL, err);
    if (out && (w = outfiles_writer(out, 0, err)) &&
        data_seal(&in, identity->keyring, &route, w, err) == 0)
        status = outfiles_publish(out, err);
    outfiles_free(out);
    input_close(&in);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { .common.no_state = true };
    struct hagg_err err = { 0 };

    cli_parse(&argp, argc, argv, &args);
    cli_confine(&args.common);
    return cli_identity_use(&args.common, seal, &args, &err) == 0 ? cli_close_stdout()
                                                                  : cli_fail(&err);
}
