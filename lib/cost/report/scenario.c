#include "cost/report/scenario.h"

#include <stdlib.h>

#include "cost/count/family.h"
#include "plan/plan_aligned.h"
#include "topology/topology_couriers.h"

int scenario_load(struct scenario *s, const char *path, struct hagg_err *err)
{
    if (plan_load_to_choose(&s->plan, path, err))
        return -1;
    s->has_plan = true;
    return 0;
}

void scenario_free(struct scenario *s)
{
    if (s->has_plan)
        plan_free(&s->plan);
}

/* With other numbers of colluding and missing stations, other clients reach too few of them. A
 * client that has fallen back stays so. */
static int renew_couriers(struct plan *p, struct hagg_err *err)
{
    for (size_t g = 0; g < p->topology.n_groups; g++) {
        struct topology_list *reach = &p->topology.groups[g].reach;

        free(reach->numbers);
        *reach = (struct topology_list){ 0 };
    }
    return topology_couriers_settle(&p->topology, p->name, err);
}

static int report_plan(struct scenario *s, struct report *r, struct hagg_err *err)
{
    if (parameters_override(&s->parameters, &s->plan, err) || renew_couriers(&s->plan, err) ||
        (s->plan.topology.aligned && plan_aligned_renew(&s->plan, err)) ||
        (report_is_routed(&s->plan) && plan_check_sets(&s->plan, err)))
        return -1;
    return report_of_plan(r, &s->plan, s->only, &s->records, err);
}

static int report_random(const struct scenario *s, struct report *r, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    struct plan plan;
    int status = 0;

    if (family_draw(&plan, &s->parameters, err))
        return -1;
    if (plan.topology.aligned && plan_aligned_new(&plan.aligned, &plan, &cause))
        status = err_set(err, cause.status == HAGG_E_MALFORMED ? HAGG_E_USAGE : cause.status, "%s",
                         cause.text);
    if (status == 0)
        status = report_of_plan(r, &plan, s->only, &s->records, err);
    plan_free(&plan);
    return status;
}

int scenario_report(struct scenario *s, struct report *r, struct hagg_err *err)
{
    int status = s->has_plan    ? report_plan(s, r, err)
                 : s->is_random ? report_random(s, r, err)
                                : report_uniform(r, &s->parameters, err);

    if (status == 0 && s->only)
        report_keep(r, s->only);
    return status;
}

int scenario_print_topology(const struct scenario *s, struct text *text, struct hagg_err *err)
{
    struct plan plan;

    if (family_draw(&plan, &s->parameters, err))
        return -1;
    topology_print(&plan.topology, text);
    plan_free(&plan);
    return 0;
}

static int fail_at(const struct sweep *sweep, uint64_t value, const struct hagg_err *cause,
                   struct hagg_err *err)
{
    struct text at = { 0 };

    sweep_print_value(sweep, value, &at);
    err_set(err, cause->status, "%s=%s: %s", sweep->name, text_ok(&at) ? at.bytes : "?",
            cause->text);
    text_free(&at);
    return -1;
}

int scenario_sweep(struct scenario *s, const struct sweep *sweep, scenario_point_fn *fn, void *arg,
                   struct hagg_err *err)
{
    uint64_t value = sweep->first;

    do {
        struct hagg_err cause = { 0 };
        struct report r;
        int status;

        if (sweep_set(sweep, &s->parameters, value, err))
            return -1;
        if (scenario_report(s, &r, &cause))
            return fail_at(sweep, value, &cause, err);
        status = fn(arg, value, &r, err);
        report_free(&r);
        if (status)
            return -1;
    } while (sweep_next(sweep, &value));
    return 0;
}
