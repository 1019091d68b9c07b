#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_options.h"
#include "dot/dot.h"
#include "dot/dot_patterns.h"
#include "fd.h"
#include "records/describe.h"
#include "records/outfile.h"
#include "plan/plan_collusion.h"
#include "planner/planner.h"
#include "planner/summary.h"

enum {
    KEY_CONDITION = CLI_FIRST_OWN,
    KEY_EFFORT,
    KEY_TIME_LIMIT,
    KEY_SEED,
    KEY_KEEP,
    KEY_DOT,
    KEY_DIGEST,
    KEY_PROTOCOL,
    KEY_TRANSFORM
};

struct args {
    struct cli_options common;
    struct planner_options planner;
    unsigned effort;
    double time_limit;
    uint64_t seed;
    bool keep, dot, patterns, digest, quiet;
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

static double parse_seconds(const struct argp_state *state, const char *arg)
{
    char *end;
    double seconds = strtod(arg, &end);

    if (end == arg || *end || !(seconds > 0 && seconds < 1e9))
        argp_error(state, "--time-limit must be a positive number of seconds, not '%s'", arg);
    return seconds;
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
        args->dot = true;
        args->patterns = arg && cli_options_choice(state, "--dot", arg, pictures) == 1;
        return 0;
    case KEY_DIGEST:
        args->digest = true;
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
        args->time_limit = parse_seconds(state, arg);
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
        if (args->digest && (args->dot || args->keep))
            argp_error(state, "--digest cannot be combined with --dot or --keep");
        if (args->planner.protocol != PLANNER_STATED && (args->digest || args->keep))
            argp_error(state, "--protocol cannot be combined with --digest or --keep");
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

static int write_plan(const struct args *args, const struct plan *plan, struct hagg_err *err)
{
    const char *output = args->common.output ? args->common.output : "-";
    char digest[DESCRIBE_DIGEST_ROOM(HEADER_PLAN_BYTES)];
    struct outfile file = { 0 };
    struct text text = { 0 };
    int status = 0;

    if (args->digest) {
        describe_digest(digest, plan->digest, sizeof plan->digest);
        text_printf(&text, "%s\n", digest);
    } else if (args->dot)
        status = args->patterns ? dot_patterns_print(plan, &text, err)
                                : dot_print(plan, NULL, &text, err);
    else
        topology_print(&plan->topology, &text);
    if (status == 0 && !text_ok(&text))
        status = err_errno(err, "%s", output);
    if (status == 0)
        status = outfile_open(&file, output, 0666, true, err);
    if (status == 0)
        status = fd_write(file.fd, file.path, text.bytes, text.len, err);
    if (status == 0)
        status = outfile_finish(&file, err);
    outfile_discard(&file);
    text_free(&text);
    return status;
}

static int print_summary(const struct args *args, const struct plan *plan,
                         const struct planner_result *result, struct hagg_err *err)
{
    struct text text = { 0 };
    int status = summary_print(plan, result, args->planner.condition, &text, err);
    char *lines = text.bytes, *line;

    if (status == 0 && !text_ok(&text))
        status = err_errno(err, "%s", plan->name);
    while (status == 0 && (line = strsep(&lines, "\n")))
        cli_note("%s", line);
    text_free(&text);
    return status;
}

/* Writes the plan, and prints what it achieves. result is NULL if nothing was chosen. */
static int finish(const struct args *args, const struct plan *plan,
                  const struct planner_result *result, struct hagg_err *err)
{
    struct hagg_err warning;

    if (write_plan(args, plan, err))
        return -1;
    if (topology_check_protected(&plan->topology, plan->name, &warning))
        cli_note("warning: %s", warning.text);
    return args->quiet ? 0 : print_summary(args, plan, result, err);
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

    if (args->dot || plan_collusion_check_condition(plan, args->planner.condition, &why) == 0)
        return finish(args, plan, NULL, err);
    if (args->quiet || print_summary(args, plan, NULL, err) == 0)
        *err = why;
    return -1;
}

static int run(const struct args *args, struct hagg_err *err)
{
    const char *path = args->file ? args->file : "-";
    struct plan plan;
    int status;

    if (!args->keep && !args->digest)
        return choose(args, path, err);
    if (plan_load(&plan, path, err))
        return -1;
    status = args->digest ? write_plan(args, &plan, err) : keep(args, &plan, err);
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
