#include "plan/plan_promises.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sharing/blocks.h"
#include "topology/topology_tolerate.h"
#include "vector/quantize.h"

/* Of a vector, to compare costs before their number is known. */
#define MANY_SEGMENTS (1u << 20)

struct sharing_class {
    size_t at; /* its index in the plan */
    uint32_t n_stations;
    uint64_t n_clients;
    uint64_t saving; /* scratch: what shares save that reveal something */
};

struct sharings {
    const struct topology *t;
    struct sharing_class *classes;
    size_t n;
    uint32_t segments;
    /* Honest clients in the smallest total, without the one that a coalition wants to know. */
    uint64_t n_others;
};

static uint32_t parts_of(const struct sharings *s, const struct sharing_class *c, uint32_t randoms)
{
    return c->n_stations - randoms - topology_spares(s->t, 0);
}

/* What the clients of a class send, in segments. */
static uint64_t cost_of(const struct sharings *s, const struct sharing_class *c, uint32_t randoms)
{
    uint64_t segments = s->segments > 0 ? s->segments : MANY_SEGMENTS;
    uint64_t blocks = (segments - 1) / parts_of(s, c, randoms) + 1;

    /* the last block, which may be short, needs as many more stations as the others */
    return c->n_clients * (segments + blocks * (randoms + topology_spares(s->t, 0)));
}

static uint64_t total_cost(const struct sharings *s, const uint32_t *randoms)
{
    uint64_t cost = 0;

    for (size_t i = 0; i < s->n; i++)
        cost += cost_of(s, &s->classes[i], randoms[s->classes[i].at]);
    return cost;
}

/* Clients of a few classes about whom stations learn something. */
struct revealing {
    uint64_t n, fewest; /* clients in all, and in the smallest class */
};

static void add_class(struct revealing *r, const struct sharing_class *c)
{
    r->n += c->n_clients;
    if (r->fewest == 0 || c->n_clients < r->fewest)
        r->fewest = c->n_clients;
}

/* True if, for each client of these classes, any total has another client of its class, or one
 * about whom nothing is learnt. Then the total adds nothing to what is learnt about this client. */
static bool total_adds_nothing(const struct sharings *s, const struct revealing *r)
{
    return r->n - r->fewest < s->n_others;
}

/* True if stations and the total together keep a promise. */
static bool keeps(const struct sharings *s, const struct topology_tolerated *p,
                  const uint32_t *randoms)
{
    uint64_t num[2] = { 0, 0 }, den[2] = { 1, 1 }; /* the two largest parts learnt of a vector */
    struct revealing r = { 0 };

    for (size_t i = 0; i < s->n; i++) {
        const struct sharing_class *c = &s->classes[i];
        uint32_t z = randoms[c->at], parts = parts_of(s, c, z);
        uint32_t of = s->segments > 0 ? s->segments : parts;
        uint32_t learnt = topology_tolerate_learnt(p->stations, parts, z, of);
        int place = learnt * den[0] > num[0] * of ? 0 : 1;

        if (learnt == 0)
            continue;
        add_class(&r, c);
        if (place == 0) {
            num[1] = num[0];
            den[1] = den[0];
        } else if (learnt * den[1] <= num[1] * of)
            continue;
        num[place] = learnt;
        den[place] = of;
    }
    return total_adds_nothing(s, &r) ||
           (num[0] * den[1] + num[1] * den[0]) * p->den <= p->num * den[0] * den[1];
}

/* The shares of all classes keep half of a promise, because the total may add as much again. */
static void halve(const struct sharings *s, const struct topology_tolerated *p, uint32_t *randoms)
{
    const struct topology_tolerated half = { p->stations, p->num, 2 * p->den };

    for (size_t i = 0; i < s->n; i++)
        randoms[s->classes[i].at] = topology_tolerate_randoms(
            s->t, &half, s->classes[i].n_stations, randoms[s->classes[i].at], s->segments);
}

static int compare_savings(const void *a, const void *b)
{
    const struct sharing_class *x = a, *y = b;

    if (x->saving != y->saving)
        return x->saving < y->saving ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

/* As many classes as possible keep their random vectors, those that save most first. Of the others
 * nothing is learnt. */
static void select_classes(const struct sharings *s, const struct topology_tolerated *p,
                           uint32_t *randoms)
{
    struct revealing r = { 0 };

    for (size_t i = 0; i < s->n; i++) {
        struct sharing_class *c = &s->classes[i];
        uint32_t z = randoms[c->at];

        c->saving = z < p->stations ? cost_of(s, c, p->stations) - cost_of(s, c, z) : 0;
    }
    qsort(s->classes, s->n, sizeof *s->classes, compare_savings);
    for (size_t i = 0; i < s->n; i++) {
        const struct sharing_class *c = &s->classes[i];
        struct revealing more = r;

        if (randoms[c->at] >= p->stations)
            continue;
        add_class(&more, c);
        if (total_adds_nothing(s, &more))
            r = more;
        else
            randoms[c->at] = p->stations;
    }
}

static int find_classes(struct sharings *s, const struct plan_patterns *classes,
                        const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t gone = t->collude_clients + UINT64_C(1), total = topology_smallest_total(t);

    *s = (struct sharings){ .t = t, .n = classes->n, .n_others = total > gone ? total - gone : 1 };
    s->classes = calloc(classes->n + 1, sizeof *s->classes);
    if (!s->classes)
        return err_errno(err, "%s", p->name);
    for (size_t i = 0; i < classes->n; i++)
        s->classes[i] =
            (struct sharing_class){ .at = i,
                                    .n_stations = (uint32_t)classes->routes[i].lists[0]->n };
    for (size_t i = 0; i < t->n_clients; i++)
        s->classes[classes->of_group[t->clients[i].group]].n_clients++;
    return 0;
}

/* Lets shares reveal less, so that they keep a promise together with the total, in the cheaper of
 * two ways. Promises that were kept still are. */
static int restrict_shares(const struct sharings *s, const struct topology_tolerated *p,
                           uint32_t *randoms, struct hagg_err *err)
{
    uint32_t *selected = calloc(s->n + 1, sizeof *selected);

    if (!selected)
        return err_errno(err, "no memory for the shares of %zu kinds of clients", s->n);
    memcpy(selected, randoms, s->n * sizeof *selected);
    halve(s, p, randoms);
    select_classes(s, p, selected);
    if (total_cost(s, selected) < total_cost(s, randoms))
        memcpy(randoms, selected, s->n * sizeof *selected);
    free(selected);
    return 0;
}

/* Lets shares alone keep all promises, then shares and the total. */
static int keep_promises(uint32_t *randoms, const struct plan_patterns *classes,
                         const struct plan *p, uint32_t segments, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct sharings s;
    int status = find_classes(&s, classes, p, err);

    s.segments = segments;
    for (size_t i = 0; i < classes->n && status == 0; i++)
        for (size_t j = 0; j < t->n_tolerated; j++)
            randoms[i] = topology_tolerate_randoms(t, &t->tolerated[j], s.classes[i].n_stations,
                                                   randoms[i], segments);
    /* under partial collusion stations do not know the total */
    for (size_t j = t->n_tolerated; t->full && j-- > 0 && status == 0;)
        if (!keeps(&s, &t->tolerated[j], randoms))
            status = restrict_shares(&s, &t->tolerated[j], randoms, err);
    free(s.classes);
    return status;
}

int plan_promises_randoms(uint32_t *randoms, const struct plan_patterns *classes,
                          const struct plan *p, uint32_t segments, struct hagg_err *err)
{
    for (size_t i = 0; i < classes->n; i++)
        randoms[i] = topology_colluders(&p->topology, 0);
    return p->topology.n_tolerated > 0 ? keep_promises(randoms, classes, p, segments, err) : 0;
}

/* What zeros may add to a promise, as a part of it. */
#define ALLOWANCE 100u

bool plan_promises_fill_little(uint64_t length, uint32_t segments)
{
    return segments * blocks_segment_length(segments, length) - length <= length / ALLOWANCE;
}

/* Elements that stations learn of a vector of that length, if they know the zeros behind it. */
static uint64_t learnt_of(const struct sharings *s, const struct topology_tolerated *p,
                          uint32_t parts, uint32_t z, uint64_t length)
{
    uint64_t row = blocks_segment_length(s->segments, length);
    uint32_t used = (uint32_t)((length - 1) / row + 1); /* segments that are not only zeros */
    uint64_t in_last = length - (used - 1) * row;

    return in_last * topology_tolerate_learnt(p->stations, parts, z, used) +
           (row - in_last) * topology_tolerate_learnt(p->stations, parts, z, used - 1);
}

static bool is_within(uint64_t learnt, const struct topology_tolerated *p, uint64_t length)
{
    return (unsigned __int128)learnt * p->den * ALLOWANCE <=
           (unsigned __int128)p->num * length * (ALLOWANCE + 1);
}

static bool holds_for(const struct sharings *s, const struct topology_tolerated *p,
                      const uint32_t *randoms, uint64_t length)
{
    uint64_t most = 0, second = 0;
    struct revealing r = { 0 };

    for (size_t i = 0; i < s->n; i++) {
        const struct sharing_class *c = &s->classes[i];
        uint32_t z = randoms[c->at];
        uint64_t learnt = learnt_of(s, p, parts_of(s, c, z), z, length);

        if (learnt > 0)
            add_class(&r, c);
        second = learnt > most ? most : learnt > second ? learnt : second;
        most = learnt > most ? learnt : most;
    }
    return is_within(!s->t->full || total_adds_nothing(s, &r) ? most : most + second, p, length);
}

int plan_promises_check_length(const struct plan *p, const struct plan_patterns *classes,
                               const uint32_t *randoms, uint64_t length, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct sharings s;
    int status = 0;

    if (t->n_tolerated == 0 || length == 0)
        return 0;
    if (find_classes(&s, classes, p, err))
        return -1;
    s.segments = t->segments;
    for (size_t i = 0; i < t->n_tolerated && status == 0; i++)
        if (!holds_for(&s, &t->tolerated[i], randoms, length))
            status =
                err_set(err, HAGG_E_PRIVACY,
                        "%s: of a vector of %llu elements, filled up with zeros to %u segments "
                        "of %llu, %u stations could learn more than the promised %u/%u: use "
                        "segments that divide the length, or at most a hundredth of it",
                        p->name, (unsigned long long)length, t->segments,
                        (unsigned long long)blocks_segment_length(t->segments, length),
                        t->tolerated[i].stations, t->tolerated[i].num, t->tolerated[i].den);
    free(s.classes);
    return status;
}

void plan_promises_bits(const struct plan *p, double *of_value, double *of_element)
{
    int64_t lo, hi;

    *of_element = log2((double)p->field->info.order);
    plan_integers(p, &lo, &hi);
    if (header_has_quant(&p->topology.quant))
        quantize_range(&p->topology.quant, &lo, &hi);
    *of_value = hi > lo ? log2((double)hi - (double)lo + 1) : *of_element;
}
