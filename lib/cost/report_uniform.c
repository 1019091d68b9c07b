#include <stdio.h>

#include "cost/bound.h"
#include "cost/ratios.h"
#include "cost/report.h"
#include "cost/resharing.h"
#include "cost/title.h"
#include "cost/unprotected.h"

/* As many as clients reach, but no more than there are relays for. */
static uint32_t share_size(const struct plan *p, uint64_t reach)
{
    uint32_t n_relays = p->topology.n_relays;

    return n_relays > 0 && n_relays < reach ? n_relays : (uint32_t)reach;
}

/* Sets of stations of one size, of which so many differ. All go on to one set of relays. */
static int make_sets(struct protocol_sets *sets, const struct plan *p, uint64_t reach,
                     uint64_t n_patterns, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t size = share_size(p, reach);

    *sets = (struct protocol_sets){ 0 };
    if (setsizes_uniform(&sets->stations, size, t->n_clients, n_patterns, err) == 0 &&
        (t->n_relays == 0 || setsizes_uniform(&sets->relays, size, t->n_clients, 1, err) == 0))
        return 0;
    protocol_sets_free(sets);
    return -1;
}

/* The different sets of m among b, but no more than limit. */
static uint64_t count_sets(uint64_t b, uint64_t m, uint64_t limit)
{
    mpz_t n;
    uint64_t count = limit;

    mpz_init(n);
    mpz_bin_uiui(n, (unsigned long)b, (unsigned long)m);
    if (mpz_cmp_ui(n, (unsigned long)limit) < 0)
        count = mpz_get_ui(n);
    mpz_clear(n);
    return count;
}

/* Relays with sharings of their own, all of them. Under full collusion keys have sharings as
 * vectors have. Sums of all patterns meet at the relays, which is private whoever colludes. */
static int add_resharing(struct report *r, const struct plan *plan, uint64_t reach,
                         const char *name, uint64_t n_patterns, struct hagg_err *err)
{
    static const struct {
        const char *name;
        enum resharing_method method;
        bool full;
    } rows[] = {
        { "direct", RESHARING_DIRECT, false },
        { "transport", RESHARING_TRANSPORT, false },
        { "direct", RESHARING_DIRECT, true },
    };
    const struct topology *t = &plan->topology;
    struct plan other = *plan;
    struct setsizes sizes;
    int status = setsizes_uniform(&sizes, (uint32_t)reach, t->n_clients, n_patterns, err);

    other.topology.transform = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == 0; i++) {
        struct sheet *sheet =
            &report_add(r, rows[i].name, name, rows[i].full ? "full" : "partial")->sheet;

        other.topology.full = rows[i].full;
        status = protocols_add_clients(sheet, &other, r->length, &sizes, err);
        for (int sharing = 0; sharing <= rows[i].full && status == 0; sharing++)
            status = resharing_add(sheet, &other, r->length, rows[i].method, (uint32_t)reach,
                                   t->n_relays, n_patterns, 1, err);
    }
    setsizes_free(&sizes);
    return status;
}

/* Why relays cannot pass shares on, if they cannot under the kind of collusion that was given. */
static void explain_left_out(struct report *r, const struct plan *plan,
                             const struct protocol_sets *sets)
{
    const struct topology *t = &plan->topology;
    uint32_t size = setsizes_least(&sets->stations);

    if (t->n_relays == 0 || protocol_sets_suffice(sets, plan))
        return;
    snprintf(r->left_out, sizeof r->left_out,
             "rows against %s collusion in which relays pass shares on are left out: stations=%u "
             "and relays=%u may collude and %u be missing, so %u %ss are needed, and %s %u",
             t->full ? "full" : "partial", t->collude_stations, t->collude_relays,
             topology_spares(t, 0), topology_colluders(t, 0) + topology_spares(t, 0) + 1,
             size == t->n_relays ? "relay" : "station",
             size == t->n_relays ? "there are" : "each client reaches", size);
}

/* The rows for so many patterns; under full collusion there may be fewer of them. */
static int add_rows(struct report *r, const struct plan *plan, uint64_t reach, const char *name,
                    uint64_t n_patterns, uint64_t n_patterns_full, struct hagg_err *err)
{
    struct plan partial = *plan, full = *plan;
    struct protocol_sets sets, sets_full = { 0 };
    int status = make_sets(&sets, plan, reach, n_patterns, err);

    partial.topology.full = false;
    full.topology.full = true;
    if (status == 0)
        status = make_sets(&sets_full, plan, reach, n_patterns_full, err);
    if (status == 0 && protocol_sets_suffice(&sets, &partial)) {
        const char *keys = plan_tiers(plan) > 1 ? "c3" : "c1";

        status = protocols_client_keys(&report_add(r, keys, name, "partial")->sheet, &partial,
                                       r->length, &sets, err);
    }
    if (status == 0 && protocol_sets_suffice(&sets, &full))
        status = protocols_shared_keys(&report_add(r, "c2", name, "full")->sheet, &full, r->length,
                                       &sets_full, &sets_full, err);
    if (status == 0 && n_patterns == 1 && protocol_sets_suffice(&sets, plan))
        status = protocols_bare(
            &report_add(r, "bare", name, plan->topology.full ? "full" : "partial")->sheet, plan,
            r->length, &sets, err);
    explain_left_out(r, plan, &sets);
    protocol_sets_free(&sets);
    protocol_sets_free(&sets_full);
    if (status == 0 && plan_tiers(plan) > 1)
        status = add_resharing(r, plan, reach, name, n_patterns, err);
    return status;
}

/* As few and as many patterns as there can be, or as many as were given. Under the paper's
 * condition for full collusion a pattern has more clients than may collude. */
static int add_all_rows(struct report *r, const struct plan *plan, uint64_t reach,
                        uint64_t n_patterns, struct hagg_err *err)
{
    const struct topology *t = &plan->topology;
    uint64_t most = count_sets(t->n_stations, reach, t->n_clients);
    uint64_t most_full = t->n_clients / ((uint64_t)t->collude_clients + t->drop_clients + 1);

    if (n_patterns > most)
        return err_set(err, HAGG_E_USAGE, "there are only %llu different sets of %llu stations",
                       (unsigned long long)most, (unsigned long long)reach);
    most_full = most_full < 1 ? 1 : most_full > most ? most : most_full;
    if (n_patterns > 0)
        return add_rows(r, plan, reach, "given", n_patterns,
                        n_patterns < most_full ? n_patterns : most_full, err);
    if (add_rows(r, plan, reach, "fewest", 1, 1, err))
        return -1;
    return most > 1 ? add_rows(r, plan, reach, "most", most, most_full, err) : 0;
}

static int add_ratios(struct report *r, const struct plan *plan, uint64_t reach,
                      struct hagg_err *err)
{
    static const char *const sets[] = { "given", "fewest", "most" };
    uint32_t size = share_size(plan, reach);
    struct plan partial = *plan;
    struct setsizes sizes;
    int status = 0;

    if (setsizes_uniform(&sizes, (uint32_t)reach, r->n_clients, 1, err))
        return -1;
    bound_of_sizes(r->bound, &sizes, plan->topology.n_relays, &plan->topology);
    report_finish(r, &plan->topology);
    partial.topology.full = false;
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == 0; i++) {
        ratios_add(r, plan, sets[i], &sizes);
        if (report_find(r, "c3", sets[i]))
            status = ratios_add_tau(r, &partial, sets[i], (uint32_t)reach, size, err);
    }
    ratios_add_ranges(r, plan);
    setsizes_free(&sizes);
    return status;
}

int report_uniform(struct report *r, const struct parameters *parameters, struct hagg_err *err)
{
    struct plan plan;
    uint64_t reach;
    int status;

    if (parameters_plan(parameters, &plan, err))
        return -1;
    *r = (struct report){
        .n_clients = plan.topology.n_clients,
        .elem_bytes = field_elem_size(plan.field),
        .length = plan.topology.length,
    };
    reach = parameters_reach(parameters, &plan.topology);
    mpq_init(r->bound);
    status = title_of_plan(&r->title, &plan, r->length, err);
    if (status == 0)
        status = add_all_rows(r, &plan, reach, parameters->values[PARAMETER_PATTERNS], err);
    if (status == 0) {
        unprotected_least(&report_add(r, "no privacy", "", "nobody")->sheet, &plan, r->length);
        status = add_ratios(r, &plan, reach, err);
    }
    plan_free(&plan);
    if (status)
        report_free(r);
    return status;
}
