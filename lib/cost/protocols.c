#include "cost/protocols.h"

int protocol_sets_of_plan(struct protocol_sets *sets, const struct plan *p, enum plan_what what,
                          struct hagg_err *err)
{
    *sets = (struct protocol_sets){ 0 };
    if (setsizes_of_plan(&sets->stations, p, what, 0, err))
        return -1;
    if (what == PLAN_REACHES || plan_tiers(p) == 1 ||
        setsizes_of_plan(&sets->relays, p, what, 1, err) == 0)
        return 0;
    protocol_sets_free(sets);
    return -1;
}

void protocol_sets_free(struct protocol_sets *sets)
{
    setsizes_free(&sets->stations);
    setsizes_free(&sets->relays);
}

bool protocol_sets_suffice(const struct protocol_sets *sets, const struct plan *p)
{
    const struct topology *t = &p->topology;

    return setsizes_least(&sets->stations) >
           (uint64_t)topology_colluders(t, 0) + topology_spares(t, 0);
}

/* Over which link a tier sends on. */
static enum sheet_link link_from(const struct plan *p, size_t tier)
{
    return tier > 0            ? LINK_RELAY_FEDERATOR
           : plan_tiers(p) > 1 ? LINK_STATION_RELAY
                               : LINK_STATION_FEDERATOR;
}

/* A share to every member of so many sets of each size. */
static int add_shares(struct sheet_line *line, const struct plan *p, uint64_t length,
                      const uint64_t *n_of_size, uint32_t most, struct hagg_err *err)
{
    for (uint32_t m = 1; m <= most; m++) {
        struct hagg_scheme_shape shape;
        uint32_t k, z;

        if (n_of_size[m] == 0)
            continue;
        if (plan_shape(p, 0, m, &k, &z, &shape, err))
            return -1;
        sheet_line_add(line, n_of_size[m] * m, shape.symbols, shape.parts,
                       scheme_share_length(&shape, length));
    }
    return 0;
}

int protocols_bare(struct sheet *sheet, const struct plan *p, uint64_t length,
                   const struct protocol_sets *shares, struct hagg_err *err)
{
    const struct setsizes *tiers[PLAN_TIERS] = { &shares->stations, &shares->relays };

    if (add_shares(&sheet->links[LINK_CLIENT_STATION], p, length, tiers[0]->clients, tiers[0]->most,
                   err))
        return -1;
    for (size_t tier = 0; tier < plan_tiers(p); tier++)
        if (add_shares(&sheet->links[link_from(p, tier)], p, length, tiers[tier]->patterns,
                       tiers[tier]->most, err))
            return -1;
    return 0;
}

/* From station to station, and what the last one has to the federator. */
static void add_keys(struct sheet *sheet, const struct plan *p, uint64_t length)
{
    sheet_add(sheet, LINK_CLIENT_STATION, p->topology.n_clients, 1, 1, length);
    sheet_add(sheet, LINK_STATION_STATION, p->topology.n_stations - 1, 1, 1, length);
    for (size_t tier = 0; tier < plan_tiers(p); tier++)
        sheet_add(sheet, link_from(p, tier), 1, 1, 1, length);
}

int protocols_add_clients(struct sheet *sheet, const struct plan *p, uint64_t length,
                          const struct setsizes *shares, struct hagg_err *err)
{
    struct sheet_line *line = &sheet->links[LINK_CLIENT_STATION];

    if (!p->topology.full)
        add_keys(sheet, p, length);
    else if (add_shares(line, p, length, shares->clients, shares->most, err))
        return -1;
    return add_shares(line, p, length, shares->clients, shares->most, err);
}

int protocols_client_keys(struct sheet *sheet, const struct plan *p, uint64_t length,
                          const struct protocol_sets *shares, struct hagg_err *err)
{
    add_keys(sheet, p, length);
    return protocols_bare(sheet, p, length, shares, err);
}

int protocols_shared_keys(struct sheet *sheet, const struct plan *p, uint64_t length,
                          const struct protocol_sets *shares, const struct protocol_sets *keys,
                          struct hagg_err *err)
{
    if (protocols_bare(sheet, p, length, shares, err))
        return -1;
    return protocols_bare(sheet, p, length, keys, err);
}
