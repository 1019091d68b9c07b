#include "share_args.h"

#include <string.h>

#include "plan/plan_digest.h"

enum {
    KEY_CLIENTS = CLI_FIRST_OWN,
    KEY_KEY,
    KEY_SAMPLES,
    KEY_SAMPLES_FILE,
    KEY_CLIP,
    KEY_FIELD,
    KEY_SCHEME,
    KEY_QUANTIZE,
    KEY_AGAIN,
    KEY_PLAN_DIGEST,
    KEY_MISSING,
    KEY_NO_SEEDS,
};

static const struct argp_option options[] = {
    CLI_OPTION_PLAN,
    CLI_OPTION_CLIENT,
    { "clients", KEY_CLIENTS, "CLIENTS", 0,
      "Act as each of these clients, for instance 1-5,7 or all; {} in the names of inputs is "
      "replaced with the number of the client",
      0 },
    CLI_OPTION_ROUND,
    { "plan-digest", KEY_PLAN_DIGEST, "SHA256", 0, "Refuse a plan that does not have this digest",
      0 },
    { "missing", KEY_MISSING, "STATIONS", 0,
      "These stations are missing, so records that a courier passes on go through another one", 0 },
    { "no-seeds", KEY_NO_SEEDS, NULL, 0,
      "Refuse a plan under which the privacy of the client is computational only", 0 },
    CLI_OPTION_IDENTITY,
    CLI_OPTION_UNSAFE_PLAN,
    CLI_OPTIONS_STATE,
    { "again", KEY_AGAIN, NULL, 0, "Share a vector that was already shared in another round", 0 },
    { "key", KEY_KEY, "KEY", 0, "With protocol keys: add the key in KEY to the vector", 0 },
    { "samples", KEY_SAMPLES, "COUNT", 0,
      "Share COUNT, the number of samples, as one more element of the vector", 0 },
    { "samples-file", KEY_SAMPLES_FILE, "FILE", 0,
      "The same, with the number in FILE, which contains nothing else", 0 },
    { "clip", KEY_CLIP, NULL, 0, "Clip values that are too large instead of refusing the vector",
      0 },
    { "quiet", 'q', NULL, 0,
      "Do not report seeds, clipped elements, or shares that are longer than necessary", 0 },
    { NULL, 'n', "N", 0, "Without a plan: make N shares", 1 },
    { NULL, 'k', "K", 0, "Without a plan: any K shares are enough to decode the vector", 1 },
    { NULL, 'z', "Z", 0, "Without a plan: any Z shares reveal nothing", 1 },
    { "field", KEY_FIELD, "FIELD", 0, "Without a plan: use this field (default: m31)", 1 },
    { "scheme", KEY_SCHEME, "SCHEME", 0, "Without a plan: use this scheme (default: ramp)", 1 },
    { "quantize", KEY_QUANTIZE, "SPEC", 0,
      "Without a plan: quantise real numbers, for instance with bits=16,clip=1.0", 1 },
    CLI_OPTION_TYPE("The type of the numbers"),
    CLI_OPTION_FORMAT("The format of the vector"),
    CLI_OPTION_OUTPUT(
        "Write the shares to FILE; {} is replaced with the number of the station or holder, and "
        "{client} with that of the client"),
    CLI_OPTION_RANDOM_SOURCE,
    CLI_OPTION_JSON,
    CLI_OPTION_THREADS,
    CLI_OPTIONS_PROGRESS,
    { 0 },
};

static bool is_standard_input(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Checks the combination of options. */
static void check(const struct argp_state *state, const struct share_args *args)
{
    const struct client_options *c = &args->client;
    bool numbers = c->n > 0 || c->k > 0 || args->has_z;
    bool plain = numbers || args->field || args->scheme || args->quantize;
    bool many = cli_nodes_given(&args->clients);
    bool from_stdin = !args->file || is_standard_input(args->file);

    /* -n, -k and -z override HAGG_PLAN, but not --plan */
    if (plain && cli_options_plan(&args->common) && (args->common.plan || !numbers))
        argp_error(state, "-n, -k, -z, --field, --scheme and --quantize are set by the plan: omit "
                          "them, or use --plan '' to share without a plan");
    if (plain && (c->key || args->has_digest || c->missing || c->no_seeds))
        argp_error(state, "%s requires a plan",
                   c->key             ? "--key"
                   : args->has_digest ? "--plan-digest"
                   : c->missing       ? "--missing"
                                      : "--no-seeds");
    if (plain && (c->n == 0 || c->k == 0 || !args->has_z))
        argp_error(state, "without a plan, -n, -k and -z are required");
    if (!plain && !cli_options_plan(&args->common))
        argp_error(state, "use --plan (or HAGG_PLAN), or -n, -k and -z");
    if (!plain && ((args->common.client == 0) == !many || !args->common.has_round))
        argp_error(state, "with a plan, --round and either --client or --clients are required");
    if (plain && many)
        argp_error(state, "--clients requires a plan");
    if (many && args->common.random_source)
        argp_error(state, "--random-source is for one client: use --client");
    if (is_standard_input(c->key) && from_stdin)
        argp_error(state, "key and vector cannot both be read from standard input");
    if (is_standard_input(args->samples_file) && (from_stdin || is_standard_input(c->key)))
        argp_error(state,
                   "the sample count and another input cannot both be read from standard input");
    if (c->has_samples && args->samples_file)
        argp_error(state, "--samples and --samples-file both set the sample count: omit one");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct share_args *args = state->input;
    struct client_options *c = &args->client;

    switch (key) {
    case KEY_CLIENTS:
        cli_nodes_parse(state, "--clients", arg, &args->clients);
        return 0;
    case KEY_KEY:
        c->key = arg;
        return 0;
    case KEY_SAMPLES:
        c->has_samples = true;
        c->samples = cli_options_number(state, "--samples", arg, 0, INT64_MAX);
        return 0;
    case KEY_SAMPLES_FILE:
        args->samples_file = arg;
        return 0;
    case 'q':
        args->quiet = true;
        return 0;
    case KEY_NO_SEEDS:
        args->client.no_seeds = true;
        return 0;
    case KEY_AGAIN:
        c->again = true;
        return 0;
    case KEY_CLIP:
        c->clip = true;
        return 0;
    case 'n':
        c->n = (uint32_t)cli_options_number(state, "-n", arg, 1, LIMIT_HOLDERS);
        return 0;
    case 'k':
        c->k = (uint32_t)cli_options_number(state, "-k", arg, 1, LIMIT_HOLDERS);
        return 0;
    case 'z':
        c->z = (uint32_t)cli_options_number(state, "-z", arg, 0, LIMIT_HOLDERS);
        args->has_z = true;
        return 0;
    case KEY_FIELD:
        args->field = arg;
        return 0;
    case KEY_SCHEME:
        args->scheme = arg;
        return 0;
    case KEY_QUANTIZE:
        args->quantize = arg;
        return 0;
    case KEY_PLAN_DIGEST:
        args->has_digest = true;
        if (plan_digest_parse(args->digest, arg))
            argp_error(state,
                       "--plan-digest must be the 64 hexadecimal digits that hagg-plan "
                       "--digest prints, not '%s'",
                       arg);
        return 0;
    case KEY_MISSING:
        cli_options_set(state, "--missing", arg, &args->missing);
        c->missing = &args->missing;
        return 0;
    case ARGP_KEY_ARG:
        if (args->file)
            argp_error(state, "only one vector is accepted: '%s' is extra", arg);
        args->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->common.identity && strcmp(args->common.identity, "-") == 0 &&
            (!args->file || strcmp(args->file, "-") == 0))
            argp_error(state, "standard input is either the private key or the vector: name a file "
                              "for one of them");
        check(state, args);
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

const struct argp share_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[VECTOR]",
    .doc = "Quantise a vector and split it into shares.\vWith no VECTOR, or when VECTOR is -, read "
           "standard input.",
};
