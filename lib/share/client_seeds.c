#include "share/client_seeds.h"

#include <stdlib.h>

#include "plan/plan_seeds.h"

int client_seeds_new(struct client_seeds *s, const struct topology_group *g,
                     const struct topology_list *stations, uint32_t z,
                     const struct rangeset *missing, struct hagg_err *err)
{
    *s = (struct client_seeds){ 0 };
    if (!g->computational)
        return 0;
    s->are_seeds = calloc(stations->n + 1, sizeof *s->are_seeds);
    s->outputs = calloc(stations->n + 1, sizeof *s->outputs);
    if (!s->are_seeds || !s->outputs)
        return err_errno(err, "no memory for sharings");
    for (size_t i = 0; i < stations->n; i++) {
        uint32_t courier = topology_courier(g, stations->numbers[i], missing);

        s->are_seeds[i] = plan_is_seed(g, stations, z, i);
        s->outputs[i] = courier > 0 ? courier : stations->numbers[i];
    }
    return 0;
}

void client_seeds_free(struct client_seeds *s)
{
    free(s->are_seeds);
    free(s->outputs);
    *s = (struct client_seeds){ 0 };
}
