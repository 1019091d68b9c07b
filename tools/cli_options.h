/*
 * cli_options.h - options that several commands have, with their values checked.
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

/* Keys of long options, beyond all letters. */
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
    CLI_FIRST_OWN, /* of a command itself */
};

#define CLI_OPTION_PLAN                                                                            \
    {                                                                                              \
        "plan", CLI_PLAN, "FILE", 0,                                                               \
            "Read the plan or topology from FILE (default: $HAGG_PLAN; an empty name means no "    \
            "plan)",                                                                               \
            0                                                                                      \
    }
#define CLI_OPTION_CLIENT                                                                          \
    {                                                                                              \
        "client", CLI_CLIENT, "NUMBER", 0, "Act as this client of the plan", 0                     \
    }
#define CLI_OPTION_ROUND                                                                           \
    {                                                                                              \
        "round", CLI_ROUND, "NUMBER", 0, "The number of the round, 0 or greater", 0                \
    }
#define CLI_OPTION_UNSAFE_PLAN                                                                     \
    {                                                                                              \
        "unsafe-plan", CLI_UNSAFE_PLAN, NULL, 0,                                                   \
            "Under full collusion, accept a plan that reveals more than the sum to the federator " \
            "and colluding clients",                                                               \
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
#define CLI_OPTION_OUTPUT(what)                                                                    \
    {                                                                                              \
        "output", 'o', "FILE", 0, what, 0                                                          \
    }

/* What they say. */
struct cli_options {
    const char *plan; /* file, or NULL */
    uint32_t client;  /* 0: not given */
    bool unsafe_plan;
    bool has_round;
    uint64_t round;
    const char *random_source;
    const char *type, *format; /* of vectors */
    enum cli_progress_mode progress;
    unsigned threads;   /* 0: not given, which means one */
    const char *output; /* NULL: not given, which means standard output if that is no terminal */
};

/* Takes one of the options above; ARGP_ERR_UNKNOWN for any other key. */
error_t cli_options_parse(int key, char *arg, struct argp_state *state, struct cli_options *o);

/* The plan that was given, by option or by environment; NULL when none was. */
const char *cli_options_plan(const struct cli_options *o);

/* The threads that were asked for, or *pool = NULL for one. */
int cli_options_pool(const struct cli_options *o, struct parallel **pool, struct hagg_err *err);

/* The value of an option as a number between the two; otherwise a usage error, which exits. */
uint64_t cli_options_number(const struct argp_state *state, const char *option, const char *arg,
                            uint64_t min, uint64_t max);

/* The place of arg among words, which end with NULL and are at least two. */
unsigned cli_options_choice(const struct argp_state *state, const char *option, const char *arg,
                            const char *const *words);

/* "1-5,7" as a set; otherwise a usage error, which exits. */
void cli_options_set(const struct argp_state *state, const char *option, const char *arg,
                     struct rangeset *set);

/* "stations=3,relays=1,4" with commas or blanks, which is changed: the set of each name of pairs.h,
 * added to sets[its place]; a name without a value has none. Returns which were there, by bit. */
unsigned cli_options_sets(const struct argp_state *state, const char *option, char *arg,
                          const char *const *names, struct rangeset *const *sets);

/* The value of --without, which is changed. */
void cli_options_without(const struct argp_state *state, char *arg, struct rangeset *stations,
                         struct rangeset *relays);

/* A list such as 3,1-2 as numbers in the order given, none twice, at most LIMIT_HOLDERS, malloc'ed
 * for the caller. */
uint32_t cli_options_list(const struct argp_state *state, const char *option, const char *arg,
                          uint64_t **numbers);

#endif
