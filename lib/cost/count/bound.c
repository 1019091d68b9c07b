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

/* Each client must send enough to hide its vector from the colluding stations. Sets sum to the
 * total and returns the least number of stations of a client; 0 if there is none. */
static uint32_t add_up_clients(mpq_t sum, const struct setsizes *reach, uint32_t z)
{
    uint32_t least = 0;

    mpq_set_ui(sum, 0, 1);
    for (uint32_t m = reach->most; m > z; m--)
        if (reach->clients[m] > 0) {
            fraction_add(sum, reach->clients[m], m, m - z);
            least = m;
        }
    return least;
}

/* Each later tier must send as much as the client with the fewest holders in that tier requires. */
void bound_of_sizes(mpq_t bound, const struct setsizes *reach, uint32_t least_relays,
                    const struct topology *t)
{
    uint32_t least = add_up_clients(bound, reach, t->collude_stations);
    mpq_t of_stations, of_relays;

    mpq_inits(of_stations, of_relays, NULL);
    if (least > 0)
        rate_of(of_stations, least, t->collude_stations);
    if (least_relays > t->collude_relays)
        rate_of(of_relays, least_relays, t->collude_relays);
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
 * client of the plan reaches through its stations; 0 if there is none. */
static int least_relays_of(uint32_t *least, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t *marks = calloc((size_t)t->n_relays + 1, sizeof *marks);

    *least = 0;
    if (!marks)
        return err_errno(err, "%s", p->name);
    for (size_t g = 0; g < t->n_groups && t->n_relays > 0; g++) {
        uint32_t n = count_relays(t, &t->groups[g].via, marks, g + 1);

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

/* The sets of relays that clients reach through the different sets of stations. */
struct relay_sets {
    struct topology_list *lists;
    size_t n;
};

static void relay_sets_free(struct relay_sets *sets)
{
    for (size_t i = 0; sets->lists && i < sets->n; i++)
        free(sets->lists[i].numbers);
    free(sets->lists);
}

static int by_size(const void *a, const void *b)
{
    const struct topology_list *x = a, *y = b;

    return (x->n > y->n) - (x->n < y->n);
}

static int relay_sets_new(struct relay_sets *sets, const struct plan *p,
                          const struct plan_patterns *reaches, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t *marks = calloc((size_t)t->n_relays + 1, sizeof *marks);

    *sets = (struct relay_sets){ .lists = calloc(reaches->n + 1, sizeof *sets->lists) };
    for (; marks && sets->lists && sets->n < reaches->n; sets->n++) {
        struct topology_list *list = &sets->lists[sets->n];
        uint32_t n = count_relays(t, reaches->routes[sets->n].lists[0], marks, sets->n + 1);

        list->numbers = malloc((n + (size_t)1) * sizeof *list->numbers);
        for (uint32_t m = 1; list->numbers && m <= t->n_relays; m++)
            if (marks[m] == sets->n + 1)
                list->numbers[list->n++] = m;
        if (!list->numbers)
            break;
    }
    free(marks);
    if (!marks || !sets->lists || sets->n < reaches->n)
        return err_errno(err, "%s", p->name);
    qsort(sets->lists, sets->n, sizeof *sets->lists, by_size);
    return 0;
}

/* The linear program of one tier. */
static int solve_tier(mpq_t low, mpq_t high, const struct topology_list *const *sets, size_t n_sets,
                      uint32_t n_nodes, uint32_t z, struct hagg_err *err)
{
    const struct packing packing = { sets, n_sets, n_nodes, z };

    return packing_solve(low, high, &packing, err);
}

/* All relays together receive at least the optimum of their own program, and send at least that. */
static int add_relays(mpq_t low, mpq_t high, const struct plan *p,
                      const struct plan_patterns *reaches, const struct topology_list **lists,
                      struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct relay_sets sets;
    mpq_t bounds[2];
    int status = relay_sets_new(&sets, p, reaches, err);

    mpq_inits(bounds[0], bounds[1], NULL);
    for (size_t i = 0; i < sets.n && status == 0; i++)
        lists[i] = &sets.lists[i];
    if (status == 0)
        status =
            solve_tier(bounds[0], bounds[1], lists, sets.n, t->n_relays, t->collude_relays, err);
    if (mpq_cmp(bounds[0], low) > 0)
        mpq_set(low, bounds[0]);
    if (mpq_cmp(bounds[1], high) > 0)
        mpq_set(high, bounds[1]);
    mpq_add(low, low, bounds[0]);
    mpq_add(high, high, bounds[1]);
    mpq_clears(bounds[0], bounds[1], NULL);
    relay_sets_free(&sets);
    return status;
}

static int solve_tiers(mpq_t low, mpq_t high, const struct plan *p,
                       const struct plan_patterns *reaches, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct topology_list **lists = calloc(reaches->n + 1, sizeof *lists);
    int status = lists ? 0 : err_errno(err, "%s", p->name);

    for (size_t i = 0; i < reaches->n && status == 0; i++)
        lists[i] = reaches->routes[i].lists[0];
    if (status == 0)
        status = solve_tier(low, high, lists, reaches->n, t->n_stations, t->collude_stations, err);
    if (status == 0 && t->n_relays > 0)
        status = add_relays(low, high, p, reaches, lists, err);
    free(lists);
    return status;
}

int bound_sharper(mpq_t low, mpq_t high, const struct plan *p, struct hagg_err *err)
{
    struct plan_patterns reaches;
    struct setsizes sizes;
    mpq_t clients;
    int status;

    if (setsizes_of_plan(&sizes, p, err))
        return -1;
    mpq_init(clients);
    add_up_clients(clients, &sizes, p->topology.collude_stations);
    setsizes_free(&sizes);
    /* ascending by size */
    status = plan_patterns_new(&reaches, p, PLAN_REACHES, 0, err);
    if (status == 0) {
        status = solve_tiers(low, high, p, &reaches, err);
        plan_patterns_free(&reaches);
    }
    mpq_add(low, low, clients);
    mpq_add(high, high, clients);
    mpq_clear(clients);
    return status;
}
