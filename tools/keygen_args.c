#include "keygen_args.h"

enum { KEY_LENGTH = CLI_FIRST_OWN, KEY_STATION, KEY_CLIENTS, KEY_STATIONS };

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

bool keygen_args_many(const struct keygen_args *args)
{
    return cli_nodes_given(&args->clients) || cli_nodes_given(&args->stations);
}

bool keygen_args_dealing(const struct keygen_args *args)
{
    return args->station > 0 || cli_nodes_given(&args->stations);
}

static void check(const struct argp_state *state, const struct keygen_args *args)
{
    unsigned n_whom = (args->common.client > 0) + (args->station > 0) +
                      cli_nodes_given(&args->clients) + cli_nodes_given(&args->stations);

    if (!cli_options_plan(&args->common) || !args->common.has_round || n_whom != 1)
        argp_error(state, "--plan (or HAGG_PLAN), --round, and one of --client, --clients, "
                          "--station and --stations are required");
    if (keygen_args_many(args) && args->common.random_source)
        argp_error(state, "--random-source is for one node: use --client or --station");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct keygen_args *args = state->input;

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

const struct argp keygen_argp = {
    .options = options,
    .parser = parse,
    .doc = "Make a dealer's masks, or a client's key, for one round.\vMasks hide the sums of one "
           "round and one set of clients. A key pads one vector and must never be used again.",
};
