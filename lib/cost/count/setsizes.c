#include "cost/count/setsizes.h"

#include <stdlib.h>

static int make_room(struct setsizes *s, uint32_t most, const char *name, struct hagg_err *err)
{
    *s = (struct setsizes){
        .most = most,
        .clients = calloc((size_t)most + 1, sizeof *s->clients),
    };
    return s->clients ? 0 : err_errno(err, "%s", name);
}

int setsizes_of_plan(struct setsizes *s, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    if (make_room(s, t->n_stations, p->name, err))
        return -1;
    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_group *g = &t->groups[t->clients[i].group];

        ++*(g->computational ? &s->n_computational : &s->clients[g->via.n]);
    }
    return 0;
}

int setsizes_uniform(struct setsizes *s, uint32_t size, uint64_t n_clients, struct hagg_err *err)
{
    if (make_room(s, size, "sets", err))
        return -1;
    s->clients[size] = n_clients;
    return 0;
}

void setsizes_free(struct setsizes *s)
{
    free(s->clients);
    *s = (struct setsizes){ 0 };
}
