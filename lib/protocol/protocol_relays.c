#include "protocol/protocol_relays.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_relays.h"
#include "protocol/protocol_state.h"

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

/* An idle station sends nothing, so a relay may have fewer rows than those it was chosen for. */
static void settle_idle(const struct protocol *p, struct protocol_relays *r, uint64_t *n_rows)
{
    const struct plan_aligned *a = p->plan->aligned;

    memset(n_rows, 0, (p->plan->topology.n_relays + (size_t)1) * sizeof *n_rows);
    for (uint32_t i = 0; i < a->sharing.n; i++)
        if (is_present(p, i) && !protocol_is_idle(p, a->stations.numbers[i]))
            n_rows[r->of[i]] += a->n_rows[i];
    for (uint32_t m = 1; m <= p->plan->topology.n_relays; m++)
        r->combines[m] = r->combines[m] && n_rows[m] > a->sharing.n_segments;
}

int protocol_relays_new(struct protocol *p, struct hagg_err *err)
{
    const struct plan_aligned *a = p->plan->aligned;
    struct protocol_relays *r = &p->aligned->relays;
    uint32_t n = a->sharing.n, n_relays = p->plan->topology.n_relays;
    uint64_t *weights = calloc(n_relays + (size_t)1, sizeof *weights);
    bool *missing = calloc(n + (size_t)1, sizeof *missing);
    bool *missing_on = calloc(n_relays + (size_t)1, sizeof *missing_on);
    int status = 0;

    r->of = calloc(n + (size_t)1, sizeof *r->of);
    r->places = calloc(n + (size_t)1, sizeof *r->places);
    r->combines = calloc(n_relays + (size_t)1, sizeof *r->combines);
    if (!weights || !missing || !missing_on || !r->of || !r->places || !r->combines)
        status = err_errno(err, "%s", p->plan->name);
    if (status == 0) {
        for (uint32_t i = 0; i < n; i++)
            missing[i] = !is_present(p, i);
        for (uint32_t m = 1; m <= n_relays; m++)
            missing_on[m] = protocol_is_missing(p, 1, m);
        plan_relays_choose(
            &(struct plan_relays_input){
                .topology = &p->plan->topology,
                .stations = a->stations.numbers,
                .n_rows = a->n_rows,
                .n = n,
                .missing = missing,
                .missing_on = missing_on,
                .n_segments = a->sharing.n_segments,
                .may_combine = n_present(p) == a->sharing.k,
            },
            r->of, r->combines, weights);
        settle_idle(p, r, weights);
    }
    free(weights);
    free(missing);
    free(missing_on);
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
