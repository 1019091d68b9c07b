#include "cost/count/unprotected.h"

#include <stdlib.h>

#include "plan/plan_patterns.h"

/* A set cover problem: each list must contain a chosen node. */
struct cover {
    const struct topology_list **lists;
    bool *is_covered;
    size_t n;
    uint64_t *n_gained; /* by node: number of lists that it would cover */
    bool *is_chosen;    /* by node */
    uint32_t n_nodes;
};

static void cover_free(struct cover *c)
{
    free(c->lists);
    free(c->is_covered);
    free(c->n_gained);
    free(c->is_chosen);
}

static int cover_new(struct cover *c, size_t n, uint32_t n_nodes, const char *name,
                     struct hagg_err *err)
{
    *c = (struct cover){
        .lists = calloc(n + 1, sizeof *c->lists),
        .is_covered = calloc(n + 1, sizeof *c->is_covered),
        .n = n,
        .n_gained = calloc((size_t)n_nodes + 1, sizeof *c->n_gained),
        .is_chosen = calloc((size_t)n_nodes + 1, sizeof *c->is_chosen),
        .n_nodes = n_nodes,
    };
    if (c->lists && c->is_covered && c->n_gained && c->is_chosen)
        return 0;
    cover_free(c);
    return err_errno(err, "%s", name);
}

static bool has(const struct topology_list *list, uint32_t number)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->numbers[i] == number)
            return true;
    return false;
}

/* Repeatedly chooses the node that covers most of the remaining lists. Returns the number of
 * nodes. */
static uint64_t cover_greedily(struct cover *c)
{
    uint64_t n_chosen = 0;

    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->lists[i]->n; j++)
            c->n_gained[c->lists[i]->numbers[j]]++;
    for (;;) {
        uint32_t best = 1;

        for (uint32_t u = 2; u <= c->n_nodes; u++)
            if (c->n_gained[u] > c->n_gained[best])
                best = u;
        if (c->n_gained[best] == 0)
            return n_chosen;
        c->is_chosen[best] = true;
        n_chosen++;
        for (size_t i = 0; i < c->n; i++)
            if (!c->is_covered[i] && has(c->lists[i], best)) {
                c->is_covered[i] = true;
                for (size_t j = 0; j < c->lists[i]->n; j++)
                    c->n_gained[c->lists[i]->numbers[j]]--;
            }
    }
}

/* Chooses relays for the stations that were chosen for the clients. */
static int cover_stations(uint64_t *n_chosen, const struct plan *p, const struct cover *stations,
                          struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct cover c;

    if (cover_new(&c, t->n_stations, t->n_relays, p->name, err))
        return -1;
    c.n = 0;
    for (uint32_t u = 1; u <= t->n_stations; u++)
        if (stations->is_chosen[u])
            c.lists[c.n++] = &t->station_via[u - 1];
    *n_chosen = cover_greedily(&c);
    cover_free(&c);
    return 0;
}

static void add(struct sheet *sheet, const struct plan *p, uint64_t length, uint64_t n_stations,
                uint64_t n_relays)
{
    sheet_add(sheet, LINK_CLIENT_STATION, p->topology.n_clients, 1, 1, length);
    sheet_add(sheet, n_relays > 0 ? LINK_STATION_RELAY : LINK_STATION_FEDERATOR, n_stations, 1, 1,
              length);
    sheet_add(sheet, LINK_RELAY_FEDERATOR, n_relays, 1, 1, length);
}

int unprotected_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t n_stations, n_relays = 0;
    struct plan_patterns reaches;
    struct cover c;
    int status = 0;

    /* every set once, so that the result does not depend on the groups */
    if (plan_patterns_new(&reaches, p, PLAN_REACHES, 0, err))
        return -1;
    if (cover_new(&c, reaches.n, t->n_stations, p->name, err)) {
        plan_patterns_free(&reaches);
        return -1;
    }
    for (size_t i = 0; i < reaches.n; i++)
        c.lists[i] = reaches.routes[i].lists[0];
    n_stations = cover_greedily(&c);
    if (t->n_relays > 0)
        status = cover_stations(&n_relays, p, &c, err);
    cover_free(&c);
    plan_patterns_free(&reaches);
    if (status == 0)
        add(sheet, p, length, n_stations, n_relays);
    return status;
}

void unprotected_least(struct sheet *sheet, const struct plan *p, uint64_t length)
{
    add(sheet, p, length, 1, p->topology.n_relays > 0 ? 1 : 0);
}
