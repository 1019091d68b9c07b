#include "audit/subnet.h"

#include <stdlib.h>

#include "plan/plan_aligned.h"

/* Copies the clients, and their groups without the lists. Groups are in the order of their first
 * client. */
static int copy_clients(struct topology *t, const struct topology *from, const uint32_t *clients,
                        size_t n)
{
    t->groups = calloc(n + 1, sizeof *t->groups);
    t->clients = calloc(n + 1, sizeof *t->clients);
    t->n_groups = t->n_clients = 0;
    if (!t->groups || !t->clients)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct topology_client *client = &from->clients[clients[i]];
        size_t before = 0, group;

        while (from->clients[clients[before]].group != client->group)
            before++;
        group = before < i ? t->clients[before].group : t->n_groups++;
        t->groups[group] = from->groups[client->group];
        t->clients[t->n_clients++] = (struct topology_client){ client->number, (uint32_t)group };
    }
    return 0;
}

/* Derives segments, dealers and masks. */
static int settle(struct plan *p, uint32_t n_segments, struct hagg_err *err)
{
    struct topology *t = &p->topology;
    size_t fewest = (size_t)topology_colluding_dealers(t) + topology_spares(t, 0) + 1;

    t->segments = n_segments;
    t->dealers = (struct topology_list){ 0 };
    if (plan_aligned_new(&p->aligned, p, err))
        return -1;
    if (t->dealers.n <= fewest)
        return 0;
    plan_aligned_free(p->aligned);
    t->dealers.n = fewest;
    return plan_aligned_new(&p->aligned, p, err);
}

int subnet_new(struct subnet *s, const struct plan *plan, const uint32_t *clients, size_t n,
               uint32_t n_segments, struct hagg_err *err)
{
    int status;

    s->plan = *plan;
    s->plan.aligned = NULL;
    s->plan.topology.dealers = (struct topology_list){ 0 };
    status = copy_clients(&s->plan.topology, &plan->topology, clients, n)
                 ? err_errno(err, "no memory to verify a proof")
                 : 0;
    if (status == 0 && plan->aligned)
        status = settle(&s->plan, n_segments, err);
    if (status)
        subnet_free(s);
    return status;
}

void subnet_free(struct subnet *s)
{
    plan_aligned_free(s->plan.aligned);
    free(s->plan.topology.dealers.numbers);
    free(s->plan.topology.groups);
    free(s->plan.topology.clients);
    *s = (struct subnet){ 0 };
}
