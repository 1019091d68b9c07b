#include "cost/count/variant.h"

#include <stdlib.h>
#include <string.h>

/* The relays that all stations of the set reach. n_reaching has an entry for each relay. */
static int find_common(struct topology_list *common, const struct topology *t,
                       const struct topology_list *stations, uint32_t *n_reaching)
{
    memset(n_reaching, 0, ((size_t)t->n_relays + 1) * sizeof *n_reaching);
    for (size_t i = 0; i < stations->n; i++) {
        const struct topology_list *via = &t->station_via[stations->numbers[i] - 1];

        for (size_t j = 0; j < via->n; j++)
            n_reaching[via->numbers[j]]++;
    }
    common->n = 0;
    common->numbers = malloc(((size_t)t->n_relays + 1) * sizeof *common->numbers);
    if (!common->numbers)
        return -1;
    for (uint32_t m = 1; m <= t->n_relays; m++)
        if (n_reaching[m] == stations->n)
            common->numbers[common->n++] = m;
    return 0;
}

static int choose_relays(struct plan *other, uint32_t *n_reaching)
{
    struct topology *t = &other->topology;

    for (size_t g = 0; g < t->n_groups; g++) {
        struct topology_group *group = &t->groups[g];
        struct plan_route shares, keys;

        plan_route(other, group, PLAN_SHARES, &shares);
        plan_route(other, group, PLAN_KEYS, &keys);
        if (find_common(&group->relays, t, shares.lists[0], n_reaching) ||
            (t->full && find_common(&group->key_relays, t, keys.lists[0], n_reaching)))
            return -1;
    }
    return 0;
}

int variant_new(struct plan *other, const struct plan *p, struct variant v, struct hagg_err *err)
{
    const struct topology_list none = { 0 };
    struct topology *t = &other->topology;
    uint32_t *n_reaching = calloc((size_t)p->topology.n_relays + 1, sizeof *n_reaching);
    int status = -1;

    *other = *p;
    other->aligned = NULL;
    t->aligned = false;
    t->full = v.full;
    t->transform = v.transform;
    t->groups = calloc(t->n_groups + 1, sizeof *t->groups);
    for (size_t g = 0; t->groups && g < t->n_groups; g++) {
        struct topology_group *group = &t->groups[g];

        *group = p->topology.groups[g];
        if (v.whole)
            group->shares = none;
        if (v.full != p->topology.full || (v.full && v.whole))
            group->keys = none;
        if (v.transform)
            group->relays = group->key_relays = none;
    }
    if (n_reaching && t->groups)
        status = v.transform ? choose_relays(other, n_reaching) : 0;
    if (status) {
        err_errno(err, "%s", p->name);
        variant_free(other);
    }
    free(n_reaching);
    return status;
}

void variant_free(struct plan *other)
{
    struct topology *t = &other->topology;

    for (size_t g = 0; t->transform && t->groups && g < t->n_groups; g++) {
        free(t->groups[g].relays.numbers);
        free(t->groups[g].key_relays.numbers);
    }
    free(t->groups);
}

bool variant_suffices(const struct plan *other)
{
    const struct topology *t = &other->topology;

    for (size_t g = 0; g < t->n_groups; g++)
        for (enum plan_what what = PLAN_SHARES; what <= (t->full ? PLAN_KEYS : PLAN_SHARES);
             what++) {
            struct plan_route route;

            plan_route(other, &t->groups[g], what, &route);
            for (size_t tier = 0; tier < plan_tiers(other); tier++)
                if (route.lists[tier]->n < topology_fewest(t, tier))
                    return false;
        }
    return true;
}
