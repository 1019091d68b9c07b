#include "protocol.h"

static void add_whole(struct model *m, uint32_t class)
{
    unsigned char one[8] = { 0 };

    hagg_store(one, 0, field_elem_size(m->field), 1);
    if (!m->failed)
        model_add_term(m, m->classes[class].secret, 0, one);
}

/* The sum of the keys that have come to the stations up to this one. */
static void add_sum(struct model *m, uint32_t last, uint32_t from, uint32_t to,
                    const uint32_t *class_of_station)
{
    model_add_message(m, from, to, 1);
    for (uint32_t u = 1; u <= last; u++)
        add_whole(m, class_of_station[u]);
}

void protocol_chain(struct model *m, const struct plan *p, uint32_t *class_of_station)
{
    uint32_t n = p->topology.n_stations, relay = plan_key_relay(p), last = model_station(n);

    for (uint32_t u = 1; u <= n; u++) {
        class_of_station[u] = model_add_class(m);
        model_add_message(m, MODEL_CLIENT, model_station(u), 1);
        add_whole(m, class_of_station[u]);
    }
    for (uint32_t u = 1; u < n; u++)
        add_sum(m, u, model_station(u), model_station(u + 1), class_of_station);
    if (relay > 0) {
        add_sum(m, n, last, model_relay(m, relay), class_of_station);
        last = model_relay(m, relay);
    }
    add_sum(m, n, last, MODEL_FEDERATOR, class_of_station);
}
