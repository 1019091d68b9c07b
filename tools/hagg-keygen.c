#include "cli.h"
#include "cli_confine.h"
#include "cli_nodes.h"
#include "cli_options.h"
#include "cli_state.h"
#include "secrets/keygen.h"

enum { KEY_LENGTH = CLI_FIRST_OWN, KEY_STATION, KEY_CLIENTS, KEY_STATIONS };

struct args {
    struct cli_options common;
    uint64_t length;
    uint32_t station;
    struct cli_nodes clients, stations;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_CLIENT,
    { "clients", KEY_CLIENTS, "SET", 0,
      "Make the key of each of these clients, for instance 1-5,7 or all", 0 },
    { "station", KEY_STATION, "N", 0, "Make the masks of station N, a dealer", 0 },
    { "stations", KEY_STATIONS, "SET", 0,
      "Make the masks of each of these stations, or of all dealers", 0 },
    CLI_OPTION_ROUND,
    { "length", KEY_LENGTH, "N", 0,
      "Make masks or a key for vectors of N elements (default: the length in the plan)", 0 },
    CLI_OPTION_OUTPUT("Write the masks or the key to FILE, which must not exist; {} is replaced "
                      "with the number of the client, or of the station that gets the mask, "
                      "and {dealer} with that of the dealer"),
    CLI_OPTION_RANDOM_SOURCE,
    CLI_OPTIONS_STATE,
    CLI_OPTION_THREADS,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static bool is_many(const struct args *args)
{
    return cli_nodes_given(&args->clients) || cli_nodes_given(&args->stations);
}

static bool is_dealing(const struct args *args)
{
    return args->station > 0 || cli_nodes_given(&args->stations);
}

static void check(const struct argp_state *state, const struct args *args)
{
    unsigned n_whom = (args->common.client > 0) + (args->station > 0) +
                      cli_nodes_given(&args->clients) + cli_nodes_given(&args->stations);

    if (!cli_options_plan(&args->common) || !args->common.has_round || n_whom != 1)
        argp_error(state, "--plan (or HAGG_PLAN), --round, and one of --client, --clients, "
                          "--station and --stations are required");
    if (is_many(args) && args->common.random_source)
        argp_error(state, "--random-source is for one node: use --client or --station");
}

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
    case KEY_CLIENTS:
        cli_nodes_parse(state, "--clients", arg, &args->clients);
        return 0;
    case KEY_STATIONS:
        cli_nodes_parse(state, "--stations", arg, &args->stations);
        return 0;
    case ARGP_KEY_END:
        check(state, args);
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

/* Checks that the plan has the keys or masks. That a station is a dealer is checked later. */
static int check_plan(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    struct plan_client client;

    if (is_dealing(args))
        return dealing_check_plan(plan, err);
    if (plan->topology.aligned)
        return err_set(
            err, HAGG_E_USAGE,
            "%s: clients have no keys with protocol aligned: use --station for the masks "
            "of a dealer",
            plan->name);
    return is_many(args) ? 0 : plan_client(plan, args->common.client, &client, err);
}

/* --clients and --stations. The state is opened only for masks, which follow from its secret. */
static int make_many(struct args *args, const struct plan *plan, struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct keygen k = {
        .plan = plan,
        .round = o->round,
        .output = o->output ? o->output : "-",
        .allow_terminal = o->output != NULL,
    };
    struct cli_progress progress;
    bool readable = false;
    int status = -1;

    if (check_plan(args, plan, err) || (k.length = find_length(args, plan, err)) == 0 ||
        (is_dealing(args) ? cli_nodes_dealers(&args->stations, plan, err)
                          : cli_nodes_clients(&args->clients, plan, err)))
        return -1;
    k.clients = args->clients.numbers;
    k.dealers = args->stations.numbers;
    k.n = is_dealing(args) ? args->stations.n : args->clients.n;
    if (is_dealing(args) && !(k.state = cli_state_open(o, err)))
        return -1;
    k.progress = cli_progress_begin(&progress, o->progress);
    if (cli_options_pool(o, &k.pool, err) == 0)
        status = keygen_write(&k, &readable, err);
    cli_progress_end(&progress);
    if (status == 0 && readable)
        cli_note("%s", CLI_READABLE);
    parallel_free(k.pool);
    cli_state_close(k.state);
    return status;
}

static int make_and_publish(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct keyfile_need need = { .plan = plan, .client = o->client, .round = o->round };
    struct cli_progress progress;
    struct outfiles *out;
    int status = -1;

    if (check_plan(args, plan, err) || (need.length = find_length(args, plan, err)) == 0)
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

static int run(struct args *args, struct hagg_err *err)
{
    struct plan plan;
    int status;

    if (plan_load(&plan, cli_options_plan(&args->common), err))
        return -1;
    status = is_many(args) ? make_many(args, &plan, err) : make_and_publish(args, &plan, err);
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
    cli_nodes_free(&args.clients);
    cli_nodes_free(&args.stations);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
