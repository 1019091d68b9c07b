#include "audit/promise.h"

#include <math.h>
#include <stdlib.h>

#include "audit/shares_learnt.h"
#include "base/ratio.h"
#include "plan/plan_aligned.h"
#include "plan/plan_promises.h"

/* True if masks hide everything but the total from the federator and so many stations. Under
 * partial collusion stations do not collude with the federator. */
static bool masks_hide(const struct plan *p, uint32_t stations)
{
    const struct topology *t = &p->topology;

    return !t->full || t->dealers.n == 0 ||
           t->dealers.n >= p->aligned->chunks + (uint64_t)stations + topology_spares(t, 0);
}

static bool exceeds(uint64_t num, uint64_t den, const struct topology_tolerated *t)
{
    return (unsigned __int128)num * t->den > (unsigned __int128)t->num * den;
}

static void lowest(struct promise *p)
{
    uint64_t common = ratio_gcd(p->num, p->den);

    p->num /= common;
    p->den /= common;
}

/* What is learnt is linear combinations of elements. If there are few values, one combination may
 * determine several of them: it has at most the bits of an element. */
static double part_of_bits(const struct promises *all, const struct promise *p)
{
    double part = (double)p->num / (double)p->den * all->of_element;

    return part < all->of_value ? part / all->of_value : 1;
}

/* Classes about whose clients most is learnt first. */
struct order {
    uint64_t learnt;    /* about each client, in forms */
    uint64_t n_clients; /* of this class, */
    uint64_t so_far;    /* and of this and all before it */
};

static int compare(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    return (x->learnt < y->learnt) - (x->learnt > y->learnt);
}

/* Returns the first class up to which there are so many clients, or n. */
static size_t find_class(const struct order *order, size_t n, uint64_t n_clients)
{
    size_t first = 0, end = n;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (order[middle].so_far >= n_clients)
            end = middle;
        else
            first = middle + 1;
    }
    return first;
}

/* An upper bound for what the total adds about a client of class i. It is known of each of n_others
 * clients, which at worst are those of other classes about whom most is learnt. */
static uint64_t from_total(const struct order *order, size_t n, size_t i, uint64_t n_others)
{
    size_t last = find_class(order, n, n_others);

    if (i <= last)
        last = find_class(order, n, n_others + order[i].n_clients);
    return last < n ? order[last].learnt : 0;
}

/* Returns an upper bound for the forms that are learnt about a client in any total of the plan. If
 * a total has another client of the same class, the total adds nothing about this one. */
static uint64_t bound_with_total(const struct topology *t, const struct shares_learnt *s,
                                 struct order *order)
{
    uint64_t gone = t->collude_clients + UINT64_C(1), total = topology_smallest_total(t);
    uint64_t most = 0;

    if (total <= gone) /* it may be the vector of a single honest client */
        return s->den;
    for (size_t i = 0; i < s->classes.n; i++)
        order[i] =
            (struct order){ .learnt = shares_learnt_most(s, i), .n_clients = s->n_clients[i] };
    qsort(order, s->classes.n, sizeof *order, compare);
    for (size_t i = 0; i < s->classes.n; i++)
        order[i].so_far = (i > 0 ? order[i - 1].so_far : 0) + order[i].n_clients;
    for (size_t i = 0; i < s->classes.n; i++) {
        uint64_t learnt = order[i].learnt + from_total(order, s->classes.n, i, total - gone);

        most = learnt > most ? learnt : most;
    }
    return most < s->den ? most : s->den;
}

static int bound(struct promise *p, const struct plan *plan, uint32_t stations,
                 struct hagg_err *err)
{
    struct shares_learnt s;
    struct order *order = NULL;
    int status = -1;
    uint64_t most = 0;

    if (shares_learnt_new(&s, plan, stations, err) || shares_learnt_aligned(&s, err))
        goto out;
    order = calloc(s.classes.n + 1, sizeof *order);
    if (!order) {
        err_errno(err, "%s", plan->name);
        goto out;
    }
    for (size_t i = 0; i < s.classes.n; i++)
        most = shares_learnt_most(&s, i) > most ? shares_learnt_most(&s, i) : most;
    p->num = plan->topology.full ? bound_with_total(&plan->topology, &s, order) : most;
    p->den = s.den;
    status = 0;
out:
    free(order);
    shares_learnt_free(&s);
    return status;
}

int promise_prove(struct promises *p, const struct model *m, struct text *why, struct hagg_err *err)
{
    const struct plan *plan = m->rest ? m->rest->plan : NULL;
    int answer = 1;

    *p = (struct promises){ .total = plan && plan->topology.full };
    if (plan)
        plan_promises_bits(plan, &p->of_value, &p->of_element);
    for (size_t i = 0; plan && i < plan->topology.n_tolerated; i++) {
        const struct topology_tolerated *t = &plan->topology.tolerated[i];
        struct promise *now = &p->list[p->n++];

        now->promised = *t;
        if (bound(now, plan, t->stations, err))
            return -1;
        lowest(now);
        now->bits = part_of_bits(p, now);
        now->kept = masks_hide(plan, t->stations) && !exceeds(now->num, now->den, t);
        if (!now->kept && answer == 1) {
            answer = 0;
            text_printf(why, "%u stations%s may learn more than the promised %u/%u of a vector",
                        t->stations, p->total ? " and the federator" : "", t->num, t->den);
        }
    }
    return answer;
}

/* The promise about these colluders; NULL: none. */
static const struct topology_tolerated *find_promise(const struct coalition *who,
                                                     const struct model *m)
{
    const struct topology *t = &m->rest->plan->topology;
    struct audit_bounds bounds = audit_bounds_of(m->rest->plan);
    uint64_t may_miss = t->n_clients - topology_smallest_total(t);
    uint32_t stations = 0, clients = 0, missing = 0;

    for (uint32_t i = 1; i <= m->n_stations; i++)
        stations += who->nodes[model_station(i)];
    for (size_t i = 0; i < m->n_clients; i++) {
        clients += who->clients[i] == COALITION_MEMBER;
        missing += who->clients[i] == COALITION_MISSING;
    }
    if (stations <= bounds.stations || clients > bounds.clients || missing > may_miss ||
        (!bounds.full && (who->nodes[MODEL_FEDERATOR] || who->total)))
        return NULL;
    for (size_t i = 0; i < t->n_tolerated; i++)
        if (stations <= t->tolerated[i].stations)
            return &t->tolerated[i];
    return NULL;
}

void promise_compare(struct promises *p, const struct audit_result *r, const struct model *m)
{
    const struct learnt *l = r->n_leaks > 0 ? &r->leaks[0].learnt : NULL;
    const struct topology_tolerated *t = l && m->rest ? find_promise(&r->leaks[0].who, m) : NULL;
    bool kept = true;
    size_t num = 0, den;

    *p = (struct promises){ 0 };
    if (!t)
        return;
    den = l->cut;
    for (size_t i = 0; i < l->n_parts; i++) {
        kept = kept && l->parts[i].kind == LEARNT_EACH;
        if (l->parts[i].kind == LEARNT_EACH && l->parts[i].rank > num)
            num = l->parts[i].rank;
    }
    p->n = 1;
    p->list[0] = (struct promise){
        .promised = *t, .num = num, .den = den, .kept = kept && !exceeds(num, den, t)
    };
    lowest(&p->list[0]);
}

bool promise_tolerates(const struct audit_result *r)
{
    return r->one && r->promises && r->promises->n > 0 && r->promises->list[0].kept;
}

static void put_fraction(uint64_t num, uint64_t den, struct text *text)
{
    text_printf(text, "%llu", (unsigned long long)num);
    if (den > 1)
        text_printf(text, "/%llu", (unsigned long long)den);
}

void promise_put(const struct promises *p, struct text *text)
{
    for (size_t i = 0; i < p->n; i++) {
        text_printf(text, "%u stations%s learn at most ", p->list[i].promised.stations,
                    p->total ? " and the federator" : "");
        put_fraction(p->list[i].num, p->list[i].den, text);
        text_printf(text, " of any vector (promised: %u/%u)\n", p->list[i].promised.num,
                    p->list[i].promised.den);
        if (p->list[i].num == 0 || p->of_value >= p->of_element)
            continue;
        text_printf(text, "a value has %.3g of the %.3g bits of an element, so this may be ",
                    p->of_value, p->of_element);
        if (p->list[i].bits < 1)
            text_printf(text, "up to %.0f%% of the bits of a vector\n",
                        ceil(100 * p->list[i].bits));
        else
            text_printf(text, "enough to find the whole vector\n");
    }
}

void promise_put_compared(const struct promises *p, struct text *text)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct topology_tolerated *t = &p->list[i].promised;

        text_printf(text,
                    "the plan tolerates %s: up to %u stations may learn %u/%u of each vector\n",
                    p->list[i].kept ? "this" : "less", t->stations, t->num, t->den);
    }
}

void promise_json(const struct promises *p, struct json *j)
{
    json_open(j, "tolerated", '[');
    for (size_t i = 0; i < p->n; i++) {
        struct text learnt = { 0 }, promised = { 0 };

        put_fraction(p->list[i].num, p->list[i].den, &learnt);
        put_fraction(p->list[i].promised.num, p->list[i].promised.den, &promised);
        json_open(j, NULL, '{');
        json_uint(j, "stations", p->list[i].promised.stations);
        json_string(j, "promised", text_ok(&promised) ? promised.bytes : "");
        json_string(j, "learnt", text_ok(&learnt) ? learnt.bytes : "");
        json_bool(j, "kept", p->list[i].kept);
        json_close(j, '}');
        text_free(&learnt);
        text_free(&promised);
    }
    json_close(j, ']');
}
