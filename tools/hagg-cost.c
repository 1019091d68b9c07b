#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "cli_options.h"
#include "cost_measure.h"
#include "report_print.h"
#include "scenario.h"

enum format { FORMAT_TABLE, FORMAT_TSV, FORMAT_JSON, FORMAT_GNUPLOT, N_FORMATS };

enum {
    KEY_FIELD = CLI_FIRST_OWN,
    KEY_SCHEME,
    KEY_COLLUDE,
    KEY_DROP,
    KEY_RANDOM,
    KEY_TOPOLOGY,
    KEY_SWEEP,
    KEY_PER_CLIENT,
    KEY_FORMAT,
    KEY_MEASURE,
    KEY_WITHOUT,
    KEY_PARAMETER, /* and those of enum parameter after it */
};

struct args {
    struct scenario scenario;
    struct sweep sweep;
    bool has_sweep, per_client, topology, measure;
    const char *clients; /* a number, or with --measure a set */
    enum format format;
    struct cli_options common;
    struct cost_measure measured;
};

#define NUMBER(name, parameter, what, group)                                                       \
    {                                                                                              \
        name, KEY_PARAMETER + (parameter), "N", 0, what, group                                     \
    }

static const struct argp_option options[] = {
    { "format", KEY_FORMAT, "FORMAT", 0, "Write a table (default), tsv, json or gnuplot", 0 },
    { "sweep", KEY_SWEEP, "NAME=A..B", 0,
      "Let a parameter take many values: v=1..25, seed=1..100, "
      "clients=10..10000..x10",
      0 },
    { "per-client", KEY_PER_CLIENT, NULL, 0, "With --sweep, divide by the number of clients", 0 },
    CLI_OPTION_PLAN,
    NUMBER("clients", PARAMETER_CLIENTS, "There are so many; with --measure, these take part", 1),
    NUMBER("stations", PARAMETER_STATIONS, "There are so many stations", 1),
    NUMBER("relays", PARAMETER_RELAYS, "There are so many relays (default: none)", 1),
    NUMBER("reach", PARAMETER_REACH, "Each client reaches so many stations (default: all)", 1),
    NUMBER("reach-most", PARAMETER_REACH_MOST, "With --random: each reaches up to so many", 1),
    NUMBER("relay-reach", PARAMETER_RELAY_REACH,
           "With --random: each station reaches so many relays (default: all)", 1),
    NUMBER("patterns", PARAMETER_PATTERNS,
           "So many different sets of stations (default: fewest and most)", 1),
    NUMBER("length", PARAMETER_LENGTH, "Vectors have so many elements", 1),
    { "collude", KEY_COLLUDE, "WHO", 0, "As in a topology: partial,clients=1,stations=2,relays=0",
      1 },
    { "drop", KEY_DROP, "WHO", 0, "As in a topology: clients=1,stations=1,relays=0", 1 },
    { "field", KEY_FIELD, "SPEC", 0, "Elements are of this field (default: m31)", 1 },
    { "scheme", KEY_SCHEME, "NAME", 0, "Share with this scheme (default: ramp)", 1 },
    { "random", KEY_RANDOM, NULL, 0, "Draw who reaches whom at random", 2 },
    NUMBER("seed", PARAMETER_SEED, "Draw another network (default: 0)", 2),
    { "topology", KEY_TOPOLOGY, NULL, 0, "With --random: write the topology that was drawn", 2 },
    { "measure", KEY_MEASURE, NULL, 0, "Count what was really sent, from files of records", 3 },
    { "without", KEY_WITHOUT, "WHO", 0,
      "With --measure: these broke down, as in stations=3,5 or relays=1", 3 },
    { 0 },
};

static enum format parse_format(const struct argp_state *state, const char *arg)
{
    static const char *const names[N_FORMATS] = { "table", "tsv", "json", "gnuplot" };
    enum format f = 0;

    while (f < N_FORMATS && strcmp(arg, names[f]) != 0)
        f++;
    if (f == N_FORMATS)
        argp_error(state, "--format must be table, tsv, json or gnuplot, not '%s'", arg);
    return f;
}

static void parse_name(const struct argp_state *state, const char *option, const char *arg,
                       char *name, size_t size)
{
    if (!*arg || (size_t)snprintf(name, size, "%s", arg) >= size)
        argp_error(state, "%s has no such name: '%s'", option, arg);
}

/* What was left until it was clear what the command is to do. */
static void settle(struct args *args, const struct argp_state *state)
{
    struct parameters *p = &args->scenario.parameters;
    struct hagg_err err = { 0 };

    if (args->measure && (args->has_sweep || args->format == FORMAT_GNUPLOT))
        argp_error(state, "--measure counts one round, as table, tsv or json");
    if (args->topology && args->has_sweep)
        argp_error(state, "--topology writes one network, not those of --sweep");
    if (args->per_client && !args->has_sweep)
        argp_error(state, "--per-client is for --sweep");
    if (args->clients && args->measure)
        cli_options_set(state, "--clients", args->clients, &args->measured.clients);
    else if (args->clients && parameters_parse(p, PARAMETER_CLIENTS, args->clients, &err))
        argp_error(state, "--%s", err.text);
    if (args->measured.n_paths > 1 && !args->measure)
        argp_error(state, "one plan at a time: '%s' is one too many", args->measured.paths[1]);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;
    struct parameters *p = &args->scenario.parameters;
    struct hagg_err err = { 0 };
    int status = 0;

    switch (key) {
    case KEY_FORMAT:
        args->format = parse_format(state, arg);
        return 0;
    case KEY_SWEEP:
        status = sweep_parse(&args->sweep, arg, &err);
        args->has_sweep = true;
        break;
    case KEY_PER_CLIENT:
        args->per_client = true;
        return 0;
    case KEY_COLLUDE:
    case KEY_DROP:
        status = parameters_set_tolerance(
            p, key == KEY_DROP ? PARAMETER_DROP_CLIENTS : PARAMETER_COLLUDE_CLIENTS, arg, &err);
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
        cost_measure_without(state, arg, &args->measured);
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
        argp_error(state, "--%s", err.text);
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PLAN]\n--clients N --stations N\n--measure [FILE...]",
    .doc = "Say what a network sends: under its plan, under other protocols, and at least.\vWith "
           "no PLAN, or when PLAN is -, read standard input.",
};

static void print_report(const struct args *args, const struct report *r, struct text *text)
{
    struct json json = { .text = text };

    if (args->format == FORMAT_TABLE)
        report_print_table(r, text);
    else if (args->format == FORMAT_TSV)
        report_print_tsv(r, text);
    else if (args->format == FORMAT_GNUPLOT)
        report_print_gnuplot(r, text);
    else {
        json_open(&json, NULL, '{');
        report_print_json(r, &json);
        json_close(&json, '}');
        text_printf(text, "\n");
    }
}

/* What goes through all points. */
struct run {
    const struct args *args;
    struct sweep_table *table;
    struct text text;
};

static int add_point(void *run, uint64_t value, const struct report *r, struct hagg_err *err)
{
    struct run *s = run;
    struct json json = { .text = &s->text };

    if (s->args->format != FORMAT_JSON)
        return sweep_table_add(s->table, value, r, s->args->per_client, err);
    json_open(&json, NULL, '{');
    json_uint(&json, parameters_name(s->args->sweep.parameter), value);
    report_print_json(r, &json);
    json_close(&json, '}');
    text_printf(&s->text, "\n");
    return cli_print(&s->text, err);
}

static int run_sweep(struct args *args, struct text *text, struct hagg_err *err)
{
    struct run run = { args, sweep_table_new(&args->sweep, err), { 0 } };
    int status = run.table ? 0 : -1;

    if (status == 0)
        status = scenario_sweep(&args->scenario, &args->sweep, add_point, &run, err);
    if (status == 0 && args->format == FORMAT_TABLE)
        sweep_table_print(run.table, text);
    else if (status == 0 && args->format == FORMAT_TSV)
        sweep_table_print_tsv(run.table, text);
    else if (status == 0 && args->format == FORMAT_GNUPLOT)
        sweep_table_print_gnuplot(run.table, args->per_client, text);
    sweep_table_free(run.table);
    text_free(&run.text);
    return status;
}

static int run_report(struct args *args, struct text *text, struct hagg_err *err)
{
    struct report r;

    if (scenario_report(&args->scenario, &r, err))
        return -1;
    print_report(args, &r, text);
    report_free(&r);
    return 0;
}

/* The plan: named as an argument, by option or environment, or standard input. */
static int load_plan(struct args *args, struct hagg_err *err)
{
    const bool *given = args->scenario.parameters.given;
    const char *path =
        args->measured.n_paths > 0 ? args->measured.paths[0] : cli_options_plan(&args->common);

    if (args->measured.n_paths == 0 && !args->common.plan &&
        (given[PARAMETER_CLIENTS] || given[PARAMETER_STATIONS] || args->scenario.is_random))
        return 0;
    return scenario_load(&args->scenario, path ? path : "-", err);
}

static int run(struct args *args, struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    if (args->measure) {
        args->measured.plan = cli_options_plan(&args->common);
        args->measured.format = (enum cost_measure_format)args->format;
        return cost_measure_run(&args->measured, err);
    }
    status = load_plan(args, err);
    if (status == 0)
        status = args->topology    ? scenario_print_topology(&args->scenario, &text, err)
                 : args->has_sweep ? run_sweep(args, &text, err)
                                   : run_report(args, &text, err);
    if (status == 0)
        status = cli_print(&text, err);
    text_free(&text);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { 0 };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&argp, argc, argv, &args);
    status = run(&args, &err);
    scenario_free(&args.scenario);
    cost_measure_free(&args.measured);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
