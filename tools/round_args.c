#include "round_args.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_node.h"
#include "round_part.h"

enum {
    KEY_EMIT = CLI_FIRST_OWN,
    KEY_VECTORS,
    KEY_SAMPLES,
    KEY_WORKDIR,
    KEY_LENGTH,
    KEY_CLIENTS,
    KEY_WITHOUT,
    KEY_STAND_BY,
    KEY_CLIP,
    KEY_MEAN,
    KEY_AGAIN,
    KEY_PREPARE,
    KEY_INBOX,
    KEY_BATCH,
    KEY_IDENTITY,
    KEY_NODE,
    KEY_SEND,
    KEY_DEADLINE,
};

static const struct argp_option options[] = {
    { "emit", KEY_EMIT, "LANGUAGE", 0,
      "Write the round for make, parallel or slurm, or as a graph for dot; with --node, for make "
      "or sh",
      0 },
    CLI_OPTION_ROUND,
    { "vectors", KEY_VECTORS, "VECTOR", 0,
      "Read each client's vector from VECTOR, in which {} is the number of the client", 0 },
    { "workdir", KEY_WORKDIR, "DIRECTORY", 0, "Create the directories of the nodes below DIRECTORY",
      0 },
    CLI_OPTION_OUTPUT("Write the result to FILE (default: federator/total.npy in the directory of "
                      "the round)"),
    { "node", KEY_NODE, "NODE", 0,
      "Write only the part of one node: client=3, station=2, relay=1 or federator", 1 },
    { "send", KEY_SEND, "COMMAND", 0,
      "With --node: send files with this command of the shell, in which {file} is the file, {to} "
      "the receiver, such as station-2, and {name} the name of the copy in its directory in",
      1 },
    { "deadline", KEY_DEADLINE, "TIME", 0,
      "With --node: stations wait for clients until this time, such as 2026-02-06T06:00Z (default: "
      "until all clients have delivered)",
      1 },
    { "clients", KEY_CLIENTS, "CLIENTS", 0,
      "Only these clients take part, such as 1-5,7 (default: all)", 1 },
    { "without", KEY_WITHOUT, "NODES", 0,
      "Run the round without these stations and relays, such as stations=3,relays=1,4", 1 },
    { "stand-by", KEY_STAND_BY, NULL, 0,
      "With protocol aligned: stations whose sums are not needed make them, but do not send them",
      1 },
    { "batch", KEY_BATCH, "N", 0,
      "Let each job do the steps of N clients, for simulations (default: a job for each client)",
      1 },
    { "state", CLI_STATE, "DIRECTORY", 0,
      "Let the commands remember in DIRECTORY what they did (default: their own default)", 1 },
    { "identity", KEY_IDENTITY, "PEM", 0,
      "The private key of each node is in the file PEM, in which {tier} is its tier and {} its "
      "number",
      1 },
    CLI_OPTION_UNSAFE_PLAN,
    { "length", KEY_LENGTH, "N", 0,
      "The vectors have N elements (default: the length in the plan, or else the length of the "
      "first client's vector)",
      2 },
    { "samples", KEY_SAMPLES, "FILE", 0,
      "Read each client's sample count from FILE, in which {} is the number of the client", 2 },
    CLI_OPTION_TYPE("The type of the numbers"),
    CLI_OPTION_FORMAT("The format of the vectors"),
    { "clip", KEY_CLIP, NULL, 0, "Clip values that are too large instead of refusing the vector",
      2 },
    { "again", KEY_AGAIN, NULL, 0, "Share vectors that were already shared in another round", 2 },
    { "mean", KEY_MEAN, NULL, 0, "Decode the mean instead of the sum", 2 },
    { "prepare", KEY_PREPARE, "DIRECTORY", 0,
      "Write no round: create or check DIRECTORY, the directory of a node, with in, out and "
      "private",
      3 },
    { "inbox", KEY_INBOX, "MODE", 0,
      "With --prepare: the mode of a new directory in (default: " ROUND_INBOX ")", 3 },
    { 0 },
};

static const char *const languages[] = { "make", "sh", "parallel", "slurm", "dot", NULL };
static int (*const emitters[])(const struct round *r, struct text *out, struct hagg_err *err) = {
    emit_make, emit_sh, emit_parallel, emit_slurm, NULL,
};

/* Parses a mode for an inbox. Without the sticky bit, others could replace the files in it. */
static mode_t parse_inbox(const struct argp_state *state, const char *arg)
{
    char *end;
    unsigned long mode = strtoul(arg, &end, 8);

    if (strspn(arg, "01234567") < 3 || strlen(arg) > 5 || *end || mode > 07777 ||
        (mode & S_IRWXU) != S_IRWXU || ((mode & (S_IWGRP | S_IWOTH)) && !(mode & S_ISVTX)))
        argp_error(state,
                   "--inbox must be an octal mode with all permissions for the owner, and with the "
                   "sticky bit if others can write, such as 0700 or 3733, not '%s'",
                   arg);
    return (mode_t)mode;
}

static void check(const struct argp_state *state, struct round_args *args)
{
    const struct round_options *r = &args->round;
    bool needs_vectors = !r->node || r->node->tier == NODE_CLIENT;

    if (args->prepare && (args->emit || args->dot || args->common.plan))
        argp_error(state, "--prepare does not write a round: omit --emit and the plan");
    if (args->prepare)
        return;
    if (!cli_options_plan(&args->common))
        argp_error(state, "a plan is required: name one, or set HAGG_PLAN");
    round_part_check(state, args);
    if (!args->dot &&
        (!args->emit || !args->common.has_round || !r->directory || (needs_vectors && !r->vectors)))
        argp_error(state, needs_vectors ? "--emit, --round, --vectors and --workdir are required"
                                        : "--emit, --round and --workdir are required");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct round_args *args = state->input;
    struct round_options *r = &args->round;

    switch (key) {
    case KEY_EMIT:
        args->emit = emitters[cli_options_choice(state, "--emit", arg, languages)];
        args->dot = !args->emit;
        return 0;
    case KEY_VECTORS:
        r->vectors = arg;
        return 0;
    case KEY_SAMPLES:
        r->samples = arg;
        return 0;
    case KEY_WORKDIR:
        r->directory = arg;
        return 0;
    case KEY_LENGTH:
        r->length = cli_options_number(state, "--length", arg, 1, LIMIT_LENGTH);
        return 0;
    case KEY_CLIENTS:
        cli_options_set(state, "--clients", arg, &args->clients);
        r->presence.clients = &args->clients;
        return 0;
    case KEY_BATCH:
        r->batch = (size_t)cli_options_number(state, "--batch", arg, 1, LIMIT_NUMBER);
        return 0;
    case KEY_IDENTITY:
        r->identity = arg;
        return 0;
    case KEY_NODE:
        args->node = cli_node_parse(state, "--node", arg);
        args->round.node = &args->node;
        return 0;
    case KEY_SEND:
        r->send = arg;
        return 0;
    case KEY_DEADLINE:
        round_part_deadline(state, arg, args);
        return 0;
    case KEY_WITHOUT:
        cli_options_without(state, arg, &args->stations_gone, &args->relays_gone);
        return 0;
    case KEY_STAND_BY:
        r->presence.stand_by = true;
        return 0;
    case KEY_CLIP:
        r->clip = true;
        return 0;
    case KEY_AGAIN:
        r->again = true;
        return 0;
    case KEY_MEAN:
        r->mean = true;
        return 0;
    case KEY_PREPARE:
        args->prepare = arg;
        return 0;
    case KEY_INBOX:
        args->inbox = parse_inbox(state, arg);
        return 0;
    case ARGP_KEY_ARG:
        if (args->common.plan)
            argp_error(state, "only one plan is accepted: '%s' is extra", arg);
        args->common.plan = arg;
        return 0;
    case ARGP_KEY_END:
        check(state, args);
        return 0;
    default:
        return cli_options_parse(key, arg, state, &args->common);
    }
}

const struct argp round_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PLAN]",
    .doc = "Write the commands of a round for make, parallel or Slurm, or of one node's part of it "
           "for "
           "make or sh.\vWith no PLAN, read the plan "
           "that $HAGG_PLAN names.",
};
