#include "audit/single.h"

#include <stdlib.h>

#include "audit/hiding.h"
#include "audit/model_build.h"
#include "audit/subnet.h"
#include "base/splitmix.h"
#include "plan/plan_aligned.h"

/* Clients, and sets of stations of each, that are tried. */
#define MAX_TRIED 16u
#define MAX_SETS  200u

/* The first block of a client hides nothing from more stations than random vectors, and this is
 * checked on the matrix. Answers are those of single_leaks. */
static int aligned_leaks(const struct plan *p, uint32_t stations, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    uint32_t *holders = calloc(a->sharing.n + (size_t)1, sizeof *holders);
    int leaks = holders ? 0 : err_errno(err, "%s", p->name);

    for (size_t class = 0; class < a->classes.n && leaks == 0; class ++) {
        uint32_t n = plan_aligned_holders(a, class, holders), parts = a->parts[class];
        uint32_t end = parts < a->sharing.n_segments ? parts : a->sharing.n_segments;
        const struct aligned sharing = plan_aligned_class(a, class);
        struct sharing block;
        int hides;

        if (n < stations)
            continue;
        if (aligned_block(&sharing, p->scheme, holders, n, 0, end, NULL, &block, err)) {
            leaks = -1;
            break;
        }
        for (uint32_t u = 0; u < stations; u++)
            holders[u] = u;
        hides = hiding_from_set(&block, holders, stations, err);
        leaks = hides < 0 ? -1 : hides == 0;
        sharing_free(&block);
    }
    free(holders);
    return leaks;
}

/* Lists the stations that get something from the client. */
static uint32_t list_stations(const struct plan *p, uint32_t *stations)
{
    const struct topology_group *g = &p->topology.groups[0];
    struct plan_route routes[2];
    uint32_t n = 0, key = p->topology.full ? 0 : plan_key_station(g);

    plan_route(p, g, PLAN_SHARES, &routes[0]);
    plan_route(p, g, PLAN_KEYS, &routes[1]);
    if (key > 0)
        stations[n++] = key;
    for (size_t r = 0; r < (p->topology.full ? 2 : 1); r++)
        for (size_t i = 0; i < routes[r].lists[0]->n; i++) {
            uint32_t before = 0, station = routes[r].lists[0]->numbers[i];

            while (before < n && stations[before] != station)
                before++;
            if (before == n)
                stations[n++] = station;
        }
    return n;
}

/* Tries sets of stations for the only client of the plan. */
static int try_client(const struct plan *p, uint32_t stations, uint64_t *state,
                      struct hagg_err *err)
{
    uint32_t *from = calloc((size_t)p->topology.n_stations + 1, sizeof *from), n;
    struct coalition who = { 0 };
    struct model m = { 0 };
    int leaks = from ? 0 : err_errno(err, "%s", p->name);

    if (leaks == 0 && (model_build(&m, p, 0, err) || coalition_new(&who, &m, err)))
        leaks = -1;
    n = from ? list_stations(p, from) : 0;
    for (uint32_t tries = 0; tries < MAX_SETS && leaks == 0; tries++) {
        uint32_t most = stations < n ? stations : n;

        for (uint32_t i = 0; i < n; i++)
            who.nodes[model_station(from[i])] = false;
        /* the first set has the first stations, and with them a key in the clear */
        for (uint32_t i = 0; i < most; i++) {
            uint32_t j = tries == 0 ? i : i + splitmix_below(state, n - i), keep = from[j];

            from[j] = from[i];
            from[i] = keep;
            who.nodes[model_station(keep)] = true;
        }
        leaks = learnt_single(&m, &who, err);
        if (most == n)
            break;
    }
    coalition_free(&who);
    model_free(&m);
    free(from);
    return leaks;
}

int single_leaks(const struct model *m, uint32_t stations, struct hagg_err *err)
{
    const struct plan *p = m->rest->plan;
    uint64_t state = 0;
    int leaks = 0;

    if (stations == 0)
        return 0;
    if (p->aligned)
        return aligned_leaks(p, stations, err);
    for (uint32_t tries = 0; tries < MAX_TRIED && leaks == 0; tries++) {
        uint32_t client = splitmix_below(&state, (uint32_t)p->topology.n_clients);
        struct subnet net = { 0 };

        if (subnet_new(&net, p, &client, 1, 0, err))
            return -1;
        leaks = try_client(&net.plan, stations, &state, err);
        subnet_free(&net);
    }
    return leaks;
}
