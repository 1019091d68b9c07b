#include "audit/audit.h"
#include "audit/audit_report.h"
#include "audit_output.h"
#include "base/deadline.h"
#include "cli.h"
#include "cli_options.h"
#include "audit/model_build.h"

enum {
    KEY_COLLUDERS = CLI_FIRST_OWN,
    KEY_COLLUDE,
    KEY_MAX,
    KEY_SAMPLE,
    KEY_SEED,
    KEY_LIMIT,
    KEY_MAX_TERMS,
    KEY_TIME_LIMIT,
    KEY_VERIFY,
    KEY_JSON,
    KEY_FORMS,
    KEY_REPORT
};

/* The coalition given on the command line. */
struct colluders {
    bool given, federator;
    struct rangeset clients, stations, relays, missing;
};

struct args {
    struct cli_options common;
    struct colluders colluders;
    struct audit_options audit;
    struct audit_output output;
    struct cli_progress progress;
    bool max;
    size_t max_terms;
    double time_limit;
    const char *file;
};

static const struct argp_option options[] = {
    { "colluders", KEY_COLLUDERS, "WHO", 0,
      "Audit only this coalition, as in stations=2,5,clients=3,federator", 0 },
    { "collude", KEY_COLLUDE, "WHO", OPTION_HIDDEN, NULL, 0 }, /* must not mean --colluders */
    { "max", KEY_MAX, NULL, 0,
      "Report the largest numbers of clients, stations and relays that may collude without a leak",
      0 },
    { "sample", KEY_SAMPLE, "N", 0, "Check N random coalitions instead of all", 0 },
    { "seed", KEY_SEED, "N", 0, "Set the seed of the random choice (default: 0)", 0 },
    { "limit", KEY_LIMIT, "N", 0, "Stop after N leaks (default: 20)", 0 },
    { "max-terms", KEY_MAX_TERMS, "N", 0,
      "Refuse to examine coalitions if the messages have more than N terms (default: 33554432)",
      0 },
    { "time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
      "Stop after this time, and report how many coalitions were covered", 0 },
    { "verify", KEY_VERIFY, "N", 0,
      "Check a proof by elimination on N random coalitions (default: 8)", 0 },
    { "forms", KEY_FORMS, NULL, 0, "Print each finding with a combination that is learnt", 2 },
    { "json", KEY_JSON, NULL, 0, "Write one JSON object", 2 },
    { "report", KEY_REPORT, "FILE", 0,
      "Write an HTML page for those who approve a study; - is standard output", 2 },
    CLI_OPTION_THREADS,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static void parse_colluders(const struct argp_state *state, char *arg, struct colluders *c)
{
    static const char *const names[] = { "federator", "clients=", "stations=",
                                         "relays=",   "missing=", NULL };
    struct rangeset *const sets[] = { NULL, &c->clients, &c->stations, &c->relays, &c->missing };

    c->given = true;
    if (cli_options_sets(state, "--colluders", arg, names, sets) & 1)
        c->federator = true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct args *args = state->input;

    switch (key) {
    case KEY_COLLUDERS:
        parse_colluders(state, arg, &args->colluders);
        return 0;
    case KEY_COLLUDE:
        argp_error(state, "--collude is an option of hagg-cost: use --colluders to name nodes, or "
                          "change the collude line of the plan");
        return 0;
    case KEY_MAX:
        args->max = true;
        return 0;
    case KEY_SAMPLE:
        args->audit.n_samples = cli_options_number(state, "--sample", arg, 1, UINT64_MAX);
        return 0;
    case KEY_SEED:
        args->audit.seed = cli_options_number(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_LIMIT:
        args->audit.max_leaks = cli_options_number(state, "--limit", arg, 1, SIZE_MAX);
        return 0;
    case KEY_MAX_TERMS:
        args->max_terms = cli_options_number(state, "--max-terms", arg, 1, SIZE_MAX);
        return 0;
    case KEY_FORMS:
        args->output.forms = true;
        return 0;
    case KEY_VERIFY:
        args->audit.n_verify = cli_options_number(state, "--verify", arg, 0, UINT64_MAX);
        return 0;
    case KEY_TIME_LIMIT:
        args->time_limit = cli_options_seconds(state, "--time-limit", arg);
        return 0;
    case KEY_JSON:
        args->output.json = true;
        return 0;
    case KEY_REPORT:
        args->output.report = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (args->file)
            argp_error(state, "only one plan is accepted: '%s' is extra", arg);
        args->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->max + args->colluders.given + (args->audit.n_samples > 0) > 1)
            argp_error(state, "use only one of --colluders, --max and --sample");
        if (args->output.report && (args->max || args->colluders.given))
            argp_error(state, "--report is about the whole plan: omit --colluders and --max");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PLAN]",
    .doc =
        "Prove that a plan is private, or show who learns what.\vWith no PLAN, read the plan that "
        "$HAGG_PLAN names, or else standard input. When PLAN is -, read standard input.",
};

static int audit_named(const struct colluders *c, const struct model *m,
                       struct audit_result *result, struct hagg_err *err)
{
    struct coalition who;
    int status = -1;

    if (coalition_new(&who, m, err))
        return -1;
    who.nodes[MODEL_FEDERATOR] = c->federator;
    if (coalition_add_stations(&who, m, &c->stations, err) == 0 &&
        coalition_add_relays(&who, m, &c->relays, err) == 0 &&
        coalition_set_clients(&who, m, &c->missing, COALITION_MISSING, err) == 0 &&
        coalition_set_clients(&who, m, &c->clients, COALITION_MEMBER, err) == 0)
        status = audit_one(result, m, &who, err);
    coalition_free(&who);
    return status;
}

static int audit(struct args *args, const struct plan *p, const struct model *m,
                 struct hagg_err *err)
{
    struct audit_bounds bounds = audit_bounds_of(p);
    struct audit_result result;
    int status;

    if (args->colluders.given ? audit_named(&args->colluders, m, &result, err)
                              : audit_run(&result, m, &bounds, &args->audit, err))
        return -1;
    status = args->colluders.given ? 0 : audit_alone(&result, m, &bounds, &args->audit, err);
    if (status == 0 && !args->colluders.given)
        status = audit_verify(&result, m, &args->audit, err);
    cli_progress_end(&args->progress);
    if (status == 0)
        status = audit_output_write(&args->output, p, m, &result, err);
    audit_result_free(&result);
    return status;
}

static int run(struct args *args, struct hagg_err *err)
{
    struct plan plan;
    struct model model;
    const char *path = args->file ? args->file : cli_options_plan(&args->common);
    int status = plan_load(&plan, path ? path : "-", err);

    if (status)
        return -1;
    status = model_build_sums(&model, &plan, args->max_terms, err);
    if (status == 0) {
        if (args->time_limit > 0)
            model.deadline = deadline_now() + args->time_limit;
        args->audit.progress = cli_progress_begin(&args->progress, args->common.progress);
        args->progress.progress.in_bytes = false;
        status = cli_options_pool(&args->common, &args->audit.pool, err);
        if (status == 0)
            status = args->max ? audit_output_max(&args->output, &plan, &model, &args->audit, err)
                               : audit(args, &plan, &model, err);
        parallel_free(args->audit.pool);
        cli_progress_end(&args->progress);
        model_free(&model);
    }
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct args args = { .max_terms = MODEL_BUILD_TERMS,
                         .audit = {
                             .max_leaks = 20, .max_columns = LEARNT_COLUMNS, .n_verify = 8 } };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&argp, argc, argv, &args);
    status = run(&args, &err);
    rangeset_free(&args.colluders.clients);
    rangeset_free(&args.colluders.stations);
    rangeset_free(&args.colluders.relays);
    rangeset_free(&args.colluders.missing);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
