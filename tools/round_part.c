#include "round_part.h"

#include <string.h>
#include <time.h>

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
