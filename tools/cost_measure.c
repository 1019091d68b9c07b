#include "cost_measure.h"

#include "cli.h"
#include "cli_options.h"
#include "cost/measure/measure_report.h"

void cost_measure_free(struct cost_measure *m)
{
    rangeset_free(&m->clients);
    for (size_t i = 0; i < PLAN_TIERS; i++)
        rangeset_free(&m->without[i]);
}

/* Checks that the plan has the nodes named on the command line. */
static int check_names(const struct cost_measure *m, const struct plan *p, struct hagg_err *err)
{
    const uint32_t n_nodes[PLAN_TIERS] = { p->topology.n_stations, p->topology.n_relays };
    int status = plan_check_clients(p, &m->clients, err);

    for (size_t i = 0; i < PLAN_TIERS && status == 0; i++) {
        const struct rangeset *without = &m->without[i];

        if (without->n > 0 && without->ranges[without->n - 1].last > n_nodes[i])
            status = err_set(err, HAGG_E_USAGE, "%s: has no %s %u", p->name, plan_tier_name(i),
                             without->ranges[without->n - 1].last);
    }
    return status;
}

static int print(const struct cost_measure *m, const struct measure_result *result,
                 struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    if (m->format == COST_MEASURE_TABLE)
        measure_report_table(&text, result);
    else if (m->format == COST_MEASURE_TSV)
        measure_report_tsv(&text, result);
    else
        measure_report_json(&text, result);
    status = cli_print(&text, err);
    text_free(&text);
    return status;
}

static int measure(const struct cost_measure *m, const struct measure_options *options,
                   struct hagg_err *err)
{
    struct measure *measure = measure_new(options, err);
    struct measure_result result = { 0 };
    int status = measure ? 0 : -1;

    if (status == 0 && m->n_paths == 0)
        status = measure_add(measure, "-", err);
    for (size_t i = 0; i < m->n_paths && status == 0; i++)
        status = measure_add(measure, m->paths[i], err);
    if (status == 0)
        status = measure_finish(measure, &result, err);
    if (status == 0)
        status = print(m, &result, err);
    if (status == 0)
        status = measure_verdict(&result, err);
    measure_result_free(&result);
    measure_free(measure);
    return status;
}

static const struct rangeset *or_none(const struct rangeset *set)
{
    return set->n > 0 ? set : NULL;
}

int cost_measure_run(const struct cost_measure *m, struct hagg_err *err)
{
    struct plan plan = { 0 };
    struct measure_options options = {
        .plan = m->plan ? &plan : NULL,
        .presence = {
            .clients = or_none(&m->clients),
            .missing = { or_none(&m->without[0]), or_none(&m->without[1]) },
        },
    };
    int status;

    if (!m->plan && (m->clients.n > 0 || m->without[0].n > 0 || m->without[1].n > 0))
        return err_set(err, HAGG_E_USAGE,
                       "--clients and --without require a plan: use --plan or HAGG_PLAN");
    if (m->plan && plan_load(&plan, m->plan, err))
        return -1;
    status = m->plan ? check_names(m, &plan, err) : 0;
    if (status == 0)
        status = measure(m, &options, err);
    plan_free(&plan);
    return status;
}
