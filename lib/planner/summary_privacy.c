#include "planner/summary_privacy.h"

#include "base/rangeset.h"
#include "plan/plan_identities.h"
#include "topology/topology_couriers.h"

/* More ranges of numbers than this are not printed. */
#define MOST_RANGES 8

uint64_t summary_privacy_clients(const struct topology *t)
{
    uint64_t n = 0;

    for (size_t i = 0; i < t->n_clients; i++)
        n += t->groups[t->clients[i].group].computational;
    return n;
}

bool summary_privacy_couriers(const struct topology *t)
{
    for (size_t g = 0; g < t->n_groups; g++)
        if (t->groups[g].reach.n > 0)
            return true;
    return false;
}

/* "client 7", "stations 2 5-6", or with many ranges "clients 1-2 5 ... (312)" */
static void print_nodes(struct text *text, const char *what, const struct rangeset *set)
{
    uint64_t n = rangeset_count(set);

    text_printf(text, "%s%s", what, n == 1 ? "" : "s");
    for (size_t i = 0; i < set->n && i < MOST_RANGES; i++) {
        text_printf(text, " %u", set->ranges[i].first);
        if (set->ranges[i].last > set->ranges[i].first)
            text_printf(text, "-%u", set->ranges[i].last);
    }
    if (set->n > MOST_RANGES)
        text_printf(text, " ... (%llu)", (unsigned long long)n);
}

static void print_short(const struct topology *t, size_t n_reached, const struct rangeset *clients,
                        const struct rangeset *couriers, struct text *text)
{
    uint32_t spares = topology_spares(t, 0);

    text_printf(text, "\n");
    print_nodes(text, "client", clients);
    text_printf(text, ": computational privacy only: reach%s %zu of the %llu stations that z = %u ",
                rangeset_count(clients) == 1 ? "es" : "", n_reached,
                (unsigned long long)topology_couriers_fewest(t), topology_colluders(t, 0));
    if (spares > 0)
        text_printf(text, "and drop stations=%u need; ", spares);
    else
        text_printf(text, "needs; ");
    print_nodes(text, "courier to other stations: station", couriers);
}

/* The clients that reach so many stations, if these are too few. */
static int print_reaching(const struct topology *t, size_t n_reached, struct text *text,
                          struct hagg_err *err)
{
    struct rangeset clients = { 0 }, couriers = { 0 };
    int status = 0;

    for (size_t i = 0; i < t->n_clients && status == 0; i++) {
        const struct topology_group *g = &t->groups[t->clients[i].group];

        if (g->reach.n == 0 || g->via.n != n_reached)
            continue;
        status = rangeset_add(&clients, t->clients[i].number, t->clients[i].number, err);
        if (status == 0)
            status = rangeset_add(&couriers, g->via.numbers[0], g->via.numbers[0], err);
    }
    if (status == 0 && clients.n > 0)
        print_short(t, n_reached, &clients, &couriers, text);
    rangeset_free(&clients);
    rangeset_free(&couriers);
    return status;
}

int summary_privacy_print(const struct plan *p, struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    if (!topology_has_seeds(t))
        return 0;
    if (t->computational)
        text_printf(text, "\nprivacy computational: colluding stations learn nothing, unless they "
                          "break AES-256 or the seals of records");
    for (size_t n = 1; n < topology_couriers_fewest(t); n++)
        if (print_reaching(t, n, text, err))
            return -1;
    if (!plan_identities_given(p))
        text_printf(text, "\nseeds are only sent sealed, and the plan has no identities line: add "
                          "one before the first round");
    return 0;
}
