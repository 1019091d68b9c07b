#include <sys/stat.h>

#include "cli.h"
#include "dot/dot.h"
#include "round/deliveries.h"
#include "round/node_dirs.h"
#include "round_args.h"

/* Checks that the round can take place, and draws it. */
static int draw(const struct plan *plan, const struct protocol_presence *presence, struct text *out,
                struct hagg_err *err)
{
    struct deliveries d;

    if (deliveries_new(&d, plan, presence, err))
        return -1;
    deliveries_free(&d);
    return dot_print(plan, presence, out, err);
}

static int emit(const struct round_args *args, struct text *out, struct hagg_err *err)
{
    struct round round;
    int status;

    if (round_new(&round, &args->round, err))
        return -1;
    status = args->emit(&round, out, err);
    round_free(&round);
    return status;
}

static int run(struct round_args *args, struct hagg_err *err)
{
    struct round_options *o = &args->round;
    struct plan plan;
    struct text out = { 0 };
    int status;

    if (args->prepare)
        return node_dirs_prepare(args->prepare, args->inbox, err);
    if (plan_load(&plan, o->plan_path, err))
        return -1;
    o->plan = &plan;
    status = args->dot ? draw(&plan, &o->presence, &out, err) : emit(args, &out, err);
    if (status == 0)
        status = cli_print(&out, err);
    text_free(&out);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct round_args args = { .inbox = S_IRWXU };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&round_argp, argc, argv, &args);
    args.round.plan_path = cli_options_plan(&args.common);
    args.round.number = args.common.round;
    args.round.type = args.common.type;
    args.round.format = args.common.format;
    args.round.result = args.common.output;
    args.round.state = args.common.state;
    args.round.unsafe_plan = args.common.unsafe_plan;
    args.round.presence.missing[0] = &args.stations_gone;
    args.round.presence.missing[1] = &args.relays_gone;
    args.round.presence.prefixes = true;
    status = run(&args, &err);
    rangeset_free(&args.clients);
    rangeset_free(&args.stations_gone);
    rangeset_free(&args.relays_gone);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
