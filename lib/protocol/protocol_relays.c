#include "protocol/protocol_relays.h"

#include <stdlib.h>

#include "protocol/protocol_state.h"

static const struct topology_list *reached_by(const struct protocol *p, uint32_t holder)
{
    return &p->plan->topology.station_via[p->plan->aligned->stations.numbers[holder] - 1];
}

static bool is_present(const struct protocol *p, uint32_t holder)
{
    return !protocol_is_missing(p, 0, p->plan->aligned->stations.numbers[holder]);
}

static uint32_t n_present(const struct protocol *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->plan->aligned->sharing.n; i++)
        n += is_present(p, i);
    return n;
}

bool protocol_combines_rows(const struct plan *p, uint32_t n_present, uint64_t n_rows)
{
    return n_present == p->aligned->sharing.k && n_rows > p->aligned->sharing.n_segments;
}

bool protocol_combines(const struct protocol *p, const struct rangeset *stations)
{
    const struct plan_aligned *a = p->plan->aligned;
    uint64_t n_rows = 0;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        if (rangeset_overlap(stations, a->stations.numbers[i], a->stations.numbers[i]) > 0)
            n_rows += a->n_rows[i];
    return protocol_combines_rows(p->plan, n_present(p), n_rows);
}

int protocol_basis(const struct protocol *p, struct rangeset *basis, struct hagg_err *err)
{
    const struct plan_aligned *a = p->plan->aligned;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        if (is_present(p, i) &&
            rangeset_add(basis, a->stations.numbers[i], a->stations.numbers[i], err))
            return -1;
    return 0;
}

/* Adds the rows of a holder without a relay to all relays that it could use, or takes them away. */
static void weigh(const struct protocol *p, uint32_t holder, bool take_away, uint64_t *weights)
{
    const struct topology_list *via = reached_by(p, holder);
    uint64_t n_rows = p->plan->aligned->n_rows[holder];

    for (size_t i = 0; i < via->n; i++)
        weights[via->numbers[i]] += take_away ? -n_rows : n_rows;
}

/* Returns the relay that is present and could get the most rows, the first of several; 0 if none
 * would combine them. n stations are present. */
static uint32_t heaviest(const struct protocol *p, uint32_t n, const uint64_t *weights)
{
    uint32_t best = 0;

    for (uint32_t m = 1; m <= p->plan->topology.n_relays; m++)
        if (!protocol_is_missing(p, 1, m) && protocol_combines_rows(p->plan, n, weights[m]) &&
            (best == 0 || weights[m] > weights[best]))
            best = m;
    return best;
}

/* One relay after the other gets all stations that reach it and have no relay yet, as long as this
 * makes the messages to the federator shorter. */
static void choose_combining(const struct protocol *p, uint64_t *weights)
{
    const struct plan_aligned *a = p->plan->aligned;
    struct protocol_relays *r = &p->aligned->relays;
    uint32_t relay;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        if (is_present(p, i))
            weigh(p, i, false, weights);
    while ((relay = heaviest(p, n_present(p), weights)) > 0) {
        r->combines[relay] = true;
        for (uint32_t i = 0; i < a->sharing.n; i++) {
            if (r->of[i] > 0 || !is_present(p, i) ||
                !plan_reaches_relay(p->plan, a->stations.numbers[i], relay))
                continue;
            r->of[i] = relay;
            weigh(p, i, true, weights);
        }
    }
}

/* The other stations use the first relay that they reach and that is present. */
static void choose_others(const struct protocol *p)
{
    struct protocol_relays *r = &p->aligned->relays;

    for (uint32_t i = 0; i < p->plan->aligned->sharing.n; i++) {
        const struct topology_list *via = reached_by(p, i);

        for (size_t j = 0; j < via->n && r->of[i] == 0; j++)
            if (!protocol_is_missing(p, 1, via->numbers[j]))
                r->of[i] = via->numbers[j];
    }
}

int protocol_relays_new(struct protocol *p, struct hagg_err *err)
{
    struct protocol_relays *r = &p->aligned->relays;
    uint32_t n = p->plan->aligned->sharing.n, n_relays = p->plan->topology.n_relays;
    uint64_t *weights = calloc(n_relays + (size_t)1, sizeof *weights);
    int status = 0;

    r->of = calloc(n + (size_t)1, sizeof *r->of);
    r->places = calloc(n + (size_t)1, sizeof *r->places);
    r->combines = calloc(n_relays + (size_t)1, sizeof *r->combines);
    if (!weights || !r->of || !r->places || !r->combines)
        status = err_errno(err, "%s", p->plan->name);
    if (status == 0) {
        choose_combining(p, weights);
        choose_others(p);
    }
    free(weights);
    return status;
}

void protocol_relays_free(struct protocol_relays *r)
{
    free(r->of);
    free(r->places);
    free(r->combines);
    free(r->factors);
    lagrange_free(&r->basis);
}

static int use_basis(struct protocol *p, struct hagg_err *err)
{
    struct protocol_relays *r = &p->aligned->relays;
    struct rangeset basis = { 0 };
    int status;

    if (r->has_factors)
        return 0;
    free(r->factors);
    r->factors = calloc(p->plan->aligned->sharing.k, field_elem_size(p->plan->field));
    status = r->factors ? protocol_basis(p, &basis, err) : err_errno(err, "%s", p->plan->name);
    if (status == 0)
        status = plan_aligned_basis(p->plan->aligned, &basis, &r->basis, r->places, err);
    rangeset_free(&basis);
    r->has_factors = status == 0;
    r->segment = UINT32_MAX;
    return status;
}

const void *protocol_relays_factor(struct protocol *p, uint32_t segment, uint32_t holder,
                                   struct hagg_err *err)
{
    struct protocol_relays *r = &p->aligned->relays;
    size_t size = field_elem_size(p->plan->field);
    unsigned char point[8] = { 0 };

    if (use_basis(p, err))
        return NULL;
    if (r->segment != segment) {
        hagg_store(point, 0, size, segment);
        lagrange_row(&r->basis, point, r->factors);
        r->segment = segment;
    }
    return r->factors + r->places[holder] * size;
}
