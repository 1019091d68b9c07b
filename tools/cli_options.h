/*
 * cli_options.h - options that several commands have, and checks of their values.
 */
#ifndef HAGG_CLI_OPTIONS_H
#define HAGG_CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli_progress.h"
#include "base/parallel.h"
#include "plan/plan.h"
#include "base/rangeset.h"
#include "state/state.h"

/* Keys of long options, above all characters. */
enum cli_key {
    CLI_PLAN = 256,
    CLI_CLIENT,
    CLI_ROUND,
    CLI_UNSAFE_PLAN,
    CLI_RANDOM_SOURCE,
    CLI_TYPE,
    CLI_FORMAT,
    CLI_THREADS,
    CLI_PROGRESS,
    CLI_NO_PROGRESS,
    CLI_STATE,
    CLI_NO_STATE,
    CLI_ROSTER,
    CLI_IDENTITY,
    CLI_FIRST_OWN, /* the first key for a command's own options */
};

#define CLI_OPTION_PLAN                                                                            \
    {                                                                                              \
        "plan", CLI_PLAN, "PLAN", 0,                                                               \
            "Read the plan or topology from PLAN (default: $HAGG_PLAN; an empty name means no "    \
            "plan)",                                                                               \
            0                                                                                      \
    }
#define CLI_OPTION_CLIENT                                                                          \
    {                                                                                              \
        "client", CLI_CLIENT, "CLIENT", 0, "Act as this client of the plan", 0                     \
    }
#define CLI_OPTION_ROUND                                                                           \
    {                                                                                              \
        "round", CLI_ROUND, "ROUND", 0, "The number of the round, 0 or greater", 0                 \
    }
#define CLI_OPTION_ROSTER                                                                          \
    {                                                                                              \
        "roster", CLI_ROSTER, "ROSTER", 0, "The clients and the round are those in ROSTER", 0      \
    }
#define CLI_OPTION_IDENTITY                                                                        \
    {                                                                                              \
        "identity", CLI_IDENTITY, "PEM", 0,                                                        \
            "The private key of the node, for a plan with identities (default: $HAGG_IDENTITY); "  \
            "{tier} and {} are replaced with the tier and number of the node",                     \
            0                                                                                      \
    }
#define CLI_OPTION_UNSAFE_PLAN                                                                     \
    {                                                                                              \
        "unsafe-plan", CLI_UNSAFE_PLAN, NULL, 0,                                                   \
            "Accept a plan that reveals more than the total to a single node, or to the "          \
            "federator and colluding clients",                                                     \
            0                                                                                      \
    }
#define CLI_OPTION_RANDOM_SOURCE                                                                   \
    {                                                                                              \
        "random-source", CLI_RANDOM_SOURCE, "FILE", 0,                                             \
            "Read random bytes from FILE instead of using the random generator", 0                 \
    }
#define CLI_OPTION_TYPE(what)                                                                      \
    {                                                                                              \
        "type", CLI_TYPE, "TYPE", 0, what ": f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8", 2          \
    }
#define CLI_OPTION_FORMAT(what)                                                                    \
    {                                                                                              \
        "format", CLI_FORMAT, "FORMAT", 0, what ": npy, raw or text", 2                            \
    }
#define CLI_OPTION_THREADS                                                                         \
    {                                                                                              \
        "threads", CLI_THREADS, "N", 0, "Use N threads (default: 1)", 3                            \
    }
#define CLI_OPTIONS_PROGRESS                                                                       \
    { "progress",                                                                                  \
      CLI_PROGRESS,                                                                                \
      NULL,                                                                                        \
      0,                                                                                           \
      "Show progress if the work takes more than a second (default on a terminal)",                \
      3 },                                                                                         \
    {                                                                                              \
        "no-progress", CLI_NO_PROGRESS, NULL, 0, "Do not show progress", 3                         \
    }
#define CLI_OPTION_JSON                                                                            \
    {                                                                                              \
        "json", 'j', NULL, 0,                                                                      \
            "Print messages and facts about the run as one JSON object on standard error, at the " \
            "end",                                                                                 \
            3                                                                                      \
    }
#define CLI_OPTIONS_STATE                                                                          \
    { "state",                                                                                     \
      CLI_STATE,                                                                                   \
      "DIRECTORY",                                                                                 \
      0,                                                                                           \
      "Remember in DIRECTORY what was done (default: $HAGG_STATE, or hagg in $XDG_STATE_HOME or "  \
      "~/.local/state)",                                                                           \
      0 },                                                                                         \
    {                                                                                              \
        "no-state", CLI_NO_STATE, NULL, 0,                                                         \
            "Remember nothing, so that a second total of a round is not refused", 0                \
    }
#define CLI_OPTION_OUTPUT(what)                                                                    \
    {                                                                                              \
        "output", 'o', "FILE", 0, what, 0                                                          \
    }

/* Values of the options. */
struct cli_options {
    const char *plan;     /* file, or NULL */
    uint32_t client;      /* 0 if not given */
    const char *roster;   /* file, or NULL */
    const char *identity; /* file, or NULL */
    bool makes_identity;  /* True if the command makes that file. */
    bool unsafe_plan;
    bool has_round;
    uint64_t round;
    const char *random_source;
    const char *type, *format; /* of vectors */
    enum cli_progress_mode progress;
    unsigned threads;         /* 0 if not given, which means one */
    const char *output;       /* NULL if not given: standard output, unless it is a terminal */
    const char *const *files; /* operands, of a command that reads any number of files */
    size_t n_files;
    const char *state; /* directory, or NULL */
    bool no_state;
};

/* Parses one of the options above; ARGP_ERR_UNKNOWN for any other key. */
error_t cli_options_parse(int key, char *arg, struct argp_state *state, struct cli_options *o);

/* Returns the plan given by option or environment; NULL if there is none. */
const char *cli_options_plan(const struct cli_options *o);

/* Returns the files to be read, and how many there are: standard input if none is given. */
const char *const *cli_options_files(const struct cli_options *o, size_t *n);

/* Makes a pool with the requested number of threads; *pool is NULL for one thread. */
int cli_options_pool(const struct cli_options *o, struct parallel **pool, struct hagg_err *err);

struct runs;
struct cli_identity;

/* If there is a roster, adds its clients to the set, sets *clients to the set, sets the round and
 * the runs, and enters the clients into the state. plan and runs may be NULL. HAGG_E_USAGE if
 * *clients is already set or there is no plan; HAGG_E_MISMATCH if the roster is of another plan, or
 * of another round than the options. */
int cli_options_roster(struct cli_options *o, const struct plan *plan, struct rangeset *set,
                       const struct rangeset **clients, struct runs *runs,
                       struct cli_identity *identity, struct state *state, struct hagg_err *err);

/* Parses the value of an option as a number from min to max. This and the functions below exit with
 * a usage error if the value is wrong. */
uint64_t cli_options_number(const struct argp_state *state, const char *option, const char *arg,
                            uint64_t min, uint64_t max);

/* Parses a positive number of seconds. */
double cli_options_seconds(const struct argp_state *state, const char *option, const char *arg);

/* Returns the index of arg in words, which end with NULL; there are at least two. */
unsigned cli_options_choice(const struct argp_state *state, const char *option, const char *arg,
                            const char *const *words);

/* Parses a set such as "1-5,7". */
void cli_options_set(const struct argp_state *state, const char *option, const char *arg,
                     struct rangeset *set);

/* The same; a number that is there twice is a usage error. */
void cli_options_distinct(const struct argp_state *state, const char *option, const char *arg,
                          struct rangeset *set);

/* Parses "stations=3,relays=1,4", with commas or blanks; modifies arg. names are as in pairs.h. The
 * set given for names[i] is added to *sets[i]; a name without a value has no set. Returns a bit for
 * each name that was present. */
unsigned cli_options_sets(const struct argp_state *state, const char *option, char *arg,
                          const char *const *names, struct rangeset *const *sets);

/* Parses the value of --without; modifies arg. */
void cli_options_without(const struct argp_state *state, char *arg, struct rangeset *stations,
                         struct rangeset *relays);

/* Parses a list such as 3,1-2 into distinct numbers in the given order, at most LIMIT_HOLDERS.
 * *numbers is malloc'ed for the caller. Returns how many there are. */
uint32_t cli_options_list(const struct argp_state *state, const char *option, const char *arg,
                          uint64_t **numbers);

#endif
