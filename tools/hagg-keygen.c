#include "cli.h"
#include "cli_confine.h"
#include "cli_identity.h"
#include "cli_state.h"
#include "keygen_args.h"
#include "keygen_identity.h"
#include "secrets/keygen.h"

/* Returns the length of the key, including the sample count; 0 on failure. */
static uint64_t find_length(const struct keygen_args *args, const struct plan *plan,
                            struct hagg_err *err)
{
    uint64_t said = plan->topology.length;

    if (args->length == 0 && said == 0)
        err_set(err, HAGG_E_USAGE, "%s: does not set the length: use --length", plan->name);
    else if (args->length > 0 && said > 0 && args->length != said)
        err_set(err, HAGG_E_MISMATCH, "%s: sets length %llu, but --length is %llu", plan->name,
                (unsigned long long)said, (unsigned long long)args->length);
    else
        return (args->length > 0 ? args->length : said) + plan->topology.samples;
    return 0;
}

static int make(const struct keygen_args *args, const struct keyfile_need *need,
                struct outfiles *out, struct hagg_err *err)
{
    struct dealing dealing = {
        .plan = need->plan,
        .station = args->station,
        .round = need->round,
        .length = need->length,
        .random_source = need->random_source,
        .state = need->state,
        .progress = need->progress,
    };
    struct random *random = args->station > 0     ? dealing_random(&dealing, err)
                            : need->random_source ? random_open(need->random_source, err)
                                                  : random_new(err);
    struct writer *w;
    int status = -1;

    if (random && args->station > 0)
        status = dealing_write(&dealing, random, out, err);
    else if (random && (w = outfiles_writer(out, need->client, err)))
        status = keyfile_write(need, random, w, err);
    random_free(random);
    return status;
}

/* Checks that the plan has the keys or masks. That a station is a dealer is checked later. */
static int check_plan(const struct keygen_args *args, const struct plan *plan, struct hagg_err *err)
{
    struct plan_client client;

    if (keygen_args_dealing(args))
        return dealing_check_plan(plan, err);
    if (plan->topology.aligned)
        return err_set(
            err, HAGG_E_USAGE,
            "%s: clients have no keys with protocol aligned: use --station for the masks "
            "of a dealer",
            plan->name);
    return keygen_args_many(args) ? 0 : plan_client(plan, args->common.client, &client, err);
}

/* --clients and --stations. The state is opened only for masks, which follow from its secret. */
static int make_many(struct keygen_args *args, const struct plan *plan, struct sealer *sealer,
                     struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct keygen k = {
        .plan = plan,
        .round = o->round,
        .output = o->output ? o->output : "-",
        .allow_terminal = o->output != NULL,
        .sealer = sealer,
    };
    struct cli_progress progress;
    bool readable = false;
    int status = -1;

    if (check_plan(args, plan, err) || (k.length = find_length(args, plan, err)) == 0 ||
        (keygen_args_dealing(args) ? cli_nodes_dealers(&args->stations, plan, err)
                                   : cli_nodes_clients(&args->clients, plan, err)))
        return -1;
    k.clients = args->clients.numbers;
    k.dealers = args->stations.numbers;
    k.n = keygen_args_dealing(args) ? args->stations.n : args->clients.n;
    if (keygen_args_dealing(args) && !(k.state = cli_state_open(o, err)))
        return -1;
    k.progress = cli_progress_begin(&progress, o->progress);
    if (cli_options_pool(o, &k.pool, err) == 0)
        status = keygen_write(&k, &readable, err);
    cli_progress_end(&progress);
    if (status == 0 && readable)
        cli_note("%s", CLI_READABLE);
    parallel_free(k.pool);
    cli_state_close(k.state);
    return status;
}

static int make_and_publish(const struct keygen_args *args, const struct plan *plan,
                            struct sealer *sealer, struct hagg_err *err)
{
    const struct cli_options *o = &args->common;
    struct keyfile_need need = { .plan = plan, .client = o->client, .round = o->round };
    struct cli_progress progress;
    struct outfiles *out;
    int status = -1;

    if (check_plan(args, plan, err) || (need.length = find_length(args, plan, err)) == 0)
        return -1;
    need.random_source = o->random_source;
    /* a key that is drawn is never the same again, so nothing is remembered */
    if ((args->station > 0 || (o->random_source && !o->no_state)) &&
        !(need.state = cli_state_open(o, err)))
        return -1;
    need.progress = cli_progress_begin(&progress, o->progress);
    out = outfiles_new(o->output ? o->output : "-", o->output != NULL, err);
    if (out) {
        outfiles_set_exclusive(out);
        outfiles_set_sealer(out, sealer);
    }
    if (out && make(args, &need, out, err) == 0)
        status = outfiles_publish(out, err);
    cli_progress_end(&progress);
    if (status == 0 && outfiles_is_readable(out))
        cli_note("%s", CLI_READABLE);
    outfiles_free(out);
    cli_state_close(need.state);
    return status;
}

/* Opens the identity, if masks are made. Keys of clients are not sent. */
static int open_identity(struct cli_identity *identity, const struct keygen_args *args,
                         const struct plan *plan, struct hagg_err *err)
{
    struct node node = { NODE_STATION, args->station };

    if (!keygen_args_dealing(args))
        return 0;
    return cli_identity_open(identity, &args->common, plan, node.number > 0 ? &node : NULL, err);
}

static int run(struct keygen_args *args, struct hagg_err *err)
{
    struct cli_identity identity = { 0 };
    struct sealer *sealer;
    struct plan plan;
    int status;

    if (plan_load(&plan, cli_options_plan(&args->common), err))
        return -1;
    status = open_identity(&identity, args, &plan, err);
    sealer = cli_identity_sealer(&identity);
    if (status == 0)
        status = keygen_args_many(args) ? make_many(args, &plan, sealer, err)
                                        : make_and_publish(args, &plan, sealer, err);
    cli_identity_close(&identity);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct keygen_args args = { 0 };
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&keygen_argp, argc, argv, &args);
    cli_confine(&args.common);
    status = args.common.makes_identity ? keygen_identity(&args, &err) : run(&args, &err);
    cli_nodes_free(&args.clients);
    cli_nodes_free(&args.stations);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
