#include "cost/count/unprotected.h"

#include <stdlib.h>

#include "plan/plan_patterns.h"

/* A set cover problem: each list must contain a chosen node. */
struct cover {
    const struct topology_list **lists;
    bool *is_covered;
    size_t n;
    uint64_t *n_gained; /* by node: number of lists that it would cover */
    bool *is_chosen;    /* by node */
    uint32_t n_nodes;
};

static void cover_free(struct cover *c)
{
    free(c->lists);
    free(c->is_covered);
    free(c->n_gained);
    free(c->is_chosen);
}

static int cover_new(struct cover *c, size_t n, uint32_t n_nodes, const char *name,
                     struct hagg_err *err)
{
    *c = (struct cover){
        .lists = calloc(n + 1, sizeof *c->lists),
        .is_covered = calloc(n + 1, sizeof *c->is_covered),
        .n = n,
        .n_gained = calloc((size_t)n_nodes + 1, sizeof *c->n_gained),
        .is_chosen = calloc((size_t)n_nodes + 1, sizeof *c->is_chosen),
        .n_nodes = n_nodes,
    };
    if (c->lists && c->is_covered && c->n_gained && c->is_chosen)
        return 0;
    cover_free(c);
    return err_errno(err, "%s", name);
}

/* Lists, for each node, the indices of the lists that contain it. begins has n_nodes + 2 entries,
 * all zero; afterwards the lists of node u are from begins[u] to begins[u + 1]. */
static uint32_t *list_by_node(const struct cover *c, size_t *begins)
{
    size_t n = 0;
    uint32_t *found;

    for (size_t i = 0; i < c->n; i++)
        n += c->lists[i]->n;
    found = calloc(n + 1, sizeof *found);
    for (uint32_t u = 1; found && u <= c->n_nodes; u++)
        begins[u + 1] = begins[u] + c->n_gained[u];
    for (size_t i = 0; i < c->n && found; i++)
        for (size_t j = 0; j < c->lists[i]->n; j++)
            found[begins[c->lists[i]->numbers[j]]++] = (uint32_t)i;
    /* each beginning was advanced to the next one */
    for (uint32_t u = c->n_nodes; found && u > 0; u--)
        begins[u] = u > 1 ? begins[u - 1] : 0;
    return found;
}

static void choose(struct cover *c, uint32_t node, const uint32_t *lists, size_t n)
{
    c->is_chosen[node] = true;
    for (size_t i = 0; i < n; i++) {
        const struct topology_list *list = c->lists[lists[i]];

        if (c->is_covered[lists[i]])
            continue;
        c->is_covered[lists[i]] = true;
        for (size_t j = 0; j < list->n; j++)
            c->n_gained[list->numbers[j]]--;
    }
}

/* Repeatedly chooses the node that covers most of the remaining lists. Sets the number of nodes. */
static int cover_greedily(struct cover *c, uint64_t *n_chosen, const char *name,
                          struct hagg_err *err)
{
    size_t *begins = calloc((size_t)c->n_nodes + 2, sizeof *begins);
    uint32_t *lists, best = 1;

    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->lists[i]->n; j++)
            c->n_gained[c->lists[i]->numbers[j]]++;
    lists = begins ? list_by_node(c, begins) : NULL;
    if (!lists) {
        free(begins);
        return err_errno(err, "%s", name);
    }
    for (*n_chosen = 0;; ++*n_chosen) {
        for (uint32_t u = best = 1; u <= c->n_nodes; u++)
            if (c->n_gained[u] > c->n_gained[best])
                best = u;
        if (c->n_gained[best] == 0)
            break;
        choose(c, best, lists + begins[best], begins[best + 1] - begins[best]);
    }
    free(begins);
    free(lists);
    return 0;
}

/* Adds what nodes pay if vectors go from n senders to the chosen node of the list that pays least
 * for it. */
static void charge_receiver(struct sheet *sheet, enum topology_link link, enum node_tier tier,
                            const struct topology_list *list, const struct cover *c, uint64_t n,
                            uint64_t length)
{
    struct sheet_size size = { .num = 1, .den = 1, .n_symbols = length, .price = UINT64_MAX };

    for (size_t i = 0; i < list->n; i++) {
        struct node node = { tier, list->numbers[i] };

        if (c->is_chosen[node.number] && prices_receive(sheet->prices, node) < size.price)
            size.price = prices_receive(sheet->prices, node);
    }
    sheet_line_charge(&sheet->links[link], n, size);
}

/* Adds what the chosen nodes pay for sending one vector each. */
static void charge_senders(struct sheet *sheet, enum topology_link link, enum node_tier tier,
                           const struct cover *c, uint64_t length)
{
    for (uint32_t u = 1; u <= c->n_nodes; u++) {
        struct sheet_size size = { .num = 1,
                                   .den = 1,
                                   .n_symbols = length,
                                   .price = prices_send(sheet->prices, (struct node){ tier, u }) };

        sheet_line_charge(&sheet->links[link], c->is_chosen[u], size);
    }
}

static void charge_stations(struct sheet *sheet, const struct plan *p, const struct cover *c,
                            uint64_t length)
{
    const struct topology *t = &p->topology;

    if (!sheet->prices || !sheet->prices->nodes[TOPOLOGY_PRICED_STATIONS])
        return;
    for (size_t i = 0; i < t->n_clients; i++)
        charge_receiver(sheet, LINK_CLIENT_STATION, NODE_STATION,
                        topology_reach(&t->groups[t->clients[i].group]), c, 1, length);
    charge_senders(sheet, t->n_relays > 0 ? LINK_STATION_RELAY : LINK_STATION_FEDERATOR,
                   NODE_STATION, c, length);
}

static void charge_relays(struct sheet *sheet, const struct cover *c, uint64_t length)
{
    if (!sheet->prices || !sheet->prices->nodes[TOPOLOGY_PRICED_RELAYS])
        return;
    for (size_t i = 0; i < c->n; i++)
        charge_receiver(sheet, LINK_STATION_RELAY, NODE_RELAY, c->lists[i], c, 1, length);
    charge_senders(sheet, LINK_RELAY_FEDERATOR, NODE_RELAY, c, length);
}

/* Chooses relays for the stations that were chosen for the clients. */
static int cover_stations(struct sheet *sheet, uint64_t length, uint64_t *n_chosen,
                          const struct plan *p, const struct cover *stations, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct cover c;
    int status;

    if (cover_new(&c, t->n_stations, t->n_relays, p->name, err))
        return -1;
    c.n = 0;
    for (uint32_t u = 1; u <= t->n_stations; u++)
        if (stations->is_chosen[u])
            c.lists[c.n++] = &t->station_via[u - 1];
    status = cover_greedily(&c, n_chosen, p->name, err);
    if (status == 0)
        charge_relays(sheet, &c, length);
    cover_free(&c);
    return status;
}

static void add(struct sheet *sheet, const struct plan *p, uint64_t length, uint64_t n_stations,
                uint64_t n_relays)
{
    struct sheet_size whole = { .num = 1, .den = 1, .n_symbols = length };

    sheet_add(sheet, LINK_CLIENT_STATION, p->topology.n_clients, whole);
    sheet_add(sheet, n_relays > 0 ? LINK_STATION_RELAY : LINK_STATION_FEDERATOR, n_stations, whole);
    sheet_add(sheet, LINK_RELAY_FEDERATOR, n_relays, whole);
}

int unprotected_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t n_stations = 0, n_relays = 0;
    struct plan_patterns reaches;
    struct cover c;
    int status;

    /* every set once, so that the result does not depend on the groups */
    if (plan_patterns_new(&reaches, p, PLAN_REACHES, 0, err))
        return -1;
    if (cover_new(&c, reaches.n, t->n_stations, p->name, err)) {
        plan_patterns_free(&reaches);
        return -1;
    }
    for (size_t i = 0; i < reaches.n; i++)
        c.lists[i] = reaches.routes[i].lists[0];
    status = cover_greedily(&c, &n_stations, p->name, err);
    if (status == 0 && t->n_relays > 0)
        status = cover_stations(sheet, length, &n_relays, p, &c, err);
    if (status == 0)
        charge_stations(sheet, p, &c, length);
    cover_free(&c);
    plan_patterns_free(&reaches);
    if (status == 0)
        add(sheet, p, length, n_stations, n_relays);
    return status;
}

void unprotected_least(struct sheet *sheet, const struct plan *p, uint64_t length)
{
    add(sheet, p, length, 1, p->topology.n_relays > 0 ? 1 : 0);
}
