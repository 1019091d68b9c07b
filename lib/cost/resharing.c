#include "cost/resharing.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_patterns.h"
#include "cost/protocols.h"

/* Each of k stations sends each relay a share of its share, and relays keep as many of them side by
 * side as the old sharing has parts. */
static void add_direct(struct sheet *sheet, uint64_t length, const struct hagg_scheme_shape *before,
                       const struct hagg_scheme_shape *after, uint64_t n_messages,
                       uint64_t n_shares)
{
    uint64_t n_symbols = scheme_share_length(after, scheme_share_length(before, length));

    sheet_add(sheet, LINK_STATION_RELAY, n_messages, (uint64_t)before->symbols * after->symbols,
              (uint64_t)before->parts * after->parts, n_symbols);
    sheet_add(sheet, LINK_RELAY_FEDERATOR, n_shares, after->symbols, after->parts,
              before->parts * n_symbols);
}

/* A station's contribution to each relay's share is cut into as many pieces as relays do not
 * collude, and goes through all relays, who add up what came from all stations and send it on. */
static void add_transport(struct sheet *sheet, uint64_t length,
                          const struct hagg_scheme_shape *after, uint32_t n_relays, uint32_t z,
                          uint64_t n_patterns, uint32_t k, uint64_t n_shares)
{
    uint64_t n = n_relays, pieces = n_relays - z, share = scheme_share_length(after, length);
    uint64_t n_symbols = share / pieces + (share % pieces != 0);

    sheet_line_add_times(&sheet->links[LINK_STATION_RELAY], n_patterns, k * n * n, after->symbols,
                         after->parts * pieces, n_symbols);
    sheet_line_add_times(&sheet->links[LINK_RELAY_RELAY], n_patterns, n * (n - 1), after->symbols,
                         after->parts * pieces, n_symbols);
    sheet_add(sheet, LINK_RELAY_FEDERATOR, n_shares, after->symbols, after->parts, share);
}

int resharing_add(struct sheet *sheet, const struct plan *p, uint64_t length,
                  enum resharing_method method, uint32_t n_stations, uint32_t n_relays,
                  uint64_t n_patterns, uint64_t n_sums, struct hagg_err *err)
{
    struct hagg_scheme_shape before, after;
    uint32_t k, z, new_k, new_z;

    if (plan_shape(p, 0, n_stations, &k, &z, &before, err) ||
        plan_shape(p, 1, n_relays, &new_k, &new_z, &after, err))
        return -1;
    if (method == RESHARING_DIRECT)
        add_direct(sheet, length, &before, &after, n_patterns * k * n_relays, n_sums * n_relays);
    else
        add_transport(sheet, length, &after, n_relays, new_z, n_patterns, k, n_sums * n_relays);
    return 0;
}

/* The relays that all stations of the set reach; n_reaching has a place for each relay. */
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

void resharing_plan_free(struct plan *other)
{
    for (size_t g = 0; other->topology.groups && g < other->topology.n_groups; g++) {
        free(other->topology.groups[g].relays.numbers);
        free(other->topology.groups[g].key_relays.numbers);
    }
    free(other->topology.groups);
}

static bool is_enough(const struct topology *t, const struct topology_list *relays)
{
    return relays->n > (uint64_t)topology_colluders(t, 1) + topology_spares(t, 1);
}

/* Whether the stations of these clients suffice for a sharing of their tier. */
static bool are_enough_stations(const struct topology *t, const struct plan_route *route)
{
    return route->lists[0]->n > (uint64_t)topology_colluders(t, 0) + topology_spares(t, 0);
}

static int fill_groups(struct plan *other, const struct plan *p, uint32_t *n_reaching,
                       struct hagg_err *err)
{
    struct topology *t = &other->topology;

    for (size_t g = 0; g < t->n_groups; g++) {
        struct topology_group *group = &t->groups[g];
        struct plan_route shares, keys;

        *group = p->topology.groups[g];
        group->relays = group->key_relays = (struct topology_list){ 0 };
        if (t->full && !p->topology.full)
            group->keys = (struct topology_list){ 0 };
        plan_route(other, group, PLAN_SHARES, &shares);
        plan_route(other, group, PLAN_KEYS, &keys);
        if (find_common(&group->relays, t, shares.lists[0], n_reaching) ||
            (t->full && find_common(&group->key_relays, t, keys.lists[0], n_reaching)))
            return err_errno(err, "%s", p->name);
        if (!are_enough_stations(t, &shares) || !is_enough(t, &group->relays) ||
            (t->full && (!are_enough_stations(t, &keys) || !is_enough(t, &group->key_relays))))
            return 0;
    }
    return 1;
}

int resharing_plan(struct plan *other, const struct plan *p, bool full, struct hagg_err *err)
{
    uint32_t *n_reaching = calloc((size_t)p->topology.n_relays + 1, sizeof *n_reaching);
    int answer = -1;

    *other = *p;
    other->topology.full = full;
    other->topology.transform = true;
    other->topology.groups = calloc(p->topology.n_groups, sizeof *other->topology.groups);
    if (!n_reaching || !other->topology.groups)
        err_errno(err, "%s", p->name);
    else
        answer = fill_groups(other, p, n_reaching, err);
    free(n_reaching);
    if (answer <= 0)
        resharing_plan_free(other);
    return answer;
}

static int compare_relays(const void *a, const void *b)
{
    const struct topology_list *x = *(const struct topology_list *const *)a;
    const struct topology_list *y = *(const struct topology_list *const *)b;

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return memcmp(x->numbers, y->numbers, x->n * sizeof *x->numbers);
}

/* The sums of all patterns, those of the same relays merged. */
static int add_sums(struct sheet *sheet, const struct plan *other, uint64_t length,
                    const struct plan_patterns *patterns, struct hagg_err *err)
{
    const struct topology_list **sets = calloc(patterns->n, sizeof *sets);
    int status = sets ? 0 : err_errno(err, "%s", other->name);

    for (size_t i = 0; i < patterns->n && sets; i++)
        sets[i] = patterns->routes[i].lists[1];
    if (sets)
        qsort(sets, patterns->n, sizeof *sets, compare_relays);
    for (size_t i = 0; i < patterns->n && status == 0; i++) {
        bool is_new = i == 0 || compare_relays(&sets[i - 1], &sets[i]) != 0;

        status = resharing_add(sheet, other, length, RESHARING_TRANSPORT,
                               (uint32_t)patterns->routes[i].lists[0]->n, (uint32_t)sets[i]->n, 0,
                               is_new, err);
    }
    free(sets);
    return status;
}

int resharing_transport_of_plan(struct sheet *sheet, const struct plan *other, uint64_t length,
                                struct hagg_err *err)
{
    struct plan_patterns patterns;
    struct setsizes sizes;
    int status;

    if (setsizes_of_plan(&sizes, other, PLAN_SHARES, 0, err))
        return -1;
    status = protocols_add_clients(sheet, other, length, &sizes, err);
    setsizes_free(&sizes);
    if (status == 0)
        status = plan_patterns_new(&patterns, other, PLAN_SHARES, 0, err);
    if (status)
        return -1;
    for (size_t i = 0; i < patterns.n && status == 0; i++)
        status = resharing_add(sheet, other, length, RESHARING_TRANSPORT,
                               (uint32_t)patterns.routes[i].lists[0]->n,
                               (uint32_t)patterns.routes[i].lists[1]->n, 1, 0, err);
    if (status == 0)
        status = add_sums(sheet, other, length, &patterns, err);
    plan_patterns_free(&patterns);
    return status;
}
