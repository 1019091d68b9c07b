#include "certificate/certificate_network.h"

#include "plan/plan_patterns.h"

struct collector {
    struct network *n;
    const struct topology *t;
    const struct plan_patterns *patterns;
};

/* Marks what the clients of the group of the sender send. */
static void add_client(const struct collector *c, const struct message *s, uint8_t what)
{
    const struct topology *t = c->t;
    uint32_t group = topology_client(t, s->from.number)->group;

    if (c->n->classes)
        c->n->up[c->patterns->of_group[group]][s->to.number - 1] |= what;
    for (size_t i = 0; i < t->n_clients && !c->n->classes; i++)
        if (t->clients[i].group == group)
            c->n->up[i][s->to.number - 1] |= what;
}

static int add_message(void *collector, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct collector *c = collector;
    uint8_t what = s->stage->secret == HEADER_KEY    ? NETWORK_KEYS
                   : s->stage->secret == HEADER_MASK ? NETWORK_MASKS
                                                     : NETWORK_SHARES;
    uint32_t from = s->from.number - 1, to = s->to.number - 1;

    (void)n;
    (void)err;
    if (s->from.tier == NODE_CLIENT)
        add_client(c, s, what);
    else if (s->to.tier == NODE_STATION)
        c->n->across[from][to] |= what;
    else if (s->from.tier == NODE_STATION && s->to.tier == NODE_RELAY)
        c->n->relayed[from][to] |= what;
    else if (s->from.tier == NODE_STATION)
        c->n->stations_down[from] |= what;
    else if (s->to.tier == NODE_FEDERATOR)
        c->n->relays_down[from] |= what;
    return 0;
}

static void add_boxes(struct network *n, const struct topology *t,
                      const struct plan_patterns *patterns)
{
    n->n_stations = t->n_stations;
    n->n_relays = t->n_relays;
    n->n_boxes = n->classes ? patterns->n : t->n_clients;
    for (size_t i = 0; i < t->n_clients; i++)
        if (n->classes)
            n->numbers[patterns->of_group[t->clients[i].group]]++;
        else
            n->numbers[i] = t->clients[i].number;
}

int network_new(struct network *n, bool *fits, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns patterns;
    struct protocol *round;
    int status = -1;

    if (plan_patterns_new(&patterns, p, PLAN_SHARES, 0, err))
        return -1;
    *fits = t->n_stations <= NETWORK_NODES && t->n_relays <= NETWORK_NODES &&
            (t->n_clients <= NETWORK_NODES || patterns.n <= NETWORK_CLASSES);
    if (!*fits) {
        plan_patterns_free(&patterns);
        return 0;
    }
    *n = (struct network){ .classes = t->n_clients > NETWORK_NODES };
    add_boxes(n, t, &patterns);
    round = protocol_open(p, NULL, err);
    if (round)
        status =
            protocol_each_group(round, add_message, &(struct collector){ n, t, &patterns }, err);
    protocol_free(round);
    plan_patterns_free(&patterns);
    return status;
}
