#include "cli_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "cli.h"
#include "cli_complete.h"
#include "vector/vector.h"

const char *cli_options_plan(const struct cli_options *o)
{
    const char *plan = o->plan ? o->plan : getenv("HAGG_PLAN");

    return plan && *plan ? plan : NULL;
}

const char *const *cli_options_files(const struct cli_options *o, size_t *n)
{
    static const char *const standard_input[] = { "-" };

    *n = o->n_files > 0 ? o->n_files : 1;
    return o->n_files > 0 ? o->files : standard_input;
}

int cli_options_pool(const struct cli_options *o, struct parallel **pool, struct hagg_err *err)
{
    *pool = NULL;
    if (o->threads < 2)
        return 0;
    *pool = parallel_new(o->threads, err);
    return *pool ? 0 : -1;
}

/* Parses decimal digits; *end points after them. Returns false if there are none, or if the number
 * is above max. */
static bool read_digits(const char *text, uint64_t max, uint64_t *value, const char **end)
{
    uint64_t v = 0;
    const char *c = text;

    for (; *c >= '0' && *c <= '9'; c++) {
        unsigned digit = (unsigned)(*c - '0');

        if (v > (max - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    *end = c;
    return c > text;
}

uint64_t cli_options_number(const struct argp_state *state, const char *option, const char *arg,
                            uint64_t min, uint64_t max)
{
    const char *end;
    uint64_t value = 0;

    if (!read_digits(arg, max, &value, &end) || *end || value < min)
        argp_error(state, "%s must be a number from %llu to %llu, not '%s'", option,
                   (unsigned long long)min, (unsigned long long)max, arg);
    return value;
}

double cli_options_seconds(const struct argp_state *state, const char *option, const char *arg)
{
    char *end;
    double seconds = strtod(arg, &end);

    if (end == arg || *end || !(seconds > 0 && seconds < 1e9))
        argp_error(state, "%s must be a positive number of seconds, not '%s'", option, arg);
    return seconds;
}

/* Parses the next range of "1-5,7" at *at, and advances *at to the one after it. */
static void parse_range(const struct argp_state *state, const char *option, const char *arg,
                        const char **at, uint64_t *first, uint64_t *last)
{
    bool right = read_digits(*at, UINT32_MAX, first, at);

    *last = *first;
    if (right && **at == '-')
        right = read_digits(*at + 1, UINT32_MAX, last, at);
    right = right && *first > 0 && *first <= *last;
    if (right && strspn(*at, ", \t") > 0) {
        *at += strspn(*at, ", \t");
        right = **at != 0;
    } else
        right = right && !**at;
    if (!right)
        argp_error(state, "%s must be numbers and ranges such as 1-5,7, not '%s'", option, arg);
}

unsigned cli_options_choice(const struct argp_state *state, const char *option, const char *arg,
                            const char *const *words)
{
    struct text list = { 0 };
    unsigned n = 0;

    if (cli_complete_offer(words, false))
        return 0;
    for (; words[n]; n++)
        if (strcmp(arg, words[n]) == 0)
            return n;
    text_choices(&list, words);
    argp_error(state, "%s must be %s, not '%s'", option, text_ok(&list) ? list.bytes : "another",
               arg);
    text_free(&list);
    return 0;
}

static void parse_set(const struct argp_state *state, const char *option, const char *arg,
                      bool distinct, struct rangeset *set)
{
    const char *at = arg;
    struct hagg_err err;
    uint64_t first, last;

    do {
        parse_range(state, option, arg, &at, &first, &last);
        if (distinct && rangeset_overlap(set, (uint32_t)first, (uint32_t)last) > 0)
            argp_error(state, "%s: '%s' contains a number twice", option, arg);
        if (rangeset_add(set, (uint32_t)first, (uint32_t)last, &err))
            argp_failure(state, HAGG_E_SYSTEM, 0, "%s", err.text);
    } while (*at);
}

void cli_options_set(const struct argp_state *state, const char *option, const char *arg,
                     struct rangeset *set)
{
    parse_set(state, option, arg, false, set);
}

void cli_options_distinct(const struct argp_state *state, const char *option, const char *arg,
                          struct rangeset *set)
{
    parse_set(state, option, arg, true, set);
}

error_t cli_options_parse(int key, char *arg, struct argp_state *state, struct cli_options *o)
{
    struct hagg_err err;

    switch (key) {
    case ARGP_KEY_ARGS:
        o->files = (const char *const *)state->argv + state->next;
        o->n_files = (size_t)(state->argc - state->next);
        return 0;
    case CLI_PLAN:
        o->plan = arg;
        return 0;
    case CLI_CLIENT:
        o->client = (uint32_t)cli_options_number(state, "--client", arg, 1, LIMIT_NUMBER);
        return 0;
    case CLI_ROUND:
        o->round = cli_options_number(state, "--round", arg, 0, LIMIT_ROUND);
        o->has_round = true;
        return 0;
    case CLI_UNSAFE_PLAN:
        o->unsafe_plan = true;
        return 0;
    case CLI_RANDOM_SOURCE:
        o->random_source = arg;
        return 0;
    case CLI_TYPE:
        if (!cli_complete_offer(vector_types, false) && vector_check_names(NULL, arg, &err))
            argp_error(state, "%s", err.text);
        o->type = arg;
        return 0;
    case CLI_FORMAT:
        if (!cli_complete_offer(vector_formats, false) && vector_check_names(arg, NULL, &err))
            argp_error(state, "%s", err.text);
        o->format = arg;
        return 0;
    case CLI_PROGRESS:
        o->progress = CLI_PROGRESS_ON;
        return 0;
    case CLI_NO_PROGRESS:
        o->progress = CLI_PROGRESS_OFF;
        return 0;
    case CLI_THREADS:
        o->threads = (unsigned)cli_options_number(state, "--threads", arg, 1, 256);
        return 0;
    case CLI_IDENTITY:
        o->identity = arg;
        return 0;
    case CLI_ROSTER:
        o->roster = arg;
        return 0;
    case 'j':
        cli_json_begin();
        return 0;
    case 'o':
        o->output = arg;
        return 0;
    case CLI_STATE:
        if (!*arg)
            argp_error(state, "--state must not be empty: use --no-state to remember nothing");
        o->state = arg;
        break;
    case CLI_NO_STATE:
        o->no_state = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (o->state && o->no_state)
        argp_error(state, "use --state or --no-state, not both");
    return 0;
}

uint32_t cli_options_list(const struct argp_state *state, const char *option, const char *arg,
                          uint64_t **numbers)
{
    struct rangeset seen = { 0 };
    const char *at = arg;
    uint32_t n = 0;

    *numbers = calloc(LIMIT_HOLDERS, sizeof **numbers);
    while (*numbers && *at) {
        uint64_t first, last;

        parse_range(state, option, arg, &at, &first, &last);
        for (uint64_t i = first; i <= last; i++) {
            struct hagg_err err;

            if (n == LIMIT_HOLDERS || rangeset_overlap(&seen, (uint32_t)i, (uint32_t)i) > 0 ||
                rangeset_add(&seen, (uint32_t)i, (uint32_t)i, &err))
                argp_error(state, "%s: '%s' contains a number twice, or too many numbers", option,
                           arg);
            (*numbers)[n++] = i;
        }
    }
    rangeset_free(&seen);
    if (n == 0)
        argp_error(state, "%s must be numbers and ranges such as 1-5,7", option);
    return n;
}

unsigned cli_options_sets(const struct argp_state *state, const char *option, char *arg,
                          const char *const *names, struct rangeset *const *sets)
{
    struct hagg_err err = { 0 };
    struct pair pair;
    unsigned seen = 0;

    if (cli_complete_offer(names, true))
        return 1;
    while (pairs_next(&arg, &pair)) {
        int i = pairs_find(&pair, names, &err);

        if (i < 0)
            argp_error(state, "%s: %s", option, err.text);
        if (pair.value)
            cli_options_set(state, option, pair.value, sets[i]);
        seen |= 1u << i;
    }
    return seen;
}

void cli_options_without(const struct argp_state *state, char *arg, struct rangeset *stations,
                         struct rangeset *relays)
{
    static const char *const names[] = { "stations=", "relays=", NULL };

    if (!cli_options_sets(state, "--without", arg, names,
                          (struct rangeset *const[]){ stations, relays }))
        argp_error(state, "--without needs stations=SET, relays=SET or both");
}
