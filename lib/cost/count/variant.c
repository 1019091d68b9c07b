#include "cost/count/variant.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_aligned.h"
#include "topology/topology_resolve.h"
#include "topology/topology_tolerate.h"

bool variant_is_chosen(const struct plan *p)
{
    for (size_t g = 0; g < p->topology.n_groups; g++)
        if (p->topology.groups[g].shares.n > 0)
            return true;
    return false;
}

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

/* The order of stations has no meaning with protocol aligned, so equal sets are made equal lists.
 */
static int copy_shares(struct topology *t, const struct topology *from)
{
    for (size_t g = 0; g < t->n_groups; g++) {
        const struct topology_list *given = &from->groups[g].shares;
        struct topology_list *shares = &t->groups[g].shares;

        if (given->n == 0)
            continue;
        shares->numbers = malloc(given->n * sizeof *shares->numbers);
        if (!shares->numbers)
            return -1;
        memcpy(shares->numbers, given->numbers, given->n * sizeof *shares->numbers);
        shares->n = given->n;
        topology_sort(shares);
    }
    return 0;
}

/* Segments and dealers that are not those of the plan are left to plan_aligned_new. */
static void set_aligned(struct topology *t, const struct plan *p, struct variant v)
{
    const struct topology *old = &p->topology;
    bool same_sets = old->aligned && (!v.whole || !variant_is_chosen(p));

    t->aligned = v.aligned;
    if (!same_sets || old->segments_line == 0)
        t->segments = 0;
    if (!same_sets || old->dealers_line == 0 || old->full != v.full) {
        t->dealers = (struct topology_list){ 0 };
        t->dealers_line = 0;
    }
}

static int set_groups(struct plan *other, const struct plan *p, struct variant v)
{
    const struct topology_list none = { 0 };
    struct topology *t = &other->topology;
    uint32_t *n_reaching;
    int status;

    t->groups = calloc(t->n_groups + 1, sizeof *t->groups);
    for (size_t g = 0; t->groups && g < t->n_groups; g++) {
        struct topology_group *group = &t->groups[g];

        *group = p->topology.groups[g];
        if (v.aligned || v.whole)
            group->shares = none;
        if (v.aligned || v.full != p->topology.full || (v.full && v.whole))
            group->keys = none;
        if (v.aligned || v.transform)
            group->relays = group->key_relays = none;
        group->computational = group->computational || v.computational;
    }
    if (!t->groups)
        return -1;
    if (v.aligned && !v.whole)
        return copy_shares(t, &p->topology);
    if (!v.transform)
        return 0;
    n_reaching = calloc((size_t)t->n_relays + 1, sizeof *n_reaching);
    status = n_reaching ? choose_relays(other, n_reaching) : -1;
    free(n_reaching);
    return status;
}

int variant_new(struct plan *other, const struct plan *p, struct variant v, struct hagg_err *err)
{
    int status;

    *other = *p;
    other->aligned = NULL;
    other->topology.full = v.full;
    other->topology.transform = v.transform;
    other->topology.computational = p->topology.computational || v.computational;
    /* only the plan itself, or one like it, tolerates anything */
    if (!v.aligned || v.computational)
        topology_tolerate_strict(&other->topology);
    set_aligned(&other->topology, p, v);
    status = set_groups(other, p, v);
    if (status)
        err_errno(err, "%s", p->name);
    else if (v.aligned)
        status = plan_aligned_new(&other->aligned, other, err);
    if (status)
        variant_free(other);
    return status;
}

void variant_free(struct plan *other)
{
    struct topology *t = &other->topology;

    for (size_t g = 0; t->transform && t->groups && g < t->n_groups; g++) {
        free(t->groups[g].relays.numbers);
        free(t->groups[g].key_relays.numbers);
    }
    for (size_t g = 0; t->aligned && t->groups && g < t->n_groups; g++)
        free(t->groups[g].shares.numbers);
    if (t->aligned && t->dealers_line == 0)
        free(t->dealers.numbers);
    plan_aligned_free(other->aligned);
    free(t->groups);
}

static bool is_supported(const struct plan *p, size_t tier, uint32_t n)
{
    struct hagg_scheme_shape shape;
    struct hagg_err why;
    uint32_t k, z;

    return plan_shape(p, tier, n, &k, &z, &shape, &why) == 0;
}

bool variant_suffices(const struct plan *other)
{
    const struct topology *t = &other->topology;

    for (size_t g = 0; g < t->n_groups; g++) {
        if (t->groups[g].reach.n > 0 && (t->full || t->n_relays > 0))
            return false; /* see topology_couriers.c */
        for (enum plan_what what = PLAN_SHARES; what <= (t->full ? PLAN_KEYS : PLAN_SHARES);
             what++) {
            struct plan_route route;

            plan_route(other, &t->groups[g], what, &route);
            for (size_t tier = 0; tier < plan_tiers(other); tier++)
                if (route.lists[tier]->n < topology_fewest(t, tier) ||
                    !is_supported(other, tier, (uint32_t)route.lists[tier]->n))
                    return false;
        }
    }
    return true;
}
