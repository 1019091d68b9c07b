#include "audit/unlimited.h"

#include <stdlib.h>
#include <string.h>

#include "audit/hiding.h"
#include "audit/proof.h"
#include "audit/structure.h"
#include "audit/subnet.h"
#include "base/array.h"
#include "plan/plan_aligned.h"
#include "protocol/protocol.h"

/* What the clients of a group send. */
struct sent {
    struct unlimited_kind kind; /* its clients are empty */
    bool seeds;
    uint32_t group;
};

struct finder {
    const struct plan *plan;
    const struct model *m;
    struct sent *sent; /* by group; later sorted by kind */
    uint32_t *kind_of; /* by group: index among the kinds, or UINT32_MAX */
};

static void clear_kind(struct unlimited_kind *k)
{
    rangeset_free(&k->clients);
    rangeset_free(&k->computed);
    rangeset_free(&k->key_computed);
    rangeset_free(&k->couriers);
}

/* If stations may be missing, any station that the client reaches may be its courier. */
static int add_couriers(struct unlimited_kind *k, const struct topology *t, const struct message *s,
                        struct hagg_err *err)
{
    const struct topology_list *via = &t->groups[topology_client(t, s->from.number)->group].via;

    for (size_t i = 0; t->drop_stations > 0 && i < via->n; i++)
        if (rangeset_add(&k->couriers, via->numbers[i], via->numbers[i], err))
            return -1;
    return rangeset_add(&k->couriers, s->courier, s->courier, err);
}

static int note_message(void *finder, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct finder *f = finder;
    const struct topology *t = &f->plan->topology;
    struct sent *sent;

    (void)n;
    if (s->from.tier != NODE_CLIENT)
        return 0;
    sent = &f->sent[topology_client(t, s->from.number)->group];
    sent->seeds = sent->seeds || s->seed;
    if (s->courier > 0 && add_couriers(&sent->kind, t, s, err))
        return -1;
    sent->kind.carried = sent->kind.carried || (s->courier > 0 && !s->seed);
    /* a key in the clear has no random vectors; to know it is no help without a share */
    if (s->seed || s->n_draws == 0)
        return 0;
    return rangeset_add(s->stage->secret == HEADER_KEY ? &sent->kind.key_computed
                                                       : &sent->kind.computed,
                        s->to.number, s->to.number, err);
}

static int note_messages(struct finder *f, struct hagg_err *err)
{
    struct protocol *p = protocol_open(f->plan, NULL, err);
    int status = p ? protocol_each_group(p, note_message, f, err) : -1;

    protocol_free(p);
    return status;
}

static int compare_sets(const struct rangeset *a, const struct rangeset *b)
{
    struct header_range range;
    bool in_a;

    if (!rangeset_difference(a->ranges, a->n, b->ranges, b->n, &range, &in_a))
        return 0;
    return in_a ? -1 : 1;
}

static int compare_kinds(const struct sent *a, const struct sent *b)
{
    int order = (int)b->seeds - (int)a->seeds;

    if (order == 0)
        order = compare_sets(&a->kind.computed, &b->kind.computed);
    if (order == 0)
        order = compare_sets(&a->kind.key_computed, &b->kind.key_computed);
    if (order == 0)
        order = (int)b->kind.carried - (int)a->kind.carried;
    return order ? order : compare_sets(&a->kind.couriers, &b->kind.couriers);
}

static int compare_sent(const void *a, const void *b)
{
    const struct sent *x = a, *y = b;
    int order = compare_kinds(x, y);

    return order ? order : (x->group > y->group) - (x->group < y->group);
}

/* Makes the kinds of clients with seeds, and takes the sets of stations from f->sent. */
static int make_kinds(struct unlimited *u, struct finder *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;

    qsort(f->sent, t->n_groups, sizeof *f->sent, compare_sent);
    for (size_t i = 0; i < t->n_groups; i++) {
        struct sent *s = &f->sent[i];

        f->kind_of[s->group] = UINT32_MAX;
        if (!s->seeds)
            continue;
        f->kind_of[s->group] = (uint32_t)u->n_kinds - 1;
        if (i > 0 && compare_kinds(s, &f->sent[i - 1]) == 0)
            continue;
        if (ARRAY_RESERVE(u->kinds, u->n_kinds + 1, u->max_kinds))
            return err_errno(err, "%s", f->plan->name);
        f->kind_of[s->group] = (uint32_t)u->n_kinds++;
        u->has_couriers = u->has_couriers || s->kind.couriers.n > 0;
    }
    /* a set is needed for the comparison with the next */
    for (size_t i = 0; i < t->n_groups; i++) {
        uint32_t kind = f->kind_of[f->sent[i].group];

        if (kind == UINT32_MAX || (i > 0 && kind == f->kind_of[f->sent[i - 1].group]))
            continue;
        u->kinds[kind] = f->sent[i].kind;
        f->sent[i].kind = (struct unlimited_kind){ 0 };
    }
    return 0;
}

static int add_clients(struct unlimited *u, const struct finder *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t kind = f->kind_of[t->clients[i].group], number = t->clients[i].number;

        if (rangeset_append(kind == UINT32_MAX ? &u->proved : &u->kinds[kind].clients, number,
                            number, err))
            return -1;
    }
    rangeset_settle(&u->proved);
    for (size_t i = 0; i < u->n_kinds; i++)
        rangeset_settle(&u->kinds[i].clients);
    return 0;
}

/* True if all clients with seeds compute shares for the same stations. */
static bool same_computed(const struct unlimited *u)
{
    for (size_t i = 1; i < u->n_kinds; i++)
        if (compare_sets(&u->kinds[0].computed, &u->kinds[i].computed))
            return false;
    return true;
}

static bool uses_bare(const struct plan_aligned *a, const struct unlimited_kind *k)
{
    for (uint32_t i = 0; i < a->sharing.n; i++)
        if (a->bare[i] &&
            rangeset_overlap(&k->computed, a->stations.numbers[i], a->stations.numbers[i]))
            return true;
    return false;
}

/* Finds out for which clients the federator learns nothing from its sums. */
static int judge_federator(struct unlimited *u, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns patterns = { 0 };
    bool one_class;

    if (!t->aligned && plan_patterns_new(&patterns, p, PLAN_SHARES, 0, err))
        return -1;
    one_class = t->aligned ? t->dealers.n == 0 : !t->full && patterns.n == 1;
    if (!t->aligned)
        plan_patterns_free(&patterns);
    for (size_t i = 0; i < u->n_kinds; i++)
        u->kinds[i].federator = one_class ? !same_computed(u)
                                : !t->aligned || t->computational
                                    ? true
                                    : !t->full && uses_bare(p->aligned, &u->kinds[i]);
    return 0;
}

/* The sharings of protocol keys hide their secrets from as many holders as have seeds. */
static int keys_hide(const struct finder *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;
    bool *sizes = calloc(t->n_stations + (size_t)1, sizeof *sizes);
    int holds = sizes ? 1 : err_errno(err, "%s", f->plan->name);

    for (size_t g = 0; g < t->n_groups && holds == 1; g++)
        for (int what = 0; what < (t->full ? 2 : 1) && holds == 1; what++) {
            struct plan_route route;
            struct sharing s;
            size_t n;

            plan_route(f->plan, &t->groups[g], what ? PLAN_KEYS : PLAN_SHARES, &route);
            n = route.lists[0]->n;
            if (!t->groups[g].computational || sizes[n])
                continue;
            sizes[n] = true;
            if (plan_sharing(f->plan, 0, (uint32_t)n, NULL, &s, err))
                holds = -1;
            else {
                holds = hiding_by_points(&s);
                sharing_free(&s);
            }
        }
    free(sizes);
    return holds;
}

/* Answers: 1 if the premises hold, 0 if not, -1 on failure. */
static int check_premises(const struct finder *f, const struct audit_bounds *bounds,
                          struct hagg_err *err)
{
    const struct audit_side side = { .stations = bounds->stations };
    int holds = structure_holds(f->m, &side, NULL, err);

    return holds == 1 && !f->plan->topology.aligned ? keys_hide(f, err) : holds;
}

/* With protocol keys, the federator learns sums of some clients, so the plan with only the clients
 * without seeds must be private. Answers are as above. */
static int rest_is_private(const struct unlimited *u, const struct finder *f,
                           const struct audit_bounds *bounds, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;
    uint32_t *clients = calloc(t->n_clients + 1, sizeof *clients);
    struct subnet net = { 0 };
    struct model m = { 0 };
    size_t n = 0;
    int answer = PROOF_ERROR;

    for (uint32_t i = 0; clients && i < t->n_clients; i++)
        if (rangeset_overlap(&u->proved, t->clients[i].number, t->clients[i].number))
            clients[n++] = i;
    if (!clients)
        err_errno(err, "%s", f->plan->name);
    else if (subnet_new(&net, f->plan, clients, n, 0, err) == 0 &&
             model_build_sums(&m, &net.plan, 0, err) == 0) {
        m.deadline = f->m->deadline;
        answer = structure_decide(&m, bounds, NULL, err);
    }
    model_free(&m);
    subnet_free(&net);
    free(clients);
    return answer == PROOF_ERROR ? -1 : answer == PROOF_PRIVATE;
}

/* The number of clients with seeds whose privacy is information-theoretic against all coalitions
 * with the federator. Under full collusion these have stations, so there are none. */
static uint64_t count_others(const struct unlimited *u, bool full)
{
    uint64_t n = 0;

    for (size_t i = 0; i < u->n_kinds && !full; i++)
        n += u->kinds[i].federator ? 0 : rangeset_count(&u->kinds[i].clients);
    return n;
}

/* Decides whether enough clients remain for those without seeds if the others count as colluding.
 * If not, these are a kind, too. */
static int judge_without(struct unlimited *u, const struct finder *f,
                         const struct audit_bounds *bounds, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;
    uint64_t n = rangeset_count(&u->proved), n_others = count_others(u, t->full);
    int holds = n + n_others >= u->fewest;

    if (holds && !t->aligned && (t->full || n + n_others < t->n_clients))
        holds = n >= u->fewest ? rest_is_private(u, f, bounds, err) : 0;
    if (holds || n == 0)
        return holds < 0 ? -1 : 0;
    if (ARRAY_RESERVE(u->kinds, u->n_kinds + 1, u->max_kinds))
        return err_errno(err, "%s", f->plan->name);
    u->kinds[u->n_kinds++] = (struct unlimited_kind){ .clients = u->proved, .federator = true };
    u->proved = (struct rangeset){ 0 };
    return 0;
}

/* The clients for which nothing is claimed against some coalition may all be in a total. */
static uint64_t minimum_needed(const struct unlimited *u, const struct topology *t)
{
    uint64_t needed = t->n_clients - rangeset_count(&u->proved) + u->fewest;

    return u->proved.n > 0 && topology_smallest_total(t) < needed ? needed : 0;
}

static int compare_first(const void *a, const void *b)
{
    const struct unlimited_kind *x = a, *y = b;

    return (x->clients.ranges[0].first > y->clients.ranges[0].first) -
           (x->clients.ranges[0].first < y->clients.ranges[0].first);
}

int unlimited_new(struct unlimited *u, const struct model *m, const struct audit_bounds *bounds,
                  struct hagg_err *err)
{
    const struct plan *p = m->rest->plan;
    size_t n_groups = p->topology.n_groups;
    struct finder f = { .plan = p, .m = m };
    int holds, status = -1;

    *u = (struct unlimited){ .fewest = bounds->clients + 2,
                             .few_missing = !p->topology.aligned && p->topology.full,
                             .most_missing = bounds->missing };
    f.sent = calloc(n_groups + 1, sizeof *f.sent);
    f.kind_of = calloc(n_groups + 1, sizeof *f.kind_of);
    if (!f.sent || !f.kind_of) {
        err_errno(err, "%s", p->name);
        goto out;
    }
    for (size_t i = 0; i < n_groups; i++)
        f.sent[i].group = (uint32_t)i;
    holds = check_premises(&f, bounds, err);
    u->open = holds == 0;
    if (holds < 0 || note_messages(&f, err) || make_kinds(u, &f, err) || add_clients(u, &f, err) ||
        judge_federator(u, p, err) || judge_without(u, &f, bounds, err))
        goto out;
    u->minimum = minimum_needed(u, &p->topology);
    if (u->n_kinds > 0)
        qsort(u->kinds, u->n_kinds, sizeof *u->kinds, compare_first);
    status = 0;
out:
    for (size_t i = 0; f.sent && i < n_groups; i++)
        clear_kind(&f.sent[i].kind);
    free(f.sent);
    free(f.kind_of);
    return status;
}

void unlimited_free(struct unlimited *u)
{
    for (size_t i = 0; i < u->n_kinds; i++)
        clear_kind(&u->kinds[i]);
    free(u->kinds);
    rangeset_free(&u->proved);
    *u = (struct unlimited){ 0 };
}

static bool has_station(const struct rangeset *set, const struct model *m, const bool *nodes)
{
    for (uint32_t i = 1; i <= m->n_stations; i++)
        if (nodes[model_station(i)] && rangeset_overlap(set, i, i))
            return true;
    return false;
}

/* True if the federator or a relay is among the nodes. */
static bool see_sums(const struct model *m, const bool *nodes)
{
    bool found = nodes[MODEL_FEDERATOR];

    for (uint32_t i = 1; i <= m->n_relays; i++)
        found = found || nodes[model_relay(m, i)];
    return found;
}

bool unlimited_holds(const struct unlimited_kind *k, const struct model *m, const bool *nodes)
{
    if ((k->federator && see_sums(m, nodes)) || (k->carried && has_station(&k->couriers, m, nodes)))
        return false;
    return !has_station(&k->computed, m, nodes) ||
           (k->key_computed.n > 0 && !has_station(&k->key_computed, m, nodes));
}

int unlimited_check(const struct unlimited *u, const struct model *all, const struct model *m,
                    const struct coalition *who, struct hagg_err *err)
{
    struct coalition more;
    size_t n_honest = 0;
    int leaks = coalition_translate(&more, all, who, m, err);

    for (size_t i = 0; i < u->n_kinds && leaks == 0; i++)
        if (u->open || !unlimited_holds(&u->kinds[i], all, more.nodes))
            leaks = coalition_set_clients(&more, all, &u->kinds[i].clients, COALITION_MEMBER, err);
    for (size_t i = 0; i < all->n_profiles && leaks == 0; i++)
        n_honest += coalition_count(&more, all, i, COALITION_HONEST);
    /* nothing is claimed for a total with a single one of these clients */
    if (leaks == 0 && !u->open && n_honest > see_sums(all, more.nodes))
        leaks = learnt_leaks(all, &more, LEARNT_COLUMNS, err);
    coalition_free(&more);
    return leaks < 0 ? -1 : leaks == 0;
}
