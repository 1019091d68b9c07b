#include "cost_args.h"

#include <stdio.h>
#include <string.h>

#include "cli_complete.h"
#include "topology/topology_price_lines.h"

enum {
    KEY_FIELD = CLI_FIRST_OWN,
    KEY_SCHEME,
    KEY_COLLUDE,
    KEY_DROP,
    KEY_PRICE,
    KEY_RANDOM,
    KEY_TOPOLOGY,
    KEY_SWEEP,
    KEY_OF_BOUND,
    KEY_PER_CLIENT,
    KEY_ONLY,
    KEY_FORMAT,
    KEY_MEASURE,
    KEY_WITHOUT,
    KEY_SHAPE,
    KEY_PARAMETER, /* first of the keys for enum parameter */
};

#define NUMBER(name, parameter, what, group)                                                       \
    {                                                                                              \
        name, KEY_PARAMETER + (parameter), "N", 0, what, group                                     \
    }

static const struct argp_option options[] = {
    { "format", KEY_FORMAT, "FORMAT", 0, "Write a table (default), tsv, json or gnuplot", 0 },
    { "sweep", KEY_SWEEP, "NAME=FIRST..LAST", 0,
      "Vary a parameter, as in v=1..25, clients=10..10000..x10 or price-stations=0..2..0.25", 0 },
    { "only", KEY_ONLY, "NAMES", 0, "Show only these rows, such as c1,c2,bound", 0 },
    { "of-bound", KEY_OF_BOUND, NULL, 0, "With --sweep, divide costs by the lower bound", 0 },
    { "per-client", KEY_PER_CLIENT, NULL, 0, "With --sweep, divide costs by the number of clients",
      0 },
    CLI_OPTION_PLAN,
    NUMBER("clients", PARAMETER_CLIENTS,
           "The number of clients; with --measure, the clients that took part, such as 1-5,7", 1),
    NUMBER("stations", PARAMETER_STATIONS, "The number of stations", 1),
    NUMBER("relays", PARAMETER_RELAYS, "The number of relays (default: none)", 1),
    NUMBER("reach", PARAMETER_REACH, "Each client reaches N stations (default: all)", 1),
    NUMBER("reach-most", PARAMETER_REACH_MOST,
           "With --random, each client reaches between --reach and N stations", 1),
    NUMBER("relay-reach", PARAMETER_RELAY_REACH,
           "With --random, each station reaches N relays (default: all)", 1),
    NUMBER("patterns", PARAMETER_PATTERNS,
           "The number of patterns (default: show the fewest and the most)", 1),
    NUMBER("length", PARAMETER_LENGTH, "The vectors have N elements", 1),
    { "shape", KEY_SHAPE, "DIMENSIONS", 0,
      "The vectors have this shape, such as 3,224,224, which sets the length (default: one "
      "dimension)",
      1 },
    CLI_OPTION_ROUND,
    CLI_OPTION_TYPE("The type of the numbers, on which the bytes of records depend"),
    { "collude", KEY_COLLUDE, "WHO", 0,
      "The nodes that may collude, as in full,clients=1,stations=2", 1 },
    { "drop", KEY_DROP, "WHO", 0, "The nodes that may be missing, as in stations=1,relays=1", 1 },
    { "price", KEY_PRICE, "PRICES", 0,
      "The price of a symbol by kind of link, as in stations=0.1,stations-federator=1/5", 1 },
    { "field", KEY_FIELD, "FIELD", 0, "Without a plan: use this field (default: m31)", 1 },
    { "scheme", KEY_SCHEME, "SCHEME", 0,
      "Without a plan: use this scheme for protocol keys (default: ramp)", 1 },
    { "random", KEY_RANDOM, NULL, 0, "Choose the links between nodes at random", 2 },
    NUMBER("seed", PARAMETER_SEED, "With --random, set the seed of the network (default: 0)", 2),
    { "topology", KEY_TOPOLOGY, NULL, 0, "With --random, write the topology of the network", 2 },
    { "measure", KEY_MEASURE, NULL, 0, "Count what was sent in a real round, from files of records",
      3 },
    { "without", KEY_WITHOUT, "WHO", 0,
      "With --measure, these stations and relays failed in the round, as in stations=3,relays=1",
      3 },
    { 0 },
};

static const char *const formats[] = { "table", "tsv", "json", "gnuplot", NULL };

static void parse_name(const struct argp_state *state, const char *option, const char *arg,
                       char *name, size_t size)
{
    if (!*arg || (size_t)snprintf(name, size, "%s", arg) >= size)
        argp_error(state, "%s: unknown name '%s'", option, arg);
}

/* Refuses options that would have no effect. */
static void check_measure(const struct cost_args *args, const struct argp_state *state)
{
    const struct parameters *p = &args->scenario.parameters;
    bool others = args->has_sweep || args->unit != SWEEP_VECTOR || args->topology ||
                  args->scenario.only || args->scenario.is_random || p->has_kind || p->field[0] ||
                  p->scheme[0] || parameters_have_price(p) ||
                  cost_records_given(&args->records, &args->common);

    for (enum parameter i = 0; i < N_PARAMETERS; i++)
        others = others || p->given[i];
    if (args->measure && others)
        argp_error(state,
                   "--measure can be combined only with --plan, --clients, --without and --format");
    if (args->measure && args->format == FORMAT_GNUPLOT)
        argp_error(state, "--measure can write only a table, tsv or json");
    if (!args->measure && (args->measured.without[0].n > 0 || args->measured.without[1].n > 0))
        argp_error(state, "--without requires --measure");
}

static void check_records(const struct cost_args *args, const struct argp_state *state)
{
    bool has_plan = args->measured.n_paths > 0 || args->common.plan || args->scenario.is_random ||
                    (!args->clients && !args->scenario.parameters.given[PARAMETER_STATIONS]);

    if (cost_records_given(&args->records, &args->common) && !has_plan)
        argp_error(state, "--round, --type and --shape require a plan, a topology or --random: "
                          "without one the bytes of records are unknown");
    if (args->records.has_shape && args->has_sweep && args->sweep.parameter == PARAMETER_LENGTH)
        argp_error(state, "--shape sets the length, which --sweep varies");
}

static bool is_swept_or_given(const struct cost_args *args, enum parameter parameter)
{
    return args->scenario.parameters.given[parameter] ||
           (args->has_sweep && args->sweep.parameter == parameter);
}

static void check_random(const struct cost_args *args, const struct argp_state *state)
{
    static const enum parameter drawn[] = { PARAMETER_SEED, PARAMETER_REACH_MOST,
                                            PARAMETER_RELAY_REACH };

    if (args->scenario.is_random && (args->measured.n_paths > 0 || args->common.plan))
        argp_error(state, "--random draws its own network: omit the plan");
    if (args->scenario.is_random && is_swept_or_given(args, PARAMETER_PATTERNS))
        argp_error(state, "--patterns cannot be used with --random");
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (!args->scenario.is_random && is_swept_or_given(args, drawn[i]))
            argp_error(state, "%s requires --random", parameters_name(drawn[i]));
    if (args->topology && !args->scenario.is_random)
        argp_error(state, "--topology requires --random");
}

/* Checks and parses everything that depends on the combination of options. */
static void settle(struct cost_args *args, const struct argp_state *state)
{
    struct hagg_err err = { 0 };

    check_measure(args, state);
    check_records(args, state);
    cost_records_settle(state, &args->records, &args->common, &args->scenario.parameters,
                        &args->scenario.records);
    check_random(args, state);
    if (args->topology && args->has_sweep)
        argp_error(state, "--topology writes one network and cannot be used with --sweep");
    if (args->unit != SWEEP_VECTOR && !args->has_sweep)
        argp_error(state, "%s requires --sweep",
                   args->unit == SWEEP_CLIENTS ? "--per-client" : "--of-bound");
    if (args->measured.n_paths > 1 && !args->measure)
        argp_error(state, "only one plan is accepted: '%s' is extra", args->measured.paths[1]);
    if (args->clients && args->measure)
        cli_options_set(state, "--clients", args->clients, &args->measured.clients);
    else if (args->clients &&
             parameters_parse(&args->scenario.parameters, PARAMETER_CLIENTS, args->clients, &err))
        argp_error(state, "%s", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cost_args *args = state->input;
    struct parameters *p = &args->scenario.parameters;
    struct hagg_err err = { 0 };
    int status = 0;

    switch (key) {
    case KEY_FORMAT:
        args->format = cli_options_choice(state, "--format", arg, formats);
        return 0;
    case KEY_SWEEP:
        if (args->has_sweep)
            argp_error(state, "only one --sweep is accepted: '%s' is extra", arg);
        status = sweep_parse(&args->sweep, arg, &err);
        args->has_sweep = true;
        break;
    case KEY_OF_BOUND:
    case KEY_PER_CLIENT:
        if (args->unit != SWEEP_VECTOR)
            argp_error(state, "use only one of --of-bound and --per-client");
        args->unit = key == KEY_OF_BOUND ? SWEEP_BOUND : SWEEP_CLIENTS;
        return 0;
    case KEY_ONLY:
        if (!cli_complete_offer(report_names, true))
            status = report_check_names(arg, &err);
        args->scenario.only = arg;
        break;
    case KEY_COLLUDE:
    case KEY_DROP:
        status = parameters_set_tolerance(
            p, key == KEY_DROP ? PARAMETER_DROP_CLIENTS : PARAMETER_COLLUDE_CLIENTS, arg, &err);
        break;
    case KEY_PRICE:
        status = topology_price_lines_option(p->prices, "--price", arg, &err);
        break;
    case KEY_FIELD:
        parse_name(state, "--field", arg, p->field, sizeof p->field);
        return 0;
    case KEY_SCHEME:
        parse_name(state, "--scheme", arg, p->scheme, sizeof p->scheme);
        return 0;
    case KEY_RANDOM:
        args->scenario.is_random = true;
        return 0;
    case KEY_TOPOLOGY:
        args->topology = true;
        return 0;
    case KEY_MEASURE:
        args->measure = true;
        return 0;
    case KEY_WITHOUT:
        cli_options_without(state, arg, &args->measured.without[0], &args->measured.without[1]);
        return 0;
    case KEY_SHAPE:
        cost_records_parse_shape(state, arg, &args->records);
        return 0;
    case KEY_PARAMETER + PARAMETER_CLIENTS:
        args->clients = arg;
        return 0;
    case ARGP_KEY_ARGS:
        args->measured.paths = (const char *const *)state->argv + state->next;
        args->measured.n_paths = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END:
        settle(args, state);
        return 0;
    default:
        if (key < KEY_PARAMETER || key >= KEY_PARAMETER + N_PARAMETERS)
            return cli_options_parse(key, arg, state, &args->common);
        status = parameters_parse(p, (enum parameter)(key - KEY_PARAMETER), arg, &err);
    }
    if (status)
        argp_error(state, "%s", err.text);
    return 0;
}

const struct argp cost_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PLAN]\n[RECORDS...]",
    .doc = "Compute or measure the communication cost of a plan.\vWith no PLAN, read the plan that "
           "$HAGG_PLAN names, or else standard input. When PLAN is -, read standard input. With "
           "--clients and --stations no plan is needed. With --measure the arguments are files of "
           "records, or directories of such files.",
};
