#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_identity.h"
#include "cli_options.h"
#include "cli_state.h"
#include "spec.h"
#include "transform/transform.h"

enum {
    KEY_STEP = CLI_FIRST_OWN,
    KEY_METHOD,
    KEY_HOLDERS,
    KEY_TIER,
    KEY_POINTS,
    KEY_SCHEME,
    KEY_FROM,
    KEY_AFTER,
    KEY_STATION,
    KEY_RELAY,
};

enum step { STEP_NONE, STEP_CONTRIBUTE, STEP_COLLECT, STEP_FINISH };

struct args {
    struct cli_options common;
    struct transform_options transform;
    enum step step;
    bool has_z;
    uint32_t *holders;
    uint64_t *points;
    uint32_t n_points;
    struct rangeset sources, after, clients;
    uint32_t relay;
    struct cli_identity identity;
};

static const struct argp_option options[] = {
    { "step", KEY_STEP, "STEP", 0, "Perform this step: contribute, collect or finish", 0 },
    { "holders", KEY_HOLDERS, "LIST", 0,
      "Contribute: the numbers of the new holders, in the order of their shares, for instance 1-10",
      1 },
    { "tier", KEY_TIER, "TIER", 0, "Contribute: the tier of the new holders (default: relay)", 1 },
    { NULL, 'k', "K", 0, "Contribute: any K new shares decode the vector", 1 },
    { NULL, 'z', "Z", 0, "Contribute: any Z new shares reveal nothing", 1 },
    { "points", KEY_POINTS, "LIST", 0,
      "Contribute: the points of the new shares (default: 1, 2, 3 and so on)", 1 },
    { "scheme", KEY_SCHEME, "SCHEME", 0,
      "Contribute: the scheme of the new sharing (default: the scheme of the old sharing)", 1 },
    { "method", KEY_METHOD, "METHOD", 0,
      "Contribute: the method, direct, forward or transport (default: direct)", 1 },
    { "from", KEY_FROM, "SET", 0,
      "Contribute: the numbers of the old holders that take part (default: the first, as many as "
      "are needed)",
      1 },
    { "after", KEY_AFTER, "SET", 0,
      "Contribute: from these holders, symbols were sent before: send only the others", 1 },
    CLI_OPTION_PLAN,
    { "station", KEY_STATION, "STATION", 0,
      "Contribute, with a plan: act as this station, and refuse records that are addressed to "
      "another node",
      1 },
    { "relay", KEY_RELAY, "RELAY", 0,
      "Finish: act as this relay, and refuse records that are addressed to another node", 1 },
    { "round", CLI_ROUND, "ROUND", 0, "Refuse records of other rounds", 0 },
    CLI_OPTION_ROSTER,
    CLI_OPTION_IDENTITY,
    CLI_OPTION_OUTPUT("Write the output to FILE; {} is replaced with the number of the addressee"),
    CLI_OPTION_RANDOM_SOURCE,
    CLI_OPTIONS_STATE,
    CLI_OPTION_THREADS,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static const char *const steps[] = { "contribute", "collect", "finish", NULL };
static const char *const nothing[] = {
    [STEP_CONTRIBUTE] = "nothing to transform: no share belongs to a holder that takes part",
    [STEP_COLLECT] = "nothing to collect: no transfers arrived",
    [STEP_FINISH] = "nothing to finish: no transfers arrived",
};
static const char *const methods[] = { "direct", "forward", "transport", NULL };

static void parse_holders(const struct argp_state *state, const char *arg, struct args *args)
{
    uint64_t *numbers;

    args->transform.n = cli_options_list(state, "--holders", arg, &numbers);
    free(args->holders); /* the option may be repeated: the last one counts */
    args->holders = calloc(args->transform.n, sizeof *args->holders);
    for (uint32_t i = 0; i < args->transform.n && args->holders; i++)
        args->holders[i] = (uint32_t)numbers[i];
    free(numbers);
    args->transform.holders = args->holders;
}

/* Checks the combination of options. */
static void check(const struct argp_state *state, const struct args *args)
{
    const struct transform_options *t = &args->transform;
    bool says_sharing = t->tier || t->n > 0 || t->k > 0 || args->has_z || args->points ||
                        t->scheme || t->method != TRANSFORM_DIRECT;
    bool contributes = args->step == STEP_CONTRIBUTE, plan = cli_options_plan(&args->common);

    if (args->step == STEP_NONE)
        argp_error(state, "use --step contribute, collect or finish");
    if (!contributes &&
        (says_sharing || t->sources || t->after || t->station > 0 || args->common.random_source))
        argp_error(state, "options of the new sharing require --step contribute");
    if (t->after && !t->sources)
        argp_error(state, "--after requires --from");
    if (args->step != STEP_FINISH && args->relay > 0)
        argp_error(state, "--relay requires --step finish");
    if (plan && args->step == STEP_COLLECT)
        argp_error(state,
                   "transformations of a plan are direct, with nothing to collect: use --plan '' "
                   "for others");
    if (plan && says_sharing)
        argp_error(state, "the new sharing is set by the plan: omit its options, or use --plan ''");
    if (contributes && !plan && (t->n == 0 || t->k == 0 || !args->has_z))
        argp_error(state,
                   "--step contribute requires --plan (or HAGG_PLAN), or --holders, -k and -z");
    if (contributes && !plan && (t->k > t->n || t->z >= t->k))
        argp_error(state, "for %u holders, -k must be at most %u and -z less than -k", t->n, t->n);
    if (args->points && args->n_points != t->n)
        argp_error(state, "--points and --holders must have the same length");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;
    struct transform_options *t = &args->transform;

    switch (key) {
    case KEY_STEP:
        args->step = STEP_CONTRIBUTE + cli_options_choice(state, "--step", arg, steps);
        return 0;
    case KEY_METHOD:
        t->method = cli_options_choice(state, "--method", arg, methods);
        return 0;
    case KEY_HOLDERS:
        parse_holders(state, arg, args);
        return 0;
    case KEY_TIER:
        if (!spec_is_tier_name(arg))
            argp_error(state, "--tier: '%s' is not the name of a tier", arg);
        t->tier = arg;
        return 0;
    case KEY_POINTS:
        free(args->points);
        args->n_points = cli_options_list(state, "--points", arg, &args->points);
        t->points = args->points;
        return 0;
    case KEY_SCHEME:
        t->scheme = arg;
        return 0;
    case KEY_FROM:
        cli_options_set(state, "--from", arg, &args->sources);
        t->sources = &args->sources;
        return 0;
    case KEY_AFTER:
        cli_options_set(state, "--after", arg, &args->after);
        t->after = &args->after;
        return 0;
    case KEY_STATION:
        t->station = (uint32_t)cli_options_number(state, "--station", arg, 1, LIMIT_HOLDERS);
        return 0;
    case KEY_RELAY:
        args->relay = (uint32_t)cli_options_number(state, "--relay", arg, 1, LIMIT_HOLDERS);
        return 0;
    case 'k':
        t->k = (uint32_t)cli_options_number(state, "-k", arg, 1, LIMIT_HOLDERS);
        return 0;
    case 'z':
        t->z = (uint32_t)cli_options_number(state, "-z", arg, 0, LIMIT_HOLDERS);
        args->has_z = true;
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
    .doc = "Convert a sharing to other holders and other n, k and z.\vWith no RECORDS, or when "
           "RECORDS "
           "is -, read standard input.",
};

static int do_step(struct args *args, struct outfiles *out, struct hagg_err *err)
{
    size_t n;
    const char *const *files = cli_options_files(&args->common, &n);

    outfiles_set_sealer(out, cli_identity_sealer(&args->identity));
    if (args->step == STEP_CONTRIBUTE)
        return transform_contribute(&args->transform, files, n, out, err);
    return args->step == STEP_COLLECT
               ? transform_collect(files, n, out, err)
               : transform_finish(&args->transform, args->relay, files, n, out, err);
}

/* Checks the options against the plan, opens the identity, and reads the roster. */
static int check_plan(struct args *args, struct hagg_err *err)
{
    struct transform_options *t = &args->transform;
    struct node node = { args->relay > 0 ? NODE_RELAY : NODE_STATION, args->relay + t->station };

    if (t->plan && plan_check_nodes(t->plan, t->station, args->relay, err))
        return -1;
    if (cli_identity_open(&args->identity, &args->common, t->plan, node.number > 0 ? &node : NULL,
                          err) ||
        cli_options_roster(&args->common, t->plan, &args->clients, &t->clients, NULL,
                           &args->identity, t->state, err))
        return -1;
    t->opener = cli_identity_opener(&args->identity);
    if (args->common.has_round)
        t->asked_round = &args->common.round;
    return 0;
}

static int run(struct args *args, struct hagg_err *err)
{
    const char *output = args->common.output, *path = cli_options_plan(&args->common);
    struct cli_progress progress;
    struct plan plan = { 0 };
    struct outfiles *out;
    bool empty = false;
    int status = -1;

    if (path && plan_load(&plan, path, err))
        return -1;
    args->transform.plan = path ? &plan : NULL;
    args->transform.random_source = args->common.random_source;
    if (!args->transform.tier)
        args->transform.tier = "relay";
    args->transform.progress = cli_progress_begin(&progress, args->common.progress);
    out = outfiles_new(output ? output : "-", output != NULL, err);
    args->transform.state = cli_state_open(&args->common, err);
    if (out && args->transform.state && check_plan(args, err) == 0 &&
        cli_options_pool(&args->common, &args->transform.pool, err) == 0 &&
        do_step(args, out, err) == 0) {
        empty = outfiles_is_empty(out);
        status = outfiles_publish(out, err);
    }
    cli_progress_end(&progress);
    if (status == 0 && empty)
        cli_note("%s%s", nothing[args->step],
                 args->transform.after ? ", or the run with --after sent what is required" : "");
    cli_state_close(args->transform.state);
    parallel_free(args->transform.pool);
    outfiles_free(out);
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
    status = run(&args, &err);
    rangeset_free(&args.sources);
    rangeset_free(&args.after);
    rangeset_free(&args.clients);
    free(args.holders);
    free(args.points);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
