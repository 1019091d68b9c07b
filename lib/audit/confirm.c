#include "audit/confirm.h"

#include <stdlib.h>
#include <string.h>

#include "audit/model_build.h"
#include "audit/search.h"
#include "audit/subnet.h"
#include "audit/unlimited.h"
#include "base/splitmix.h"
#include "plan/plan_aligned.h"

/* A whole plan with more clients, or with messages of more terms, takes too long. */
#define MAX_CLIENTS 100u
#define MAX_TERMS   50000u
/* A part of a network has at most so many clients and segments, and fewer clients if it has more
 * terms. */
#define PART_CLIENTS  6u
#define PART_SEGMENTS 8u
#define PART_TERMS    1000000u

struct verifier {
    struct audit_result *r;
    const struct model *m;
    uint64_t state;
    bool whole;
    struct model unlimited; /* of the whole plan, if it has seeds; otherwise empty */
};

/* With protocol aligned, the masks are combinations of all random values. */
static bool is_small(const struct plan *p)
{
    uint64_t n_values = 0;

    for (uint32_t i = 0; p->aligned && i < p->aligned->sharing.n; i++)
        n_values += p->aligned->n_rows[i];
    return p->topology.n_clients <= MAX_CLIENTS &&
           n_values * n_values * (p->topology.dealers.n + 1) <= MAX_TERMS;
}

static bool has_common(const struct topology_list *a, const struct topology_list *b)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (a->numbers[i] == b->numbers[j])
                return true;
    return false;
}

/* True if the clients are related: they have stations in common. */
static bool are_near(const struct topology *t, uint32_t a, uint32_t b)
{
    return has_common(topology_reach(&t->groups[t->clients[a].group]),
                      topology_reach(&t->groups[t->clients[b].group]));
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static bool is_chosen(const uint32_t *clients, size_t n, uint32_t client)
{
    for (size_t i = 0; i < n; i++)
        if (clients[i] == client)
            return true;
    return false;
}

/* Chooses a random client and others, most of them near it. Returns how many. */
static size_t choose_clients(struct verifier *v, uint32_t clients[PART_CLIENTS], size_t most)
{
    const struct topology *t = &v->m->rest->plan->topology;
    size_t n = 0;

    for (size_t tries = 0; tries < 200 && n < most; tries++) {
        uint32_t client = splitmix_below(&v->state, (uint32_t)t->n_clients);

        if (!is_chosen(clients, n, client) &&
            (n == 0 || tries % 16 == 15 || are_near(t, clients[0], client)))
            clients[n++] = client;
    }
    qsort(clients, n, sizeof *clients, compare_numbers);
    return n;
}

/* Makes the set of a side, with stations and relays that see something: those that are marked. */
static int choose_set(struct verifier *v, const struct model *m, const struct topology *t,
                      const struct audit_side *s, struct coalition *who, struct hagg_err *err)
{
    size_t n_nodes = model_n_nodes(m), n_spare = m->n_clients > 2 ? m->n_clients - 2 : 0;
    uint32_t left[] = { s->stations, s->relays };
    bool *used = calloc(n_nodes, sizeof *used);

    if (!used || coalition_new(who, m, err)) {
        free(used);
        return used ? -1 : err_errno(err, "no memory to verify a proof");
    }
    who->nodes[MODEL_FEDERATOR] = s->federator;
    for (size_t g = 0; g < t->n_groups; g++) {
        for (size_t i = 0; i < topology_reach(&t->groups[g])->n; i++)
            used[model_station(topology_reach(&t->groups[g])->numbers[i])] = true;
        for (size_t i = 0; i < t->groups[g].relays.n; i++)
            used[model_relay(m, t->groups[g].relays.numbers[i])] = true;
        for (size_t i = 0; i < t->groups[g].key_relays.n; i++)
            used[model_relay(m, t->groups[g].key_relays.numbers[i])] = true;
    }
    for (size_t tries = 0; tries < 1000 && n_nodes > 1; tries++) {
        size_t node = 1 + splitmix_below(&v->state, (uint32_t)n_nodes - 1);
        uint32_t *more = &left[node > m->n_stations];

        if (used[node] && !who->nodes[node] && *more > 0) {
            who->nodes[node] = true;
            --*more;
        }
    }
    for (uint32_t i = 0; i < s->clients && i < n_spare; i++)
        who->clients[splitmix_below(&v->state, (uint32_t)m->n_clients)] = COALITION_MEMBER;
    free(used);
    return 0;
}

/* Learns the same from all messages as from the sums: 1 or 0; -1 on failure. */
static int agrees(const struct verifier *v, const struct model *sums, const struct model *all,
                  const struct coalition *who, struct hagg_err *err)
{
    struct learnt expected, learnt = { 0 };
    int holds = -1;

    if (learnt_new(&expected, sums, who, err))
        return -1;
    if (learnt_new(&learnt, all, who, err) == 0)
        /* of the whole plan it is also known that nothing leaks */
        holds = learnt.rank * expected.cut == expected.rank * learnt.cut &&
                (!v->whole || learnt.rank == 0);
    learnt_free(&expected);
    learnt_free(&learnt);
    return holds;
}

/* Writes the members as "stations 1 4 and the federator". */
static void name_nodes(const struct coalition *who, const struct model *m, struct text *text)
{
    for (uint32_t u = 1; u <= m->n_stations; u++)
        if (who->nodes[model_station(u)])
            text_printf(text, " station %u,", u);
    for (uint32_t r = 1; r <= m->n_relays; r++)
        if (who->nodes[model_relay(m, r)])
            text_printf(text, " relay %u,", r);
    text_printf(text, who->nodes[MODEL_FEDERATOR] ? " the federator" : " without the federator");
}

static int contradicts(const struct coalition *who, const struct model *m, const char *plan,
                       struct hagg_err *err)
{
    struct text text = { 0 };

    name_nodes(who, m, &text);
    err_set(err, HAGG_E_PRIVACY,
            "%s: the proof is wrong: by elimination, a coalition of%s learns more than the proof "
            "allows. This is an error in hagg: do not rely on this audit, and report it",
            plan, text.bytes ? text.bytes : "");
    text_free(&text);
    return -1;
}

/* In a plan with seeds, what is claimed against coalitions of unlimited computing power is right: 1
 * or 0; -1 on failure. */
static int seeds_agree(const struct verifier *v, const struct model *sums,
                       const struct coalition *who, struct hagg_err *err)
{
    const struct plan *p = sums->rest->plan;
    struct audit_bounds bounds = audit_bounds_of(p);
    struct unlimited u = { 0 };
    struct model all = { 0 };
    int holds = -1;

    if (!topology_has_seeds(&p->topology))
        return 1;
    if (v->whole)
        return v->r->unlimited ? unlimited_check(v->r->unlimited, &v->unlimited, sums, who, err)
                               : 1;
    if (unlimited_new(&u, sums, &bounds, err) == 0 &&
        model_build_unlimited(&all, p, PART_TERMS, err) == 0) {
        all.deadline = sums->deadline;
        holds = unlimited_check(&u, &all, sums, who, err);
    }
    unlimited_free(&u);
    model_free(&all);
    return holds;
}

static int check_set(struct verifier *v, const struct model *sums, const struct model *all,
                     const struct topology *t, const struct audit_side *s, struct hagg_err *err)
{
    struct coalition who;
    int holds;

    if (choose_set(v, sums, t, s, &who, err))
        return -1;
    holds = agrees(v, sums, all, &who, err);
    if (holds == 1)
        holds = seeds_agree(v, sums, &who, err);
    if (holds == 0)
        holds = contradicts(&who, sums, v->m->rest->plan->name, err);
    coalition_free(&who);
    return holds == 1 ? 0 : -1;
}

/* Examines a set of a random part of the network, with fewer clients if it is too large. */
static int check_part(struct verifier *v, const struct audit_side *s, struct hagg_err *err)
{
    uint32_t clients[PART_CLIENTS], n_segments = 1 + splitmix_below(&v->state, PART_SEGMENTS);
    int status = -1;

    for (size_t most = PART_CLIENTS; most >= 2; most--) {
        size_t n = choose_clients(v, clients, most);
        struct subnet net = { 0 };
        struct model sums = { 0 }, all = { 0 };

        *err = (struct hagg_err){ 0 };
        if (subnet_new(&net, v->m->rest->plan, clients, n, n_segments, err))
            return -1;
        if (model_build_sums(&sums, &net.plan, PART_TERMS, err) == 0 &&
            model_build(&all, &net.plan, PART_TERMS, err) == 0) {
            sums.deadline = all.deadline = v->m->deadline;
            status = check_set(v, &sums, &all, &net.plan.topology, s, err);
        }
        model_free(&sums);
        model_free(&all);
        subnet_free(&net);
        if (status == 0 && n > v->r->n_verified_clients)
            v->r->n_verified_clients = n;
        if (status == 0 || err->status != HAGG_E_USAGE)
            break;
    }
    return status;
}

static int check_one(struct verifier *v, const struct audit_side *s, struct hagg_err *err)
{
    const struct plan *p = v->m->rest->plan;

    if (!v->whole)
        return check_part(v, s, err);
    v->r->n_verified_clients = v->m->n_clients;
    return check_set(v, v->m, v->m->rest->messages, &p->topology, s, err);
}

/* Builds the messages of the whole plan if they are few. */
static int set_whole(struct verifier *v, struct hagg_err *err)
{
    struct model_rest *rest = v->m->rest;
    size_t most_terms = rest->most_terms;

    if (!is_small(rest->plan))
        return 0;
    rest->most_terms = MAX_TERMS;
    v->whole = model_messages(v->m, err) != NULL &&
               (!topology_has_seeds(&rest->plan->topology) ||
                model_build_unlimited(&v->unlimited, rest->plan, MAX_TERMS, err) == 0);
    rest->most_terms = most_terms;
    v->unlimited.deadline = v->m->deadline;
    if (!v->whole && err->status != HAGG_E_USAGE)
        return -1;
    *err = (struct hagg_err){ 0 };
    return 0;
}

int confirm_proof(struct audit_result *r, const struct model *m, uint64_t n, uint64_t seed,
                  struct progress *progress, struct hagg_err *err)
{
    struct verifier v = { .r = r, .m = m, .state = seed };
    const struct audit_side *proved[AUDIT_SIDES];
    size_t n_proved = 0;
    int status;

    for (size_t i = 0; i < r->n_sides; i++)
        if (r->sides[i].how == AUDIT_PROVED)
            proved[n_proved++] = &r->sides[i];
    if (n_proved == 0 || n == 0)
        return 0;
    status = set_whole(&v, err);
    progress_expect(progress, n);
    for (uint64_t i = 0; i < n && status == 0; i++) {
        status = check_one(&v, proved[i % n_proved], err);
        r->n_verified += status == 0;
        progress_add(progress, 1);
    }
    model_free(&v.unlimited);
    /* too large a system, or not enough time: the number tells */
    if (status && (err->status == HAGG_E_TOO_FEW || err->status == HAGG_E_USAGE)) {
        *err = (struct hagg_err){ 0 };
        status = 0;
    }
    return status;
}
