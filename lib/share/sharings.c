#include "share/sharings.h"

#include <stdlib.h>

static uint32_t class_of(const struct sharings *s, uint32_t client)
{
    const struct topology_client *c = topology_client(&s->plan->topology, client);

    return s->plan->aligned->classes.of_group[c->group];
}

int sharings_new(struct sharings *s, const struct plan *plan, struct hagg_err *err)
{
    *s = (struct sharings){ .plan = plan };
    if (plan->topology.aligned)
        s->aligned = calloc(plan->aligned->classes.n + 1, sizeof *s->aligned);
    else
        s->among = calloc((size_t)plan->topology.n_stations + 1, sizeof *s->among);
    return s->aligned || s->among ? 0 : err_errno(err, "no memory for sharings");
}

void sharings_free(struct sharings *s)
{
    for (size_t i = 0; s->aligned && i < s->plan->aligned->classes.n; i++)
        client_aligned_free(&s->aligned[i]);
    for (size_t i = 0; s->among && i <= s->plan->topology.n_stations; i++)
        sharing_free(&s->among[i]);
    free(s->aligned);
    free(s->among);
    *s = (struct sharings){ 0 };
}

static int add_among(struct sharings *s, const struct topology_list *holders, struct hagg_err *err)
{
    struct sharing *sharing = &s->among[holders->n];

    return sharing->n > 0 ? 0 : plan_sharing(s->plan, 0, (uint32_t)holders->n, sharing, err);
}

int sharings_add(struct sharings *s, uint32_t client, struct hagg_err *err)
{
    struct plan_client place;

    if (plan_client(s->plan, client, &place, err))
        return -1;
    if (s->aligned) {
        struct client_aligned *a = &s->aligned[class_of(s, client)];

        return a->plan ? 0 : client_aligned_new(a, s->plan, client, err);
    }
    return add_among(s, place.shares.lists[0], err) ||
                   (s->plan->topology.full && add_among(s, place.keys.lists[0], err))
               ? -1
               : 0;
}

const struct client_aligned *sharings_aligned(const struct sharings *s, uint32_t client)
{
    return s->aligned ? &s->aligned[class_of(s, client)] : NULL;
}

const struct sharing *sharings_shares(const struct sharings *s, const struct plan_client *client)
{
    return s->among ? &s->among[client->shares.lists[0]->n] : NULL;
}

const struct sharing *sharings_keys(const struct sharings *s, const struct plan_client *client)
{
    return s->among && s->plan->topology.full ? &s->among[client->keys.lists[0]->n] : NULL;
}

size_t sharings_padded(const struct sharing *sharing, size_t length)
{
    return sharing ? sharing->shape.parts * (size_t)sharing_part_length(sharing, length) : length;
}
