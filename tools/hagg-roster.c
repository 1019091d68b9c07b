#include <stdio.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_identity.h"
#include "cli_options.h"
#include "cli_state.h"
#include "fd.h"
#include "records/describe.h"
#include "records/outfile.h"
#include "roster/roster.h"

enum { KEY_STATION = CLI_FIRST_OWN, KEY_CLIENTS, KEY_WITHOUT };

struct args {
    struct cli_options common;
    struct roster_options roster;
    struct rangeset clients, without;
    bool json, quiet;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_ROUND,
    { "station", KEY_STATION, "STATION", 0,
      "Report as this station: list the clients that have delivered everything to it", 0 },
    { "clients", KEY_CLIENTS, "CLIENTS", 0,
      "List only these clients, for instance 1-5,7; without RECORDS, list all of them", 0 },
    { "without", KEY_WITHOUT, "NODES", 0,
      "Do not wait for these stations, which are missing, such as stations=3", 0 },
    CLI_OPTION_IDENTITY,
    CLI_OPTION_UNSAFE_PLAN,
    CLI_OPTIONS_STATE,
    { "json", 'j', NULL, 0, "Write a JSON object instead of a record", 0 },
    { "quiet", 'q', NULL, 0, "Do not print the set, only who is missing", 0 },
    CLI_OPTION_OUTPUT("Write the report or roster to FILE"),
    { 0 },
};

static void parse_without(const struct argp_state *state, char *arg, struct args *args)
{
    static const char *const names[] = { "stations=", NULL };

    if (!cli_options_sets(state, "--without", arg, names,
                          (struct rangeset *const[]){ &args->without }))
        argp_error(state, "--without needs stations=SET");
    args->roster.without = &args->without;
}

static void check(const struct argp_state *state, const struct args *args)
{
    if (!cli_options_plan(&args->common) || !args->common.has_round)
        argp_error(state, "--round and a plan are required: use --plan or HAGG_PLAN");
    if (args->roster.station > 0 && (args->roster.without || args->common.unsafe_plan))
        argp_error(state, "--without and --unsafe-plan are for the roster, not for a report");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_STATION:
        args->roster.station =
            (uint32_t)cli_options_number(state, "--station", arg, 1, LIMIT_HOLDERS);
        return 0;
    case KEY_CLIENTS:
        cli_options_set(state, "--clients", arg, &args->clients);
        args->roster.clients = &args->clients;
        return 0;
    case KEY_WITHOUT:
        parse_without(state, arg, args);
        return 0;
    case 'j':
        args->json = true;
        return 0;
    case 'q':
        args->quiet = true;
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
    .args_doc = "[RECORDS...]",
    .doc = "List the clients of a round: a station's report, or the roster made from all reports."
           "\vWith no RECORDS, or when RECORDS is -, read standard input. With --clients and no "
           "RECORDS, the "
           "roster is made by hand and nothing is read.",
};

static void print_gap(const struct roster_gap *gap, const struct rangeset *stations,
                      const char *what, const char *remedy)
{
    struct text t = { 0 };

    describe_ranges(&t, stations->ranges, stations->n);
    if (stations->n > 0)
        cli_note("client %u: %s station%s %s%s", gap->client, what,
                 rangeset_count(stations) == 1 ? "" : "s", text_ok(&t) ? t.bytes : "", remedy);
    text_free(&t);
}

static int print_missing(const struct roster *r, struct hagg_err *err)
{
    struct roster_gap gap = { 0 };
    char remedy[96];
    size_t at = 0;
    int found;

    while ((found = roster_next_gap(r, &at, &gap, err)) > 0) {
        snprintf(remedy, sizeof remedy, " than at station %u: get all its records from one run",
                 gap.like);
        print_gap(&gap, &gap.missing, "missing at", "");
        print_gap(&gap, &gap.mixed, "from another run of hagg-share at", remedy);
        roster_gap_free(&gap);
    }
    roster_gap_free(&gap);
    return found;
}

static void print_set(const struct args *args, const struct roster *r)
{
    const struct rangeset *set = roster_clients(r);
    unsigned long long n = rangeset_count(set), round = args->common.round;
    struct text t = { 0 };

    describe_ranges(&t, set->ranges, set->n);
    if (args->roster.station > 0)
        cli_note("round %llu, station %u: report of %llu client%s: %s", round, args->roster.station,
                 n, n == 1 ? "" : "s", text_ok(&t) ? t.bytes : "");
    else
        cli_note("round %llu: roster of %llu clients: %s", round, n, text_ok(&t) ? t.bytes : "");
    text_free(&t);
}

static int write_json(const struct roster *r, const struct outfile *file, struct hagg_err *err)
{
    struct text t = { 0 };
    int status = roster_json(r, &t, err);

    if (status == 0)
        status = fd_write(file->fd, file->path, t.bytes, t.len, err);
    text_free(&t);
    return status;
}

static int write_out(const struct args *args, const struct roster *r, struct state *state,
                     struct hagg_err *err)
{
    const char *output = args->common.output;
    struct outfile file;
    int status = args->json || !output ? 0 : roster_find_issued(r, output, err);

    if (status)
        return status > 0 ? 0 : -1;
    if (outfile_open(&file, output ? output : "-", 0666, output || args->json, err))
        return -1;
    if (!args->json && !file.is_new)
        status = roster_remember(r, state, err);
    if (status == 0)
        status = args->json ? write_json(r, &file, err) : roster_write(r, file.fd, file.path, err);
    if (status == 0 && !args->json && file.is_new)
        status = roster_remember(r, state, err);
    if (status == 0)
        status = outfile_finish(&file, err);
    outfile_discard(&file);
    return status;
}

static int make(const struct args *args, struct roster *r, struct state *state,
                struct hagg_err *err)
{
    bool reads = args->common.n_files > 0 || !args->roster.clients || args->roster.station > 0;
    size_t n_files;
    const char *const *files = cli_options_files(&args->common, &n_files);

    for (size_t i = 0; reads && i < n_files; i++)
        if (roster_add(r, files[i], err))
            return -1;
    if (roster_find(r, err) || print_missing(r, err) || roster_check(r, err) ||
        write_out(args, r, state, err))
        return -1;
    if (!args->quiet)
        print_set(args, r);
    return 0;
}

static int run(struct args *args, struct hagg_err *err)
{
    struct node node = { NODE_STATION, args->roster.station };
    struct cli_identity identity;
    struct plan plan;
    struct roster *r = NULL;
    struct state *state;
    int status = -1;

    if (plan_load(&plan, cli_options_plan(&args->common), err))
        return -1;
    args->roster.plan = &plan;
    args->roster.round = args->common.round;
    args->roster.unsafe_plan = args->common.unsafe_plan;
    if (args->roster.station == 0)
        node = NODE_THE_FEDERATOR;
    if (cli_identity_open(&identity, &args->common, &plan, &node, err)) {
        plan_free(&plan);
        return -1;
    }
    args->roster.opener = cli_identity_opener(&identity);
    args->roster.sealer = cli_identity_sealer(&identity);
    state = cli_state_open(&args->common, err);
    if (state && (r = roster_new(&args->roster, err)))
        status = make(args, r, state, err);
    cli_state_close(state);
    roster_free(r);
    cli_identity_close(&identity);
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
    rangeset_free(&args.without);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
