#include "aggregate_pass_on.h"

#include "aggregate/pass_on.h"
#include "cli.h"
#include "cli_facts.h"
#include "protocol/node.h"
#include "records/describe.h"

void aggregate_pass_on_check(const struct argp_state *state, const struct cli_options *common,
                             const struct aggregate_options *o)
{
    if (!cli_options_plan(common) || o->station == 0)
        argp_error(state, "--pass-on requires --plan (or HAGG_PLAN) and --station");
    if (o->relay > 0 || o->clients || o->only || o->dealers || o->via > 0 || o->missing ||
        o->skip_incomplete || common->roster || common->identity)
        argp_error(state, "--pass-on opens no record and adds nothing up: omit --relay, --clients, "
                          "--roster, --identity, --only, --dealers, --via, --missing and "
                          "--skip-incomplete");
}

static void report(struct pass_on *p, const struct cli_options *o)
{
    const struct pass_on_report *r = pass_on_report(p);
    struct json *j = cli_json();

    if (r->n_records == 0)
        cli_note("nothing to pass on: no record of the input is for another station");
    if (!j)
        return;
    cli_facts_round(o, r->has_round, r->round);
    cli_facts_set("clients", &r->clients);
    json_uint(j, "passed_on", r->n_records);
    json_open(j, "to", '{');
    describe_ranges_json(j, "stations", r->stations.ranges, r->stations.n);
    json_close(j, '}');
    cli_facts_output(o);
}

static int copy(const struct cli_options *o, const struct pass_on_options *options,
                struct hagg_err *err)
{
    struct pass_on *p = pass_on_new(options, err);
    size_t n_files;
    const char *const *files = cli_options_files(o, &n_files);
    int status = p ? 0 : -1;

    for (size_t i = 0; i < n_files && status == 0; i++)
        status = pass_on_add(p, files[i], err);
    if (status)
        outfiles_cut(options->out);
    else
        status = outfiles_publish(options->out, err);
    if (status == 0)
        report(p, o);
    pass_on_free(p);
    return status;
}

static void report_given(const struct plan *plan, const struct cli_options *o, uint32_t station)
{
    struct header_node node = node_in_header((struct node){ NODE_STATION, station });

    if (!cli_json())
        return;
    cli_facts_given(plan, o);
    describe_node_json(cli_json(), "node", &node);
}

int aggregate_pass_on(const struct cli_options *o, uint32_t station, struct hagg_err *err)
{
    struct pass_on_options options = { .station = station };
    struct plan plan;
    int status = -1;

    if (plan_load(&plan, cli_options_plan(o), err))
        return -1;
    options.plan = &plan;
    if (o->has_round)
        options.round = &o->round;
    if (plan_check_nodes(&plan, station, 0, err) == 0 &&
        (options.out = outfiles_new(o->output ? o->output : "-", o->output != NULL, err)))
        status = copy(o, &options, err);
    report_given(&plan, o, station);
    outfiles_free(options.out);
    plan_free(&plan);
    return status;
}
