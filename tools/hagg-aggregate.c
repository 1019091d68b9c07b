#include <string.h>

#include "aggregate/aggregate.h"
#include "aggregate_facts.h"
#include "aggregate_pass_on.h"
#include "cli.h"
#include "cli_confine.h"
#include "cli_identity.h"
#include "cli_options.h"
#include "cli_state.h"

enum {
    KEY_STATION = CLI_FIRST_OWN,
    KEY_RELAY,
    KEY_CLIENTS,
    KEY_ONLY,
    KEY_SKIP_INCOMPLETE,
    KEY_VIA,
    KEY_MISSING,
    KEY_DEALERS,
    KEY_PRESENT,
    KEY_AFTER,
    KEY_PASS_ON
};

struct args {
    struct cli_options common;
    struct aggregate_options aggregate;
    struct rangeset clients, missing, dealers, present, after;
    struct runs runs;
    struct cli_identity identity;
    bool pass_on;
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    { "round", CLI_ROUND, "ROUND", 0, "Refuse records of other rounds", 0 },
    { "station", KEY_STATION, "STATION", 0,
      "Act as this station: refuse records that are addressed to another node", 0 },
    { "relay", KEY_RELAY, "RELAY", 0,
      "Act as this relay: refuse records that are addressed to another node", 0 },
    { "clients", KEY_CLIENTS, "CLIENTS", 0,
      "Add only the records of these clients, for instance 1-5,7", 0 },
    CLI_OPTION_ROSTER,
    CLI_OPTION_IDENTITY,
    { "only", KEY_ONLY, "WHAT", 0, "Add only shares or only keys", 0 },
    { "dealers", KEY_DEALERS, "STATIONS", 0,
      "Add only the masks of these dealers (default: all of the plan)", 0 },
    { "via", KEY_VIA, "RELAY", 0,
      "As a station, send the sum through this relay; with protocol keys, as the last station, the "
      "total of the keys (default: the relay that the plan determines)",
      0 },
    { "missing", KEY_MISSING, "STATIONS", 0,
      "As a relay: these stations are missing, so the total is decoded without them; with protocol "
      "keys, as a station: skip them in the chain of keys",
      0 },
    { "present", KEY_PRESENT, "NODES", 0,
      "Only these stations, or as a relay these relays, are present: with a scheme that has "
      "prefixes, send the symbols that their number requires; with protocol aligned, send the sum "
      "only if it is one of the shortest that decode (default: whole shares, and all sums)",
      0 },
    { "after", KEY_AFTER, "NODES", 0,
      "What these nodes required when they were present was sent before: send only the rest", 0 },
    { "skip-incomplete", KEY_SKIP_INCOMPLETE, NULL, 0,
      "Send nothing for sums that lack a client, instead of failing", 0 },
    { "pass-on", KEY_PASS_ON, NULL, 0,
      "Add nothing up: copy the records for other stations, unopened, as the courier of clients "
      "that do not reach them",
      0 },
    CLI_OPTION_UNSAFE_PLAN,
    CLI_OPTIONS_STATE,
    CLI_OPTION_OUTPUT("Write the sums to FILE; {} is replaced with the number of the addressee"),
    CLI_OPTION_JSON,
    CLI_OPTION_THREADS,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static const char *const only[] = { "shares", "keys", NULL };

/* Returns the number of the station or relay, or 0 if none is given. */
static uint32_t own_number(const struct aggregate_options *o)
{
    return o->relay > 0 ? o->relay : o->station;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_STATION:
        args->aggregate.station =
            (uint32_t)cli_options_number(state, "--station", arg, 1, LIMIT_HOLDERS);
        return 0;
    case KEY_RELAY:
        args->aggregate.relay =
            (uint32_t)cli_options_number(state, "--relay", arg, 1, LIMIT_HOLDERS);
        return 0;
    case KEY_CLIENTS:
        cli_options_set(state, "--clients", arg, &args->clients);
        args->aggregate.clients = &args->clients;
        return 0;
    case KEY_ONLY:
        args->aggregate.only = AGGREGATE_SHARES + cli_options_choice(state, "--only", arg, only);
        return 0;
    case KEY_VIA:
        args->aggregate.via = (uint32_t)cli_options_number(state, "--via", arg, 1, LIMIT_HOLDERS);
        return 0;
    case KEY_MISSING:
        cli_options_set(state, "--missing", arg, &args->missing);
        args->aggregate.missing = &args->missing;
        return 0;
    case KEY_DEALERS:
        cli_options_set(state, "--dealers", arg, &args->dealers);
        args->aggregate.dealers = &args->dealers;
        return 0;
    case KEY_PRESENT:
        cli_options_set(state, "--present", arg, &args->present);
        args->aggregate.present = &args->present;
        return 0;
    case KEY_AFTER:
        cli_options_set(state, "--after", arg, &args->after);
        args->aggregate.after = &args->after;
        return 0;
    case KEY_SKIP_INCOMPLETE:
        args->aggregate.skip_incomplete = true;
        return 0;
    case KEY_PASS_ON:
        args->pass_on = true;
        return 0;
    case ARGP_KEY_END:
        if (args->pass_on)
            aggregate_pass_on_check(state, &args->common, &args->aggregate);
        if (args->aggregate.station > 0 && args->aggregate.relay > 0)
            argp_error(state, "use only one of --station and --relay");
        if (args->aggregate.after && !args->aggregate.present)
            argp_error(state, "--after requires --present");
        if (args->aggregate.present && own_number(&args->aggregate) > 0 &&
            rangeset_overlap(&args->present, own_number(&args->aggregate),
                             own_number(&args->aggregate)) == 0)
            argp_error(state, "--present must name the %s itself",
                       args->aggregate.relay > 0 ? "relay" : "station");
        if (rangeset_overlap(&args->missing, args->aggregate.station, args->aggregate.station) > 0)
            argp_error(state, "--missing names the station itself");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RECORDS...]",
    .doc = "Add up the shares and masks of a station, or pass sums on as a relay.\vWith no "
           "RECORDS, or "
           "when RECORDS is -, read standard input.",
};

static int add_up(struct args *args, struct aggregate *a, struct hagg_err *err)
{
    const char *output = args->common.output;
    size_t n_files;
    const char *const *files = cli_options_files(&args->common, &n_files);
    struct outfiles *out;
    bool nothing = false;
    int status = -1;

    for (size_t i = 0; i < n_files; i++)
        if (aggregate_add(a, files[i], err))
            return -1;
    out = outfiles_new(output ? output : "-", output != NULL, err);
    if (out)
        outfiles_set_sealer(out, cli_identity_sealer(&args->identity));
    if (out && aggregate_write(a, out, err) == 0) {
        nothing = outfiles_is_empty(out);
        status = outfiles_publish(out, err);
    }
    if (status == 0 && nothing)
        cli_note(aggregate_n_skipped(a) > 0 ? "nothing to send: every sum lacks a client"
                 : aggregate_n_standing_by(a) > 0
                     ? "nothing to send: the sum stands by; if one of another station does not "
                       "arrive, use --present without that station, and --after"
                 : aggregate_n_sent_before(a) > 0
                     ? "nothing to send: the run with --after sent what these nodes require"
                     : "nothing to add up: no record of the input was selected");
    else if (status == 0 && aggregate_n_skipped(a) > 0)
        cli_note("%zu sum%s left out", aggregate_n_skipped(a),
                 aggregate_n_skipped(a) == 1 ? " that lacks a client was"
                                             : "s that lack a client were");
    if (status == 0)
        aggregate_facts(a, &args->common);
    outfiles_free(out);
    return status;
}

static int open_identity(struct args *args, struct hagg_err *err)
{
    struct aggregate_options *o = &args->aggregate;
    struct node node = { o->relay > 0 ? NODE_RELAY : NODE_STATION, own_number(o) };

    if (cli_identity_open(&args->identity, &args->common, o->plan, node.number > 0 ? &node : NULL,
                          err))
        return -1;
    o->opener = cli_identity_opener(&args->identity);
    return 0;
}

/* Reads the roster, and checks that the plan has the nodes named on the command line and that
 * options fit it. */
static int check_plan(struct args *args, struct hagg_err *err)
{
    struct aggregate_options *o = &args->aggregate;
    const struct plan *plan = o->plan;

    if (open_identity(args, err) ||
        cli_options_roster(&args->common, plan, &args->clients, &o->clients, &args->runs,
                           &args->identity, o->state, err))
        return -1;
    o->runs = &args->runs;
    if (args->common.has_round)
        o->asked_round = &args->common.round;
    o->has_roster = args->common.roster;
    if (!plan)
        return 0;
    if (plan_check_nodes(plan, o->station, o->relay, err))
        return -1;
    if (o->via > 0 && o->station > 0 && !plan_reaches_relay(plan, o->station, o->via))
        return err_set(err, HAGG_E_USAGE, "%s: the station does not reach relay %u", plan->name,
                       o->via);
    if (o->missing && plan->topology.aligned && plan_check_missing(plan, 0, o->missing, err))
        return -1;
    if (o->present && plan->topology.aligned && plan->topology.n_relays > 0)
        return err_set(err, HAGG_E_USAGE,
                       "%s: with protocol aligned and relays, all stations send their sums: omit "
                       "--present",
                       plan->name);
    if (o->present && o->relay > 0 && !plan->topology.transform)
        return err_set(err, HAGG_E_USAGE,
                       "%s: relays pass on what the stations send: use --present at the stations",
                       plan->name);
    if (o->skip_incomplete && plan->topology.drop_stations + plan->topology.drop_relays == 0)
        return err_set(err, HAGG_E_USAGE,
                       "%s: has no drop line for stations or relays, so no sum can be left out",
                       plan->name);
    return o->clients ? plan_check_clients(plan, o->clients, err) : 0;
}

static int run(struct args *args, struct hagg_err *err)
{
    const char *path = cli_options_plan(&args->common);
    struct cli_progress progress;
    struct plan plan = { 0 };
    struct aggregate *a;
    int status = -1;

    if (path && plan_load(&plan, path, err))
        return -1;
    args->aggregate.plan = path ? &plan : NULL;
    args->aggregate.unsafe_plan = args->common.unsafe_plan;
    args->aggregate.progress = cli_progress_begin(&progress, args->common.progress);
    if ((args->aggregate.state = cli_state_open(&args->common, err)) &&
        check_plan(args, err) == 0 &&
        cli_options_pool(&args->common, &args->aggregate.pool, err) == 0 &&
        (a = aggregate_new(&args->aggregate, err))) {
        status = add_up(args, a, err);
        aggregate_free(a);
    }
    aggregate_facts_given(&args->aggregate, &args->common);
    cli_progress_end(&progress);
    cli_state_close(args->aggregate.state);
    parallel_free(args->aggregate.pool);
    cli_identity_close(&args->identity);
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
    status = args.pass_on ? aggregate_pass_on(&args.common, args.aggregate.station, &err)
                          : run(&args, &err);
    rangeset_free(&args.clients);
    rangeset_free(&args.missing);
    rangeset_free(&args.dealers);
    rangeset_free(&args.present);
    rangeset_free(&args.after);
    runs_free(&args.runs);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
