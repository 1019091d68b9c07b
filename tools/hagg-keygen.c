#include "cli.h"
#include "cli_options.h"
#include "keyfile.h"
#include "maskfile.h"
#include "outset.h"

enum { KEY_LENGTH = CLI_FIRST_OWN, KEY_STATION };

struct args {
    struct cli_options common;
    uint32_t station; /* 0: the client's key */
    uint64_t length;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_CLIENT,
    { "station", KEY_STATION, "NUMBER", 0, "Be this station of the plan, and make its masks", 0 },
    CLI_OPTION_ROUND,
    { "length", KEY_LENGTH, "N", 0, "Make them for vectors of N elements (default: the plan's)",
      0 },
    CLI_OPTION_OUTPUT("Write the key to FILE"),
    CLI_OPTION_RANDOM_SOURCE,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_LENGTH:
        args->length = cli_options_number(state, "--length", arg, 1, LIMIT_LENGTH - 1);
        return 0;
    case KEY_STATION:
        args->station = (uint32_t)cli_options_number(state, "--station", arg, 1, LIMIT_HOLDERS);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "there is nothing to read: '%s' has no place here", arg);
        return EINVAL;
    case ARGP_KEY_END:
        if (!cli_options_plan(&args->common) || !args->common.has_round ||
            (args->common.client == 0 && args->station == 0))
            argp_error(state, "--plan, --client and --round are needed");
        if (args->common.client > 0 && args->station > 0)
            argp_error(state, "say --client or --station, not both");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Make a client's key for one round, or a station's masks.\vA key pads one vector and is "
           "never used again, and neither are masks.",
};

/* The sample count included; 0 is an error. */
static uint64_t find_length(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    uint64_t said = plan->topology.length;

    if (args->length == 0 && said == 0)
        err_set(err, HAGG_E_USAGE, "%s: does not say the length: use --length", plan->name);
    else if (args->length > 0 && said > 0 && args->length != said)
        err_set(err, HAGG_E_MISMATCH, "%s: says length %llu, not %llu", plan->name,
                (unsigned long long)said, (unsigned long long)args->length);
    else
        return (args->length > 0 ? args->length : said) + plan->topology.samples;
    return 0;
}

static int check_client(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    struct plan_client client;

    if (plan->topology.station_masks)
        return err_set(err, HAGG_E_USAGE,
                       "%s: says masks stations, so clients have no keys: stations have masks, "
                       "which --station makes",
                       plan->name);
    return plan_client(plan, args->common.client, &client, err);
}

static int write_key(const struct args *args, const struct plan *plan, struct random *random,
                     struct writer *w, struct progress *progress, struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct keyfile_need key = { .plan = plan, .client = o->client, .round = o->round };
    struct maskfile_need masks = { .plan = plan, .station = args->station, .round = o->round };

    key.length = masks.length = find_length(args, plan, err);
    key.progress = masks.progress = progress;
    return args->station > 0 ? maskfile_write(&masks, random, w, err)
                             : keyfile_write(&key, random, w, err);
}

static int make_key(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct cli_progress progress;
    struct progress *counts = cli_progress_begin(&progress, o->progress);
    struct outset *out;
    struct random *random = NULL;
    struct writer *w;
    int status = -1;

    if (args->station > 0 ? maskfile_check_need(plan, args->station, err)
                          : check_client(args, plan, err))
        return -1;
    if (find_length(args, plan, err) == 0)
        return -1;
    out = outset_new(o->output ? o->output : "-", o->output != NULL, err);
    if (out && (w = outset_writer(out, args->station > 0 ? args->station : o->client, err)) &&
        (random = o->random_source ? random_open(o->random_source, err) : random_new(err)) &&
        write_key(args, plan, random, w, counts, err) == 0)
        status = outset_publish(out, err);
    cli_progress_end(&progress);
    random_free(random);
    outset_free(out);
    return status;
}

static int run(const struct args *args, struct hagg_err *err)
{
    struct plan plan;
    int status;

    if (plan_load(&plan, cli_options_plan(&args->common), err))
        return -1;
    status = make_key(args, &plan, err);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { 0 };
    struct hagg_err err = { 0 };

    cli_parse(&argp, argc, argv, &args);
    return run(&args, &err) == 0 ? cli_close_stdout() : cli_fail(&err);
}
