#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_confine.h"
#include "cli_facts.h"
#include "cli_identity.h"
#include "cli_state.h"
#include "plan/plan_digest.h"
#include "share/clients.h"
#include "share/samples_file.h"
#include "share_args.h"
#include "share_facts.h"
#include "topology/topology.h"

/* Prints what the user should know about the vectors. */
static void note(const struct share_args *args, const struct clients_report *report)
{
    unsigned long long n_clipped = report->all.n_clipped, filling = report->all.percent_filling;

    share_facts(args, report);
    if (report->readable)
        cli_note("%s", CLI_READABLE);
    if (report->all.n_computational > 0 && !args->quiet)
        cli_note("the privacy of %s is computational only, because shares are sent as seeds: see "
                 "'Computational privacy' in hagg-topology(5)",
                 args->common.client > 0 ? "this client" : "some clients");
    if (n_clipped > 0 && !args->quiet)
        cli_note("%llu element%s clipped", n_clipped, n_clipped == 1 ? " was" : "s were");
    if (filling > 0 && !args->quiet)
        cli_note("the shares are %llu %% longer than necessary: add a line length %zu to the "
                 "topology and plan again with hagg-plan",
                 filling, report->length);
}

static const char *output_of(const struct share_args *args)
{
    return args->common.output ? args->common.output : "-";
}

static int share_to(const struct share_args *args, const struct client_options *c,
                    const struct vector *v, const char *output, struct clients_report *report,
                    struct hagg_err *err)
{
    struct outfiles *out = outfiles_new(output, args->common.output != NULL, err);
    int status = -1;

    if (out)
        outfiles_set_sealer(out, c->sealer);
    if (out && client_share(c, v, out, &report->all, err) == 0)
        status = outfiles_publish(out, err);
    report->length = v->n_elems;
    report->readable = out && outfiles_is_readable(out);
    outfiles_free(out);
    return status;
}

static int share(const struct share_args *args, struct client_options *c, struct hagg_err *err)
{
    struct clients_report report;
    struct cli_progress progress;
    struct vector v;
    char *output;
    int status = -1;

    c->client = args->common.client;
    c->random_source = args->common.random_source;
    if (args->samples_file) {
        c->has_samples = true;
        if (samples_file_load(&c->samples, args->samples_file, err))
            return -1;
    }
    if (vector_load(&v, args->file ? args->file : "-", args->common.format, args->common.type, err))
        return -1;
    output = c->client > 0 ? outfiles_replace(output_of(args), CLIENTS_MARK, c->client)
                           : strdup(output_of(args));
    c->progress = cli_progress_begin(&progress, args->common.progress);
    if (!output)
        err_errno(err, "%s", output_of(args));
    else if (cli_options_pool(&args->common, &c->pool, err) == 0)
        status = share_to(args, c, &v, output, &report, err);
    cli_progress_end(&progress);
    if (status == 0)
        note(args, &report);
    parallel_free(c->pool);
    free(output);
    vector_free(&v);
    return status;
}

/* --clients */
static int share_all(struct share_args *args, struct hagg_err *err)
{
    const struct cli_options *common = &args->common;
    struct clients_options o = {
        .client = args->client,
        .vectors = args->file ? args->file : "-",
        .type = common->type,
        .format = common->format,
        .keys = args->client.key,
        .samples_file = args->samples_file,
        .output = output_of(args),
        .allow_terminal = common->output != NULL,
    };
    struct clients_report report;
    struct cli_progress progress;
    int status = cli_nodes_clients(&args->clients, args->client.plan, err);

    if (status == 0)
        status = cli_options_pool(common, &o.pool, err);
    o.numbers = args->clients.numbers;
    o.n = args->clients.n;
    o.progress = cli_progress_begin(&progress, common->progress);
    if (status == 0)
        status = clients_share(&o, &report, err);
    cli_progress_end(&progress);
    parallel_free(o.pool);
    if (status == 0)
        note(args, &report);
    return status;
}

static int share_with_plan(struct share_args *args, struct hagg_err *err)
{
    struct node node = { NODE_CLIENT, args->common.client };
    struct cli_identity identity = { 0 };
    struct plan plan;
    int status = 0;

    if (plan_load(&plan, cli_options_plan(&args->common), err))
        return -1;
    args->client.plan = &plan;
    args->client.unsafe_plan = args->common.unsafe_plan;
    cli_facts_given(&plan, &args->common);
    if (args->has_digest)
        status = plan_digest_check(&plan, args->digest, err);
    if (status == 0 && plan.topology.aligned && args->client.key)
        status =
            err_set(err, HAGG_E_USAGE, "%s: protocol aligned has no keys: omit --key", plan.name);
    if (status == 0 && !plan.topology.aligned && !args->client.key)
        status = err_set(err, HAGG_E_USAGE,
                         "%s: has protocol keys, so --key is required: make a key with hagg-keygen",
                         plan.name);
    if (status == 0 && args->client.missing)
        status = plan_check_missing(&plan, 0, args->client.missing, err);
    if (status == 0)
        status =
            cli_identity_open(&identity, &args->common, &plan, node.number > 0 ? &node : NULL, err);
    if (status == 0) {
        args->client.sealer = cli_identity_sealer(&identity);
        args->client.state = cli_state_open(&args->common, err);
        if (!args->client.state)
            status = -1;
        else
            status = cli_nodes_given(&args->clients) ? share_all(args, err)
                                                     : share(args, &args->client, err);
        cli_state_close(args->client.state);
    }
    cli_identity_close(&identity);
    plan_free(&plan);
    return status;
}

static int share_plainly(struct share_args *args, struct hagg_err *err)
{
    struct client_options *c = &args->client;
    struct scheme *scheme = NULL;
    int status = -1;

    c->field = field_open(args->field ? args->field : "m31", err);
    if (c->field)
        scheme = scheme_open(args->scheme ? args->scheme : "ramp", err);
    c->scheme = scheme;
    if (scheme && (!args->quantize || topology_quantize(&c->quant, args->quantize, err) == 0))
        status = share(args, c, err);
    scheme_free(scheme);
    field_free(c->field);
    return status;
}

int main(int argc, char **argv)
{
    struct share_args args = { 0 };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&share_argp, argc, argv, &args);
    cli_confine(&args.common);
    args.client.has_round = args.common.has_round;
    args.client.round = args.common.round;
    status = args.client.n > 0 ? share_plainly(&args, &err) : share_with_plan(&args, &err);
    cli_nodes_free(&args.clients);
    rangeset_free(&args.missing);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
