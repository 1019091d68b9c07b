#include "audit_args.h"

enum {
    KEY_COLLUDERS = CLI_FIRST_OWN,
    KEY_COLLUDE,
    KEY_MAX,
    KEY_BEYOND,
    KEY_SAMPLE,
    KEY_SEED,
    KEY_LIMIT,
    KEY_MAX_TERMS,
    KEY_TIME_LIMIT,
    KEY_VERIFY,
    KEY_JSON,
    KEY_FORMS,
    KEY_REPORT,
    KEY_REQUIRE
};

static const struct argp_option options[] = {
    { "colluders", KEY_COLLUDERS, "WHO", 0,
      "Audit only this coalition, as in stations=2,5,clients=3,federator", 0 },
    { "collude", KEY_COLLUDE, "WHO", OPTION_HIDDEN, NULL, 0 }, /* must not mean --colluders */
    { "max", KEY_MAX, NULL, 0,
      "Report the largest numbers of clients, stations and relays that may collude without a leak",
      0 },
    { "beyond", KEY_BEYOND, "N", 0,
      "Report how much up to N more stations or relays learn than may collude in the plan", 0 },
    { "require", KEY_REQUIRE, "CONDITIONS", 0,
      "Fail if the plan is weaker than this, as in 'stations>=1 clients>=1 minimum>=5'", 0 },
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

static void parse_colluders(const struct argp_state *state, char *arg, struct audit_colluders *c)
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
    struct audit_args *args = state->input;
    struct hagg_err err = { 0 };

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
    case KEY_BEYOND:
        args->beyond = (uint32_t)cli_options_number(state, "--beyond", arg, 1, UINT32_MAX);
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
    case KEY_REQUIRE:
        if (require_parse(&args->required, arg, &err))
            argp_error(state, "--require: %s", err.text);
        args->output.required = &args->required;
        return 0;
    case ARGP_KEY_ARG:
        if (args->file)
            argp_error(state, "only one plan is accepted: '%s' is extra", arg);
        args->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->max + args->colluders.given + (args->audit.n_samples > 0) > 1)
            argp_error(state, "use only one of --colluders, --max and --sample");
        if (args->beyond > 0 && (args->max || args->colluders.given))
            argp_error(state, "--beyond is about the whole plan: omit --colluders and --max");
        if ((args->output.report || args->required.n > 0) && (args->max || args->colluders.given))
            argp_error(state, "%s is about the whole plan: omit --colluders and --max",
                       args->output.report ? "--report" : "--require");
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

const struct argp audit_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PLAN]",
    .doc =
        "Prove that a plan is private, or show who learns what.\vWith no PLAN, read the plan that "
        "$HAGG_PLAN names, or else standard input. When PLAN is -, read standard input.",
};

void audit_args_free(struct audit_args *args)
{
    rangeset_free(&args->colluders.clients);
    rangeset_free(&args->colluders.stations);
    rangeset_free(&args->colluders.relays);
    rangeset_free(&args->colluders.missing);
    require_free(&args->required);
}
