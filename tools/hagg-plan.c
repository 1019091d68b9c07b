#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_options.h"
#include "identity/identities.h"
#include "plan/plan_collusion.h"
#include "plan/plan_identities.h"
#include "plan_output.h"
#include "planner/planner.h"

enum {
    KEY_CONDITION = CLI_FIRST_OWN,
    KEY_EFFORT,
    KEY_TIME_LIMIT,
    KEY_SEED,
    KEY_KEEP,
    KEY_DOT,
    KEY_DIGEST,
    KEY_JSON,
    KEY_PROTOCOL,
    KEY_TRANSFORM
};

struct args {
    struct cli_options common;
    struct planner_options planner;
    unsigned effort;
    double time_limit;
    uint64_t seed;
    struct plan_output output;
    bool keep, quiet;
    const char *file;
};

static const struct argp_option options[] = {
    { "protocol", KEY_PROTOCOL, "NAME", 0,
      "Plan this protocol: keys, aligned, or auto, the cheapest (default: that of the topology; "
      "auto if it has no protocol line)",
      0 },
    { "condition", KEY_CONDITION, "WHICH", 0,
      "With protocol keys under full collusion, require this condition: exact (default), or paper, "
      "which is stricter",
      0 },
    { "keep", KEY_KEEP, NULL, 0, "Keep the station sets of the input, and report what they achieve",
      0 },
    { "dot", KEY_DOT, "WHAT", OPTION_ARG_OPTIONAL,
      "Write a graph for Graphviz instead of the plan: round (default), how much each node sends "
      "to "
      "each other node, or patterns, the patterns that clients use",
      0 },
    { "digest", KEY_DIGEST, NULL, 0,
      "Choose nothing, and print the digest of the plan, for comparison with other nodes", 0 },
    { "json", KEY_JSON, NULL, 0,
      "Choose nothing, and write the contents of the plan as a JSON object", 0 },
    { "transform", KEY_TRANSFORM, "WHEN", 0,
      "With protocol keys, when stations transform their sharings into sharings for the relays: "
      "always, never, or auto (default), if the topology requires it or if it is cheaper",
      0 },
    { "effort", KEY_EFFORT, "N", 0,
      "How long to search, from 1 (brief) to 9 (thorough), each about four times as long as the "
      "one "
      "before (default: 3)",
      1 },
    { "time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
      "Stop the search after this time; the plan then depends on the speed of the machine", 1 },
    { "seed", KEY_SEED, "N", 0, "Set the seed of the search (default: 0)", 1 },
    CLI_OPTION_OUTPUT("Write the plan to FILE"),
    { "quiet", 'q', NULL, 0, "Do not report the cost of the plan or what it achieves", 3 },
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static const char *const conditions[] = { "exact", "paper", NULL };
static const char *const pictures[] = { "round", "patterns", NULL };
static const char *const protocols[] = { "auto", "keys", "aligned", NULL };
static const char *const transforms[] = { "auto", "never", "always", NULL };

static bool chooses_nothing(const struct args *args)
{
    return args->output.digest || args->output.json;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_CONDITION:
        args->planner.condition = cli_options_choice(state, "--condition", arg, conditions);
        return 0;
    case KEY_KEEP:
        args->keep = true;
        return 0;
    case KEY_DOT:
        args->output.dot = true;
        args->output.patterns = arg && cli_options_choice(state, "--dot", arg, pictures) == 1;
        return 0;
    case KEY_DIGEST:
        args->output.digest = true;
        return 0;
    case KEY_JSON:
        args->output.json = true;
        return 0;
    case KEY_PROTOCOL:
        args->planner.protocol =
            PLANNER_AUTO + cli_options_choice(state, "--protocol", arg, protocols);
        return 0;
    case KEY_TRANSFORM:
        args->planner.transform = cli_options_choice(state, "--transform", arg, transforms);
        return 0;
    case KEY_EFFORT:
        args->effort = (unsigned)cli_options_number(state, "--effort", arg, 1, EFFORT_MOST);
        return 0;
    case KEY_TIME_LIMIT:
        args->time_limit = cli_options_seconds(state, "--time-limit", arg);
        return 0;
    case KEY_SEED:
        args->seed = cli_options_number(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case 'q':
        args->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->file)
            argp_error(state, "only one topology is accepted: '%s' is extra", arg);
        args->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->output.digest && (args->output.dot || args->keep))
            argp_error(state, "--digest cannot be combined with --dot or --keep");
        if (args->output.json && (args->output.digest || args->output.dot || args->keep))
            argp_error(state, "--json cannot be combined with --digest, --dot or --keep");
        if (args->planner.protocol != PLANNER_STATED && (chooses_nothing(args) || args->keep))
            argp_error(state, "--protocol cannot be combined with --digest, --json or --keep");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[TOPOLOGY]",
    .doc = "Choose station sets that are private and cheap.\vWith no TOPOLOGY, or when TOPOLOGY is "
           "-, read standard input.",
};

/* Checks the file of identities, so that its mistakes do not appear only in the first round.
 * Whoever adds a key to those of a node can read what others seal to it, so that is noted. */
static int check_identities(const struct plan *plan, struct hagg_err *err)
{
    const struct identity *first;
    struct identities *identities;
    size_t at = 0, n_keys;

    if (!plan_identities_given(plan))
        return 0;
    identities = identities_load(plan, err);
    if (!identities)
        return -1;
    while ((first = identities_next_several(identities, &at, &n_keys)))
        cli_note("%s: %s %u has %zu keys: make sure that all of them are its own",
                 identities_name(identities), node_tier_name(first->node.tier), first->node.number,
                 n_keys);
    identities_free(identities);
    return 0;
}

/* Writes the plan, and prints what it achieves. result is NULL if nothing was chosen. */
static int finish(const struct args *args, const struct plan *plan,
                  const struct planner_result *result, struct hagg_err *err)
{
    struct hagg_err warning;

    if ((!args->output.dot && check_identities(plan, err)) ||
        plan_output_write(&args->output, plan, args->common.output, err))
        return -1;
    if (topology_check_protected(&plan->topology, plan->name, &warning))
        cli_note("warning: %s", warning.text);
    return args->quiet ? 0 : plan_output_summary(plan, result, args->planner.condition, err);
}

static int choose(const struct args *args, const char *path, struct hagg_err *err)
{
    struct cli_progress progress;
    struct planner_result result;
    struct text topology = { 0 };
    struct effort effort;
    struct plan plan;
    int status = topology_read(&topology, path, err);

    effort_start(&effort, args->effort, args->seed, args->time_limit,
                 cli_progress_begin(&progress, args->common.progress));
    if (status == 0)
        status = planner_choose(&plan, topology_name(path), &topology, &args->planner, &effort,
                                &result, err);
    cli_progress_end(&progress);
    text_free(&topology);
    if (status)
        return -1;
    status = finish(args, &plan, &result, err);
    if (status == 0 && effort.cut_short)
        cli_note("the search was stopped by --time-limit");
    planner_result_free(&result);
    plan_free(&plan);
    return status;
}

/* Sets that are not private are reported like others, but not written. */
static int keep(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    struct hagg_err why = { 0 };

    if (args->output.dot ||
        plan_collusion_check_condition(plan, args->planner.condition, &why) == 0)
        return finish(args, plan, NULL, err);
    if (args->quiet || plan_output_summary(plan, NULL, args->planner.condition, err) == 0)
        *err = why;
    return -1;
}

static int run(const struct args *args, struct hagg_err *err)
{
    const char *path = args->file ? args->file : "-";
    struct plan plan;
    int status;

    if (!args->keep && !chooses_nothing(args))
        return choose(args, path, err);
    if (plan_load(&plan, path, err))
        return -1;
    status = chooses_nothing(args)
                 ? plan_output_write(&args->output, &plan, args->common.output, err)
                 : keep(args, &plan, err);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { .effort = EFFORT_DEFAULT };
    struct hagg_err err = { 0 };

    cli_parse(&argp, argc, argv, &args);
    return run(&args, &err) == 0 ? cli_close_stdout() : cli_fail(&err);
}
