#include "cost/count/bound.h"

#include <stdlib.h>

#include "cost/count/fraction.h"
#include "cost/packing/packing.h"
#include "plan/plan_patterns.h"

/* r(m, z) = m / (m - z). */
static void rate_of(mpq_t rate, uint64_t m, uint64_t z)
{
    mpq_set_ui(rate, 0, 1);
    fraction_add(rate, 1, m, m - z);
}

/* Each client must send enough to hide its vector from the colluding stations; one with
 * computational privacy must send its vector once. Sets sum to the total and largest to the largest
 * term; 0 if there is none. */
static void add_up_clients(mpq_t sum, mpq_t largest, const struct setsizes *reach, uint32_t z)
{
    mpq_set_ui(sum, 0, 1);
    mpq_set_ui(largest, 0, 1);
    if (reach->n_computational > 0)
        mpq_set_ui(largest, 1, 1);
    fraction_add(sum, reach->n_computational, 1, 1);
    for (uint32_t m = reach->most; m > z; m--)
        if (reach->clients[m] > 0) {
            fraction_add(sum, reach->clients[m], m, m - z);
            rate_of(largest, m, z);
        }
}

/* Each later tier must send as much as the client with the fewest holders in that tier requires. */
void bound_of_sizes(mpq_t bound, const struct setsizes *reach, uint32_t least_relays,
                    const struct topology *t)
{
    mpq_t of_stations, of_relays;

    mpq_inits(of_stations, of_relays, NULL);
    add_up_clients(bound, of_stations, reach, t->collude_stations);
    if (least_relays > t->collude_relays)
        rate_of(of_relays, least_relays, t->collude_relays);
    else if (t->n_relays > 0 && reach->n_computational > 0)
        mpq_set_ui(of_relays, 1, 1);
    mpq_add(bound, bound, of_relays);
    mpq_add(bound, bound, mpq_cmp(of_relays, of_stations) > 0 ? of_relays : of_stations);
    mpq_clears(of_stations, of_relays, NULL);
}

/* The number of relays that these stations reach. marks has an entry for each relay, of which those
 * are set to mark. */
static uint32_t count_relays(const struct topology *t, const struct topology_list *stations,
                             size_t *marks, size_t mark)
{
    uint32_t n = 0;

    for (size_t i = 0; i < stations->n; i++) {
        const struct topology_list *via = &t->station_via[stations->numbers[i] - 1];

        for (size_t j = 0; j < via->n; j++)
            if (marks[via->numbers[j]] != mark) {
                marks[via->numbers[j]] = mark;
                n++;
            }
    }
    return n;
}

/* The smallest number of relays, among those greater than the number of colluding relays, that a
 * client of the plan with information-theoretic privacy reaches through its stations; 0 if there is
 * none. */
static int least_relays_of(uint32_t *least, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t *marks = calloc((size_t)t->n_relays + 1, sizeof *marks);

    *least = 0;
    if (!marks)
        return err_errno(err, "%s", p->name);
    for (size_t g = 0; g < t->n_groups && t->n_relays > 0; g++) {
        uint32_t n =
            t->groups[g].computational ? 0 : count_relays(t, &t->groups[g].via, marks, g + 1);

        if (n > t->collude_relays && (*least == 0 || n < *least))
            *least = n;
    }
    free(marks);
    return 0;
}

int bound_of_plan(mpq_t bound, const struct plan *p, struct hagg_err *err)
{
    struct setsizes reach;
    uint32_t least_relays;

    if (least_relays_of(&least_relays, p, err) || setsizes_of_plan(&reach, p, err))
        return -1;
    bound_of_sizes(bound, &reach, least_relays, &p->topology);
    setsizes_free(&reach);
    return 0;
}

/* The nodes of a tier that clients reach. */
struct reached {
    struct topology_list list;
    bool whole; /* true if all these clients have computational privacy */
};

/* Different sets of a tier. */
struct reached_sets {
    struct reached *sets;
    size_t n;
};

/* The station sets of the plan, in the order of reaches. Their lists belong to the plan. If some
 * clients of a set have information-theoretic privacy, their constraint implies that of the others.
 */
static int station_sets_new(struct reached_sets *s, const struct plan *p,
                            const struct plan_patterns *reaches, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *s = (struct reached_sets){ calloc(reaches->n + 1, sizeof *s->sets), reaches->n };
    if (!s->sets)
        return err_errno(err, "%s", p->name);
    for (size_t i = 0; i < s->n; i++)
        s->sets[i] = (struct reached){ *reaches->routes[i].lists[0], true };
    for (size_t g = 0; g < t->n_groups; g++)
        if (!t->groups[g].computational)
            s->sets[reaches->of_group[g]].whole = false;
    return 0;
}

static void relay_sets_free(struct reached_sets *s)
{
    for (size_t i = 0; s->sets && i < s->n; i++)
        free(s->sets[i].list.numbers);
    free(s->sets);
}

static int by_size(const void *a, const void *b)
{
    const struct reached *x = a, *y = b;

    return (x->list.n > y->list.n) - (x->list.n < y->list.n);
}

/* Couriers can send a client's records to any station, and so to any relay. marks has an entry for
 * each set of stations. */
static void mark_couriers(const struct topology *t, const struct plan_patterns *reaches,
                          bool *by_courier)
{
    for (size_t g = 0; g < t->n_groups; g++)
        if (t->groups[g].reach.n > 0)
            by_courier[reaches->of_group[g]] = true;
}

/* The relays that clients reach through these sets of stations. */
static int relay_sets_new(struct reached_sets *s, const struct plan *p,
                          const struct plan_patterns *reaches, const struct reached_sets *stations,
                          struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t *marks = calloc((size_t)t->n_relays + 1, sizeof *marks);
    bool *by_courier = calloc(reaches->n + 1, sizeof *by_courier);

    *s = (struct reached_sets){ .sets = calloc(stations->n + 1, sizeof *s->sets) };
    if (by_courier)
        mark_couriers(t, reaches, by_courier);
    for (; marks && by_courier && s->sets && s->n < stations->n; s->n++) {
        struct topology_list *list = &s->sets[s->n].list;

        s->sets[s->n].whole = stations->sets[s->n].whole;
        count_relays(t, &stations->sets[s->n].list, marks, s->n + 1);
        list->numbers = malloc((t->n_relays + (size_t)1) * sizeof *list->numbers);
        for (uint32_t m = 1; list->numbers && m <= t->n_relays; m++)
            if (by_courier[s->n] || marks[m] == s->n + 1)
                list->numbers[list->n++] = m;
        if (!list->numbers)
            break;
    }
    free(marks);
    free(by_courier);
    if (!marks || !by_courier || !s->sets || s->n < stations->n)
        return err_errno(err, "%s", p->name);
    qsort(s->sets, s->n, sizeof *s->sets, by_size);
    return 0;
}

/* The linear program of one tier. */
static int solve_tier(mpq_t low, mpq_t high, const struct reached_sets *s, uint32_t n_nodes,
                      uint32_t z, struct hagg_err *err)
{
    const struct topology_list **lists = calloc(s->n + 1, sizeof *lists);
    bool *whole = calloc(s->n + 1, sizeof *whole);
    struct packing packing = {
        .sets = lists, .n_sets = s->n, .n_nodes = n_nodes, .z = z, .whole = whole
    };
    int status = lists && whole ? 0 : err_errno(err, "no memory for the sharper bound");

    for (size_t i = 0; i < s->n && status == 0; i++) {
        lists[i] = &s->sets[i].list;
        whole[i] = s->sets[i].whole;
    }
    if (status == 0)
        status = packing_solve(low, high, &packing, err);
    free(lists);
    free(whole);
    return status;
}

/* All relays together receive at least the optimum of their own program, and send at least that. */
static int solve_relays(mpq_t low, mpq_t high, const struct plan *p,
                        const struct plan_patterns *reaches, const struct reached_sets *stations,
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct reached_sets sets;
    int status = relay_sets_new(&sets, p, reaches, stations, err);

    if (status == 0)
        status = solve_tier(low, high, &sets, t->n_relays, t->collude_relays, err);
    relay_sets_free(&sets);
    return status;
}

/* Sets what each tier sends at least; relays 0 without relays. */
static int solve_tiers(mpq_t low[PLAN_TIERS], mpq_t high[PLAN_TIERS], const struct plan *p,
                       struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns reaches;
    struct reached_sets stations;
    int status;

    /* ascending by size */
    if (plan_patterns_new(&reaches, p, PLAN_REACHES, 0, err))
        return -1;
    status = station_sets_new(&stations, p, &reaches, err);
    if (status == 0)
        status = solve_tier(low[0], high[0], &stations, t->n_stations, t->collude_stations, err);
    if (status == 0 && t->n_relays > 0)
        status = solve_relays(low[1], high[1], p, &reaches, &stations, err);
    free(stations.sets);
    plan_patterns_free(&reaches);
    return status;
}

/* Adds what both tiers send: stations at least what relays receive. */
static void add_tiers(mpq_t bound, mpq_t tiers[PLAN_TIERS])
{
    mpq_add(bound, bound, mpq_cmp(tiers[1], tiers[0]) > 0 ? tiers[1] : tiers[0]);
    mpq_add(bound, bound, tiers[1]);
}

int bound_sharper(mpq_t low, mpq_t high, mpq_t tiers[PLAN_TIERS], const struct plan *p,
                  struct hagg_err *err)
{
    struct setsizes sizes;
    mpq_t lows[PLAN_TIERS], highs[PLAN_TIERS], largest;
    int status;

    if (setsizes_of_plan(&sizes, p, err))
        return -1;
    mpq_inits(lows[0], lows[1], highs[0], highs[1], largest, NULL);
    add_up_clients(low, largest, &sizes, p->topology.collude_stations);
    mpq_set(high, low);
    setsizes_free(&sizes);
    status = solve_tiers(lows, highs, p, err);
    add_tiers(low, lows);
    add_tiers(high, highs);
    for (size_t tier = 0; tiers && tier < PLAN_TIERS; tier++)
        mpq_set(tiers[tier], lows[tier]);
    mpq_clears(lows[0], lows[1], highs[0], highs[1], largest, NULL);
    return status;
}
