#include "cli.h"
#include "cli_confine.h"
#include "cli_options.h"
#include "cli_state.h"
#include "secrets/dealing.h"
#include "secrets/keyfile.h"
#include "records/outfiles.h"

enum { KEY_LENGTH = CLI_FIRST_OWN, KEY_STATION };

struct args {
    struct cli_options common;
    uint64_t length;
    uint32_t station;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_CLIENT,
    { "station", KEY_STATION, "N", 0, "Make the masks of station N, a dealer", 0 },
    CLI_OPTION_ROUND,
    { "length", KEY_LENGTH, "N", 0,
      "Make masks or a key for vectors of N elements (default: the length in the plan)", 0 },
    CLI_OPTION_OUTPUT("Write the masks or the key to FILE, which must not exist; {} is replaced "
                      "with the number of the client, or of the station that gets the mask"),
    CLI_OPTION_RANDOM_SOURCE,
    CLI_OPTIONS_STATE,
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
        args->station = (uint32_t)cli_options_number(state, "--station", arg, 1, LIMIT_NUMBER);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s': the command reads no file", arg);
        return EINVAL;
    case ARGP_KEY_END:
        if (!cli_options_plan(&args->common) || !args->common.has_round ||
            (args->common.client == 0) == (args->station == 0))
            argp_error(state,
                       "--plan (or HAGG_PLAN), --round, and either --client or --station are "
                       "required");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Make a dealer's masks, or a client's key, for one round.\vMasks hide the sums of one "
           "round "
           "and one set of clients. A key pads one vector and must never be used again.",
};

/* Returns the length of the key, including the sample count; 0 on failure. */
static uint64_t find_length(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    uint64_t said = plan->topology.length;

    if (args->length == 0 && said == 0)
        err_set(err, HAGG_E_USAGE, "%s: does not set the length: use --length", plan->name);
    else if (args->length > 0 && said > 0 && args->length != said)
        err_set(err, HAGG_E_MISMATCH, "%s: sets length %llu, but --length is %llu", plan->name,
                (unsigned long long)said, (unsigned long long)args->length);
    else
        return (args->length > 0 ? args->length : said) + plan->topology.samples;
    return 0;
}

static int make(const struct args *args, const struct keyfile_need *need, struct outfiles *out,
                struct hagg_err *err)
{
    struct dealing dealing = {
        .plan = need->plan,
        .station = args->station,
        .round = need->round,
        .length = need->length,
        .random_source = need->random_source,
        .state = need->state,
        .progress = need->progress,
    };
    struct random *random = args->station > 0     ? dealing_random(&dealing, err)
                            : need->random_source ? random_open(need->random_source, err)
                                                  : random_new(err);
    struct writer *w;
    int status = -1;

    if (random && args->station > 0)
        status = dealing_write(&dealing, random, out, err);
    else if (random && (w = outfiles_writer(out, need->client, err)))
        status = keyfile_write(need, random, w, err);
    random_free(random);
    return status;
}

static int check_client(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    struct plan_client client;

    if (args->station > 0)
        return 0;
    if (plan->topology.aligned)
        return err_set(
            err, HAGG_E_USAGE,
            "%s: clients have no keys with protocol aligned: use --station for the masks "
            "of a dealer",
            plan->name);
    return plan_client(plan, args->common.client, &client, err);
}

static int make_and_publish(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct keyfile_need need = { .plan = plan, .client = o->client, .round = o->round };
    struct cli_progress progress;
    struct outfiles *out;
    int status = -1;

    if (check_client(args, plan, err) || (need.length = find_length(args, plan, err)) == 0)
        return -1;
    need.random_source = o->random_source;
    /* a key that is drawn is never the same again, so nothing is remembered */
    if ((args->station > 0 || (o->random_source && !o->no_state)) &&
        !(need.state = cli_state_open(o, err)))
        return -1;
    need.progress = cli_progress_begin(&progress, o->progress);
    out = outfiles_new(o->output ? o->output : "-", o->output != NULL, err);
    if (out)
        outfiles_set_exclusive(out);
    if (out && make(args, &need, out, err) == 0)
        status = outfiles_publish(out, err);
    cli_progress_end(&progress);
    if (status == 0 && outfiles_is_readable(out))
        cli_note("%s", CLI_READABLE);
    outfiles_free(out);
    cli_state_close(need.state);
    return status;
}

static int run(const struct args *args, struct hagg_err *err)
{
    struct plan plan;
    int status;

    if (plan_load(&plan, cli_options_plan(&args->common), err))
        return -1;
    status = make_and_publish(args, &plan, err);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { 0 };
    struct hagg_err err = { 0 };

    cli_parse(&argp, argc, argv, &args);
    cli_confine(&args.common);
    return run(&args, &err) == 0 ? cli_close_stdout() : cli_fail(&err);
}
