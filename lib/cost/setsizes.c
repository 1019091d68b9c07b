#include "cost/setsizes.h"

#include <stdlib.h>

#include "plan/plan_patterns.h"

static int make_room(struct setsizes *s, uint32_t most, const char *name, struct hagg_err *err)
{
    *s = (struct setsizes){
        .most = most,
        .clients = calloc((size_t)most + 1, sizeof *s->clients),
        .patterns = calloc((size_t)most + 1, sizeof *s->patterns),
    };
    if (s->clients && s->patterns)
        return 0;
    setsizes_free(s);
    return err_errno(err, "%s", name);
}

int setsizes_of_plan(struct setsizes *s, const struct plan *p, enum plan_what what, size_t tier,
                     struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns patterns;

    if (make_room(s, t->n_stations > t->n_relays ? t->n_stations : t->n_relays, p->name, err))
        return -1;
    if (plan_patterns_new(&patterns, p, what, tier, err)) {
        setsizes_free(s);
        return -1;
    }
    for (size_t i = 0; i < t->n_clients; i++)
        s->clients[patterns.routes[patterns.of_group[t->clients[i].group]].lists[0]->n]++;
    for (size_t i = 0; i < patterns.n; i++)
        s->patterns[patterns.routes[i].lists[0]->n]++;
    plan_patterns_free(&patterns);
    return 0;
}

int setsizes_uniform(struct setsizes *s, uint32_t size, uint64_t n_clients, uint64_t n_patterns,
                     struct hagg_err *err)
{
    if (make_room(s, size, "sets", err))
        return -1;
    s->clients[size] = n_clients;
    s->patterns[size] = n_patterns;
    return 0;
}

void setsizes_free(struct setsizes *s)
{
    free(s->clients);
    free(s->patterns);
    *s = (struct setsizes){ 0 };
}

uint32_t setsizes_least(const struct setsizes *s)
{
    for (uint32_t size = 1; s->patterns && size <= s->most; size++)
        if (s->patterns[size] > 0)
            return size;
    return 0;
}

uint64_t setsizes_count_patterns(const struct setsizes *s)
{
    uint64_t n = 0;

    for (uint32_t size = 1; s->patterns && size <= s->most; size++)
        n += s->patterns[size];
    return n;
}
