#include "audit/keys_proof.h"

#include <stdlib.h>

#include "audit/hiding.h"
#include "plan/plan_patterns.h"

/* Answers: 1 if a premise holds, 0 if not, -1 on failure. */

/* The sharings of vectors, or of keys. */
struct routes {
    const struct plan *plan;
    const struct audit_side *side;
    struct plan_patterns classes; /* one sharing of the stations each */
    struct plan_patterns sums;    /* classes with the same are added up by relays */
    uint32_t *sum_of;             /* by class */
    uint32_t *order;              /* classes, sum by sum */
    uint32_t *place;              /* by station: place in the sums of number `stamp` */
    uint32_t *stamp;
    bool *sizes; /* by number of holders: checked */
};

static void routes_free(struct routes *r)
{
    plan_patterns_free(&r->classes);
    plan_patterns_free(&r->sums);
    free(r->sum_of);
    free(r->order);
    free(r->place);
    free(r->stamp);
    free(r->sizes);
}

static int compare_sums(const void *a, const void *b, void *routes)
{
    const struct routes *r = routes;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (r->sum_of[x] != r->sum_of[y])
        return r->sum_of[x] < r->sum_of[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static int routes_new(struct routes *r, const struct plan *p, const struct audit_side *s,
                      enum plan_what what, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t n_nodes = (size_t)t->n_stations + t->n_relays + 1;

    *r = (struct routes){ .plan = p, .side = s };
    if (plan_patterns_new(&r->classes, p, what, 0, err) ||
        plan_patterns_new(&r->sums, p, what, t->n_relays > 0, err))
        return -1;
    r->sum_of = calloc(r->classes.n + 1, sizeof *r->sum_of);
    r->order = calloc(r->classes.n + 1, sizeof *r->order);
    r->place = calloc(n_nodes, sizeof *r->place);
    r->stamp = calloc(n_nodes, sizeof *r->stamp);
    r->sizes = calloc(n_nodes, sizeof *r->sizes);
    if (!r->sum_of || !r->order || !r->place || !r->stamp || !r->sizes)
        return err_errno(err, "%s", p->name);
    for (size_t g = 0; g < t->n_groups; g++)
        r->sum_of[r->classes.of_group[g]] = r->sums.of_group[g];
    for (uint32_t i = 0; i < r->classes.n; i++)
        r->order[i] = i;
    qsort_r(r->order, r->classes.n, sizeof *r->order, compare_sums, r);
    return 0;
}

/* No station, and no relay, has two shares of a sharing. */
static bool is_distinct(struct routes *r, const struct topology_list *list, uint32_t stamp)
{
    for (size_t i = 0; i < list->n; i++) {
        if (r->stamp[list->numbers[i]] == stamp)
            return false;
        r->stamp[list->numbers[i]] = stamp;
    }
    return true;
}

/* The first k holders decode: stations that transform multiply by the inverse of their matrix. */
static int decodes(const struct sharing *s, struct hagg_err *err)
{
    uint32_t *first = calloc(s->k + (size_t)1, sizeof *first);
    struct matrix inverse = { 0 };
    int holds = first ? 1 : err_errno(err, "no memory for a proof");

    for (uint32_t i = 0; first && i < s->k; i++)
        first[i] = i;
    if (first && sharing_inverse(s, first, &inverse, err)) {
        holds = err->status == HAGG_E_MISMATCH ? 0 : -1;
        if (holds == 0)
            *err = (struct hagg_err){ 0 };
    }
    matrix_free(&inverse);
    free(first);
    return holds;
}

/* The sharings among n holders of a tier hide their secrets from t of these. */
static int hides(struct routes *r, size_t tier, uint32_t n, uint32_t t, struct hagg_err *err)
{
    struct sharing s;
    int holds;

    if (r->sizes[n])
        return 1;
    if (plan_sharing(r->plan, tier, n, NULL, &s, err))
        return -1;
    holds = hiding_from(&s, t, err);
    if (holds == 1 && tier == 0 && r->plan->topology.transform)
        holds = decodes(&s, err);
    sharing_free(&s);
    r->sizes[n] = holds == 1;
    return holds;
}

/* Each sharing of the tier hides its secret from those who may collude. Relays that pass shares on
 * have no sharing of their own and see shares of the stations' sharing. */
static int hides_all(struct routes *r, size_t tier, struct hagg_err *err)
{
    const struct topology *t = &r->plan->topology;
    uint32_t colluding =
        tier == 1 ? r->side->relays : r->side->stations + (t->transform ? 0 : r->side->relays);
    int holds = 1;

    for (size_t i = 0; i <= (size_t)t->n_stations + t->n_relays; i++) {
        r->sizes[i] = false;
        r->stamp[i] = 0;
    }
    for (uint32_t i = 0; i < r->classes.n && holds == 1; i++) {
        const struct topology_list *list = r->classes.routes[i].lists[tier];

        if (!is_distinct(r, list, i + 1))
            holds = 0;
        else if (tier == 0 || t->transform)
            holds = hides(r, tier, (uint32_t)list->n, colluding, err);
    }
    return holds;
}

/* Every station has the same place in all sharings that relays add up. */
static bool has_one_place(struct routes *r)
{
    for (size_t i = 0; i <= r->plan->topology.n_stations; i++)
        r->stamp[i] = UINT32_MAX;
    for (size_t i = 0; i < r->classes.n; i++) {
        uint32_t class = r->order[i], sum = r->sum_of[class];
        const struct topology_list *stations = r->classes.routes[class].lists[0];

        for (uint32_t j = 0; j < stations->n; j++) {
            uint32_t station = stations->numbers[j];

            if (r->stamp[station] == sum && r->place[station] != j)
                return false;
            r->stamp[station] = sum;
            r->place[station] = j;
        }
    }
    return true;
}

static int check(const struct plan *p, const struct audit_side *s, enum plan_what what,
                 struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct routes r;
    int holds = routes_new(&r, p, s, what, err) ? -1 : hides_all(&r, 0, err);

    if (holds == 1 && t->n_relays > 0)
        holds = hides_all(&r, 1, err);
    if (holds == 1 && t->n_relays > 0 && !t->transform && s->federator && s->stations > 0)
        holds = has_one_place(&r);
    routes_free(&r);
    return holds;
}

int keys_proof(const struct plan *p, const struct audit_side *s, struct hagg_err *err)
{
    int holds;

    /* under partial collusion, stations see keys of single clients */
    if (!p->topology.full && s->federator && s->stations > 0)
        return 0;
    holds = check(p, s, PLAN_SHARES, err);
    return holds == 1 && p->topology.full ? check(p, s, PLAN_KEYS, err) : holds;
}
