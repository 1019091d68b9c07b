#include "cost/count/family.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/splitmix.h"
#include "topology/topology_resolve.h"

struct draw {
    uint64_t state;
    uint32_t *numbers; /* all numbers of a tier, in the order after the last draw */
    uint32_t n;
};

static int draw_from(struct draw *d, uint32_t n, const char *name, struct hagg_err *err)
{
    free(d->numbers);
    d->numbers = calloc((size_t)n + 1, sizeof *d->numbers);
    d->n = n;
    if (!d->numbers)
        return err_errno(err, "%s", name);
    for (uint32_t i = 0; i < n; i++)
        d->numbers[i] = i + 1;
    return 0;
}

/* The first n numbers of a partial Fisher-Yates shuffle. */
static int draw_list(struct draw *d, struct topology_list *list, uint32_t n, const char *name,
                     struct hagg_err *err)
{
    list->numbers = malloc(n * sizeof *list->numbers);
    if (!list->numbers)
        return err_errno(err, "%s", name);
    list->n = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = i + splitmix_below(&d->state, d->n - i), number = d->numbers[j];

        d->numbers[j] = d->numbers[i];
        d->numbers[i] = number;
        list->numbers[i] = number;
    }
    topology_sort(list);
    return 0;
}

static int draw_clients(struct topology *t, struct draw *d, const struct parameters *p,
                        const char *name, struct hagg_err *err)
{
    uint32_t least = (uint32_t)parameters_reach(p, t);
    uint32_t n_more =
        p->given[PARAMETER_REACH_MOST] ? (uint32_t)p->values[PARAMETER_REACH_MOST] - least : 0;
    size_t n = t->n_clients;

    t->n_clients = 0;
    t->groups = calloc(n, sizeof *t->groups);
    t->clients = calloc(n, sizeof *t->clients);
    if (!t->groups || !t->clients)
        return err_errno(err, "%s", name);
    t->n_groups = n;
    t->n_clients = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t size = least + (n_more > 0 ? splitmix_below(&d->state, n_more + 1) : 0);

        t->clients[i] = (struct topology_client){ i + 1, i };
        if (draw_list(d, &t->groups[i].via, size, name, err))
            return -1;
    }
    return 0;
}

static int draw_stations(struct topology *t, struct draw *d, const struct parameters *p,
                         const char *name, struct hagg_err *err)
{
    uint32_t size =
        p->given[PARAMETER_RELAY_REACH] ? (uint32_t)p->values[PARAMETER_RELAY_REACH] : t->n_relays;

    t->station_via = calloc((size_t)t->n_stations + 1, sizeof *t->station_via);
    if (!t->station_via)
        return err_errno(err, "%s", name);
    for (uint32_t u = 0; u < t->n_stations; u++)
        if (draw_list(d, &t->station_via[u], size, name, err))
            return -1;
    return 0;
}

int family_draw(struct plan *plan, const struct parameters *p, struct hagg_err *err)
{
    struct draw d = { .state = p->values[PARAMETER_SEED] };
    struct parameters drawn = *p;
    struct topology *t = &plan->topology;
    int status;

    if (p->values[PARAMETER_CLIENTS] > TOPOLOGY_MAX_CLIENTS)
        return err_set(err, HAGG_E_USAGE, "at most %u clients can be drawn", TOPOLOGY_MAX_CLIENTS);
    if (!drawn.scheme[0])
        snprintf(drawn.scheme, sizeof drawn.scheme, "aligned");
    if (parameters_plan(&drawn, plan, err))
        return -1;
    t->aligned = scheme_aligns(plan->scheme);
    status = draw_from(&d, t->n_stations, plan->name, err);
    if (status == 0)
        status = draw_clients(t, &d, p, plan->name, err);
    if (status == 0 && t->n_relays > 0)
        status = draw_from(&d, t->n_relays, plan->name, err);
    if (status == 0 && t->n_relays > 0)
        status = draw_stations(t, &d, p, plan->name, err);
    free(d.numbers);
    if (status)
        plan_free(plan);
    return status;
}
