#include <stdio.h>

#include "cost/count/bound.h"
#include "cost/count/price_bound.h"
#include "cost/report/ratios.h"
#include "cost/report/report.h"
#include "cost/report/title.h"
#include "cost/count/transport.h"
#include "cost/count/unprotected.h"

/* The number of stations that clients reach, but no more than there are relays. */
static uint32_t share_size(const struct plan *p, uint64_t reach)
{
    uint32_t n_relays = p->topology.n_relays;

    return n_relays > 0 && n_relays < reach ? n_relays : (uint32_t)reach;
}

/* The number of sets of m out of b, at most limit. */
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

/* A row with the messages of a round for this kind of collusion, if the sets are large enough and
 * the scheme supports them. */
static int add_round(struct report *r, const char *name, const char *sets, bool full,
                     struct uniform u, sheet_counts_fn *counts, struct hagg_err *err)
{
    struct plan other = *u.plan;
    struct report_row *row;

    other.topology.full = full;
    u.plan = &other;
    if (!numbers_suffice(&u) || numbers_check_scheme(&u, &r->no_scheme))
        return 0;
    row = report_add(r, name, sets, full ? "full" : "partial", err);
    if (!row || numbers_add_round(&row->sheet, &u, r->length, false, counts, err))
        return -1;
    if (!row->sheet.in_part)
        return 0;
    row = report_add(r, report_worst_name(name), sets, row->against, err);
    return row ? numbers_add_round(&row->sheet, &u, r->length, true, counts, err) : -1;
}

/* The row of protocol aligned, if the field has enough points. */
static int add_aligned(struct report *r, const struct plan *plan, uint64_t reach, const char *sets,
                       uint64_t n_patterns, struct hagg_err *err)
{
    struct uniform u = { plan, (uint32_t)reach, 0, n_patterns };
    struct report_row *row =
        report_add(r, "aligned", sets, plan->topology.full ? "full" : "partial", err);

    if (!row)
        return -1;
    if (numbers_add_aligned(&row->sheet, &u, r->length, &r->no_aligned) == 0)
        return 0;
    report_drop_last(r);
    if (r->no_aligned.status == HAGG_E_MALFORMED)
        return 0;
    *err = r->no_aligned;
    return -1;
}

static int add_transport(struct report *r, const char *sets, struct uniform u, struct hagg_err *err)
{
    struct plan other = *u.plan;
    struct report_row *row = report_add(r, "transport", sets, "partial", err);

    other.topology.full = false;
    u.plan = &other;
    return row ? transport_of_numbers(&row->sheet, &u, r->length, err) : -1;
}

/* Relays with sharings of their own, over all relays. Under full collusion keys are shared like
 * vectors. The relays add up the sums of all patterns, which is private whichever clients collude.
 */
static int add_resharing(struct report *r, const struct plan *plan, uint64_t reach,
                         const char *sets, uint64_t n_patterns, struct hagg_err *err)
{
    struct plan other = *plan;
    struct uniform u = { &other, (uint32_t)reach, plan->topology.n_relays, n_patterns };

    other.topology.transform = true;
    if (numbers_check_scheme(&u, &r->no_scheme))
        return 0; /* such as staircase among relays none of which may be missing */
    if (add_round(r, "direct", sets, false, u, NULL, err) || add_transport(r, sets, u, err))
        return -1;
    return add_round(r, "direct", sets, true, u, NULL, err);
}

/* States why relays cannot pass shares on unchanged, if they cannot under the given kind of
 * collusion. */
static void explain_left_out(struct report *r, const struct uniform *u)
{
    const struct topology *t = &u->plan->topology;
    uint32_t size = u->n_stations;

    if (t->n_relays == 0 || numbers_suffice(u))
        return;
    snprintf(r->left_out, sizeof r->left_out,
             "rows against %s collusion in which relays pass shares on are left out: stations=%u "
             "and relays=%u may collude and %u may be missing, so %llu %ss are needed, but %s %u",
             t->full ? "full" : "partial", t->collude_stations, t->collude_relays,
             topology_spares(t, 0), (unsigned long long)topology_fewest(t, 0),
             size == t->n_relays ? "relay" : "station",
             size == t->n_relays ? "there are" : "each client reaches", size);
}

/* The rows for n_patterns patterns, or n_patterns_full under full collusion. */
static int add_rows(struct report *r, const struct plan *plan, uint64_t reach, const char *sets,
                    uint64_t n_patterns, uint64_t n_patterns_full, struct hagg_err *err)
{
    uint32_t size = share_size(plan, reach);
    struct uniform u = { plan, size, size, n_patterns },
                   u_full = { plan, size, size, n_patterns_full };

    if (add_aligned(r, plan, reach, sets, n_patterns, err) ||
        add_round(r, plan_tiers(plan) > 1 ? "c3" : "c1", sets, false, u, NULL, err) ||
        add_round(r, "c2", sets, true, u_full, NULL, err))
        return -1;
    if (n_patterns == 1 &&
        add_round(r, "bare", sets, plan->topology.full, u, sheet_without_keys, err))
        return -1;
    explain_left_out(r, &u);
    return plan_tiers(plan) > 1 ? add_resharing(r, plan, reach, sets, n_patterns, err) : 0;
}

/* Rows for the smallest and the largest possible number of patterns, or for the given number. Under
 * the paper's condition for full collusion a pattern has more clients than may collude. */
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

static int add_unprotected(struct report *r, const struct plan *plan, struct hagg_err *err)
{
    struct report_row *row = report_add(r, "no privacy", "", "nobody", err);

    if (!row)
        return -1;
    unprotected_least(&row->sheet, plan, r->length);
    return 0;
}

static int add_ratios(struct report *r, const struct plan *plan, uint64_t reach,
                      struct hagg_err *err)
{
    static const char *const sets[] = { "given", "fewest", "most" };
    uint32_t size = share_size(plan, reach);
    struct plan partial = *plan;
    struct setsizes sizes;
    int status;

    if (setsizes_uniform(&sizes, (uint32_t)reach, r->n_clients, err))
        return -1;
    bound_of_sizes(r->bound, &sizes, plan->topology.n_relays, &plan->topology);
    price_bound_of_numbers(r->price_bound, &plan->topology, (uint32_t)reach);
    status = report_finish(r, &plan->topology, err);
    partial.topology.full = false;
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == 0; i++) {
        status = ratios_add(r, plan, sets[i], &sizes, err);
        if (status == 0 && report_find(r, "c3", sets[i]))
            status = ratios_add_tau(r, &partial, sets[i], (uint32_t)reach, size, err);
    }
    setsizes_free(&sizes);
    return status ? -1 : ratios_add_ranges(r, plan, err);
}

int report_uniform(struct report *r, const struct parameters *parameters, struct hagg_err *err)
{
    struct plan plan;
    uint64_t reach;
    int status;

    if (parameters_plan(parameters, &plan, err))
        return -1;
    report_begin(r, &plan);
    reach = parameters_reach(parameters, &plan.topology);
    status = title_of_plan(&r->title, &plan, r->length, err);
    if (status == 0)
        status = add_all_rows(r, &plan, reach, parameters->values[PARAMETER_PATTERNS], err);
    if (status == 0)
        status = add_unprotected(r, &plan, err);
    if (status == 0)
        status = add_ratios(r, &plan, reach, err);
    plan_free(&plan);
    if (status)
        report_free(r);
    return status;
}
