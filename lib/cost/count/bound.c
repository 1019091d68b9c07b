#include "cost/count/bound.h"

#include <stdlib.h>

#include "cost/count/fraction.h"

/* r(m, z) = m / (m - z). */
static void rate_of(mpq_t rate, uint64_t m, uint64_t z)
{
    mpq_set_ui(rate, 0, 1);
    fraction_add(rate, 1, m, m - z);
}

/* Each client must send enough to hide its vector from the colluding stations. Each later tier must
 * send as much as the client with the fewest holders in that tier requires. */
void bound_of_sizes(mpq_t bound, const struct setsizes *reach, uint32_t least_relays,
                    const struct topology *t)
{
    uint32_t least = 0;
    mpq_t of_stations, of_relays;

    mpq_inits(of_stations, of_relays, NULL);
    mpq_set_ui(bound, 0, 1);
    for (uint32_t m = reach->most; m > t->collude_stations; m--)
        if (reach->clients[m] > 0) {
            fraction_add(bound, reach->clients[m], m, m - t->collude_stations);
            least = m;
        }
    if (least > 0)
        rate_of(of_stations, least, t->collude_stations);
    if (least_relays > t->collude_relays)
        rate_of(of_relays, least_relays, t->collude_relays);
    mpq_add(bound, bound, of_relays);
    mpq_add(bound, bound, mpq_cmp(of_relays, of_stations) > 0 ? of_relays : of_stations);
    mpq_clears(of_stations, of_relays, NULL);
}

/* The number of relays that the clients of a group reach. marks has an entry for each relay. */
static uint32_t count_relays(const struct topology *t, const struct topology_group *g,
                             size_t *marks, size_t mark)
{
    uint32_t n = 0;

    for (size_t i = 0; i < g->via.n; i++) {
        const struct topology_list *via = &t->station_via[g->via.numbers[i] - 1];

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
        uint32_t n = count_relays(t, &t->groups[g], marks, g + 1);

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
