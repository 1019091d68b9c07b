#include "share/sharings.h"

#include <stdlib.h>

static uint32_t group_of(const struct sharings *s, uint32_t client)
{
    return topology_client(&s->plan->topology, client)->group;
}

static bool sends_seeds(const struct sharings *s, uint32_t group)
{
    return s->plan->topology.groups[group].computational;
}

static struct client_aligned *aligned_of(const struct sharings *s, uint32_t client)
{
    const struct plan_patterns *classes = &s->plan->aligned->classes;
    uint32_t group = group_of(s, client);

    return &s->aligned[sends_seeds(s, group) ? classes->n + group : classes->of_group[group]];
}

static struct sharings_ramp *ramp_of(const struct sharings *s, uint32_t client, bool key,
                                     const struct topology_list *holders)
{
    size_t n_stations = s->plan->topology.n_stations;
    uint32_t group = group_of(s, client);

    return &s->among[sends_seeds(s, group) ? n_stations + 1 + 2 * (size_t)group + key : holders->n];
}

int sharings_new(struct sharings *s, const struct plan *plan, const struct rangeset *missing,
                 struct hagg_err *err)
{
    size_t n_groups = topology_has_seeds(&plan->topology) ? plan->topology.n_groups : 0;

    *s = (struct sharings){ .plan = plan, .missing = missing };
    if (plan->topology.aligned) {
        s->n = plan->aligned->classes.n + n_groups;
        s->aligned = calloc(s->n + 1, sizeof *s->aligned);
    } else {
        s->n = (size_t)plan->topology.n_stations + 1 + 2 * n_groups;
        s->among = calloc(s->n, sizeof *s->among);
    }
    return s->aligned || s->among ? 0 : err_errno(err, "no memory for sharings");
}

void sharings_free(struct sharings *s)
{
    for (size_t i = 0; s->aligned && i < s->n; i++)
        client_aligned_free(&s->aligned[i]);
    for (size_t i = 0; s->among && i < s->n; i++) {
        sharing_free(&s->among[i].sharing);
        client_seeds_free(&s->among[i].seeds);
    }
    free(s->aligned);
    free(s->among);
    *s = (struct sharings){ 0 };
}

static int add_ramp(struct sharings *s, uint32_t client, bool key,
                    const struct topology_list *holders, struct hagg_err *err)
{
    struct sharings_ramp *r = ramp_of(s, client, key, holders);
    const struct topology_group *g = &s->plan->topology.groups[group_of(s, client)];
    uint32_t n = (uint32_t)holders->n, k, z;
    struct hagg_scheme_shape shape;

    if (r->sharing.n > 0)
        return 0;
    if (plan_shape(s->plan, 0, n, &k, &z, &shape, err) ||
        client_seeds_new(&r->seeds, g, holders, z, s->missing, err))
        return -1;
    return plan_sharing(s->plan, 0, n, r->seeds.are_seeds, &r->sharing, err);
}

int sharings_add(struct sharings *s, uint32_t client, struct hagg_err *err)
{
    struct plan_client place;

    if (plan_client(s->plan, client, &place, err) ||
        plan_check_reach(s->plan, topology_client(&s->plan->topology, client), s->missing, err))
        return -1;
    if (s->aligned) {
        struct client_aligned *a = aligned_of(s, client);

        return a->plan ? 0 : client_aligned_new(a, s->plan, client, s->missing, err);
    }
    return add_ramp(s, client, false, place.shares.lists[0], err) ||
                   (s->plan->topology.full && add_ramp(s, client, true, place.keys.lists[0], err))
               ? -1
               : 0;
}

const struct client_aligned *sharings_aligned(const struct sharings *s, uint32_t client)
{
    return s->aligned ? aligned_of(s, client) : NULL;
}

const struct sharings_ramp *sharings_shares(const struct sharings *s,
                                            const struct plan_client *client)
{
    return s->among ? ramp_of(s, client->number, false, client->shares.lists[0]) : NULL;
}

const struct sharings_ramp *sharings_keys(const struct sharings *s,
                                          const struct plan_client *client)
{
    return s->among && s->plan->topology.full
               ? ramp_of(s, client->number, true, client->keys.lists[0])
               : NULL;
}

size_t sharings_padded(const struct sharings_ramp *ramp, size_t length)
{
    return ramp ? ramp->sharing.shape.parts * (size_t)sharing_part_length(&ramp->sharing, length)
                : length;
}
