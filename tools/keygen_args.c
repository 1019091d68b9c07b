#include "keygen_args.h"

#include <string.h>

enum {
    KEY_LENGTH = CLI_FIRST_OWN,
    KEY_STATION,
    KEY_CLIENTS,
    KEY_STATIONS,
    KEY_RELAY,
    KEY_FEDERATOR,
    KEY_ALL
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_CLIENT,
    { "clients", KEY_CLIENTS, "CLIENTS", 0,
      "Make the key of each of these clients, for instance 1-5,7 or all", 0 },
    { "station", KEY_STATION, "STATION", 0, "Make the masks of this station, a dealer", 0 },
    { "stations", KEY_STATIONS, "STATIONS", 0,
      "Make the masks of each of these stations, or of all dealers", 0 },
    CLI_OPTION_ROUND,
    { "length", KEY_LENGTH, "N", 0,
      "Make masks or a key for vectors of N elements (default: the length in the plan)", 0 },
    CLI_OPTION_OUTPUT("Write the masks or the key to FILE, which must not exist; {} is replaced "
                      "with the number of the client, or of the station that gets the mask, "
                      "and {dealer} with that of the dealer"),
    { "identity", CLI_IDENTITY, "PEM", 0,
      "The private key of the node (default: $HAGG_IDENTITY); {tier} and {} are replaced with the "
      "tier and number of the node. Without --round: make the key unless PEM exists, and print "
      "the "
      "public key",
      0 },
    { "relay", KEY_RELAY, "RELAY", 0, "With --identity: make the key of this relay", 0 },
    { "federator", KEY_FEDERATOR, NULL, 0, "With --identity: make the key of the federator", 0 },
    { "all", KEY_ALL, NULL, 0, "With --identity: make the keys of all nodes of the plan", 0 },
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

/* Key pairs, which need no round. */
static void check_identity(const struct argp_state *state, const struct keygen_args *args,
                           unsigned n_whom)
{
    const char *file = args->common.identity;

    if (n_whom != 1)
        argp_error(state,
                   "--identity without --round makes the key of a node: use one of --client, "
                   "--station, --relay, --federator, --clients, --stations and --all");
    if (args->clients.all || args->stations.all)
        argp_error(state, "with --identity, name the nodes, for instance 1-5,7, or use --all");
    if (args->all && !cli_options_plan(&args->common))
        argp_error(state, "--all requires --plan (or HAGG_PLAN)");
    if ((keygen_args_many(args) || args->all) && !strstr(file, "{}"))
        argp_error(state, "--identity '%s': write {} where the number of the node belongs", file);
    if (args->all && !strstr(file, "{tier}"))
        argp_error(state, "--identity '%s': write {tier} where the tier of the node belongs", file);
    if (args->length > 0 || args->common.random_source)
        argp_error(state, "--length and --random-source require --round");
}

static void check(const struct argp_state *state, struct keygen_args *args)
{
    unsigned n_whom = (args->common.client > 0) + (args->station > 0) +
                      cli_nodes_given(&args->clients) + cli_nodes_given(&args->stations);

    args->common.makes_identity = args->common.identity && !args->common.has_round;
    if (args->common.makes_identity) {
        check_identity(state, args, n_whom + (args->relay > 0) + args->federator + args->all);
        return;
    }
    if (args->relay > 0 || args->federator || args->all)
        argp_error(state, "--relay, --federator and --all require --identity, without --round");
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
    case KEY_RELAY:
        args->relay = (uint32_t)cli_options_number(state, "--relay", arg, 1, LIMIT_NUMBER);
        return 0;
    case KEY_FEDERATOR:
        args->federator = true;
        return 0;
    case KEY_ALL:
        args->all = true;
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
    .doc = "Make the key pair of a node, or for one round a dealer's masks or a client's "
           "key.\vMasks hide the sums of one "
           "round and one set of clients. A key pads one vector and must never be used again.",
};
