#include "round_part.h"

#include <string.h>
#include <time.h>

void round_part_node(const struct argp_state *state, const char *arg, struct round_args *args)
{
    static const char *const tiers[] = { "client", "station", "relay" };
    size_t len;

    args->node = NODE_THE_FEDERATOR;
    args->round.node = &args->node;
    if (strcmp(arg, "federator") == 0)
        return;
    for (size_t i = 0; i < 3; i++) {
        len = strlen(tiers[i]);
        if (strncmp(arg, tiers[i], len) == 0 && arg[len] == '=') {
            args->node.tier = (enum node_tier)i;
            args->node.number =
                (uint32_t)cli_options_number(state, "--node", arg + len + 1, 1, LIMIT_NUMBER);
            return;
        }
    }
    argp_error(state,
               "--node must be client=NUMBER, station=NUMBER, relay=NUMBER or federator, "
               "not '%s'",
               arg);
}

void round_part_deadline(const struct argp_state *state, const char *arg, struct round_args *args)
{
    struct tm time = { 0 }, same;
    int64_t seconds;
    const char *end = strptime(arg, "%Y-%m-%dT%H:%M", &time);

    if (end && *end == ':')
        end = strptime(end, ":%S", &time);
    same = time;
    seconds = timegm(&same);
    if (!end || strcmp(end, "Z") != 0 || seconds < 0 || same.tm_mday != time.tm_mday)
        argp_error(state, "--deadline must be a time in UTC such as 2026-02-06T06:00Z, not '%s'",
                   arg);
    args->round.deadline = seconds;
    args->round.has_deadline = true;
}

void round_part_check(const struct argp_state *state, const struct round_args *args)
{
    const struct round_options *r = &args->round;

    if (!r->node && (r->send || r->has_deadline || args->emit == emit_sh))
        argp_error(state, "--send, --deadline and --emit=sh need --node");
    if (!r->node)
        return;
    if (args->emit != emit_make && args->emit != emit_sh)
        argp_error(state, "--node needs --emit=make or --emit=sh");
    if (!r->send)
        argp_error(state, "--node needs --send");
    if (r->batch > 0)
        argp_error(state, "--node does not work with --batch");
}
