#include "audit/audit.h"
#include "audit/beyond.h"
#include "audit/model_build.h"
#include "audit_args.h"
#include "base/deadline.h"
#include "cli.h"

static int audit_named(const struct audit_colluders *c, const struct model *m,
                       struct audit_result *result, struct hagg_err *err)
{
    struct coalition who;
    int status = -1;

    if (coalition_new(&who, m, err))
        return -1;
    who.nodes[MODEL_FEDERATOR] = c->federator;
    if (coalition_add_stations(&who, m, &c->stations, err) == 0 &&
        coalition_add_relays(&who, m, &c->relays, err) == 0 &&
        coalition_set_clients(&who, m, &c->missing, COALITION_MISSING, err) == 0 &&
        coalition_set_clients(&who, m, &c->clients, COALITION_MEMBER, err) == 0)
        status = audit_one(result, m, &who, err);
    coalition_free(&who);
    return status;
}

static int audit(struct audit_args *args, const struct plan *p, const struct model *m,
                 struct hagg_err *err)
{
    struct audit_bounds bounds = audit_bounds_of(p);
    struct audit_result result;
    struct beyond beyond = { 0 };
    int status;

    if (args->colluders.given ? audit_named(&args->colluders, m, &result, err)
                              : audit_run(&result, m, &bounds, &args->audit, err))
        return -1;
    status = args->colluders.given ? 0 : audit_alone(&result, m, &bounds, &args->audit, err);
    if (status == 0 && !args->colluders.given)
        status = audit_seeds(&result, m, &bounds, err);
    if (status == 0 && !args->colluders.given)
        status = audit_verify(&result, m, &args->audit, err);
    if (status == 0 && args->beyond > 0) {
        status = beyond_new(&beyond, m, &bounds, args->beyond, err);
        result.beyond = &beyond;
    }
    cli_progress_end(&args->progress);
    if (status == 0)
        status = audit_output_write(&args->output, p, m, &result, err);
    audit_result_free(&result);
    beyond_free(&beyond);
    return status;
}

static int run(struct audit_args *args, struct hagg_err *err)
{
    struct plan plan;
    struct model model;
    const char *path = args->file ? args->file : cli_options_plan(&args->common);
    int status = plan_load(&plan, path ? path : "-", err);

    if (status)
        return -1;
    status = model_build_sums(&model, &plan, args->max_terms, err);
    if (status == 0) {
        if (args->time_limit > 0)
            model.deadline = deadline_now() + args->time_limit;
        args->audit.progress = cli_progress_begin(&args->progress, args->common.progress);
        args->progress.progress.in_bytes = false;
        status = cli_options_pool(&args->common, &args->audit.pool, err);
        if (status == 0)
            status = args->max ? audit_output_max(&args->output, &plan, &model, &args->audit, err)
                               : audit(args, &plan, &model, err);
        parallel_free(args->audit.pool);
        cli_progress_end(&args->progress);
        model_free(&model);
    }
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct audit_args args = AUDIT_ARGS;
    struct hagg_err err = { 0 };
    int status;

    cli_parse(&audit_argp, argc, argv, &args);
    status = run(&args, &err);
    audit_args_free(&args);
    return status == 0 ? cli_close_stdout() : cli_fail(&err);
}
