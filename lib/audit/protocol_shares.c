#include <stdlib.h>

#include "protocol.h"

/* Adds what gives one symbol of a share to the message begun last. */
static void add_share(struct model *m, const struct protocol_sharing *s, size_t row)
{
    const struct hagg_scheme_shape *shape = &s->sharing.shape;

    if (m->failed)
        return;
    for (uint32_t i = 0; i < shape->parts; i++)
        model_add_term(m, m->classes[s->class].secret, i, matrix_at(&s->sharing.matrix, row, i));
    for (uint32_t i = 0; i < shape->randoms; i++)
        model_add_term(m, s->first_draw + i, 0,
                       matrix_at(&s->sharing.matrix, row, shape->parts + i));
}

/* All symbols of share i of each of the sharings, added up, from one node to another. */
static void send(struct model *m, const struct protocol_sharing *const *sharings, size_t n,
                 uint32_t i, uint32_t from, uint32_t to)
{
    const struct hagg_scheme_shape *shape = &sharings[0]->sharing.shape;

    for (uint32_t row = i * shape->symbols; row < (i + 1) * shape->symbols; row++) {
        model_add_message(m, from, to, shape->parts);
        for (size_t j = 0; j < n; j++)
            add_share(m, sharings[j], row);
    }
}

/* To the stations, and what these have added up of one pattern to the federator or to the relays.
 */
static int share(struct model *m, const struct plan *p, struct protocol_sharing *s,
                 const struct plan_route *route, struct hagg_err *err)
{
    const struct topology_list *stations = route->lists[0], *relays = route->lists[1];

    s->class = model_add_class(m);
    if (plan_sharing(p, 0, (uint32_t)stations->n, &s->sharing, err))
        return -1;
    s->first_draw = (uint32_t)m->n_blocks;
    for (uint32_t i = 0; i < s->sharing.shape.randoms; i++)
        model_add_draw(m, MODEL_CLIENT, s->class, s->sharing.shape.parts);
    for (uint32_t i = 0; i < s->sharing.n; i++) {
        uint32_t station = model_station(stations->numbers[i]);

        send(m, (const struct protocol_sharing *const *)&s, 1, i, MODEL_CLIENT, station);
        if (!p->topology.transform)
            send(m, (const struct protocol_sharing *const *)&s, 1, i, station,
                 route->n > 1 ? model_relay(m, relays->numbers[i]) : MODEL_FEDERATOR);
    }
    return p->topology.transform ? protocol_contribute(m, p, s, stations, relays, err) : 0;
}

/* What relays have added up, to the federator: patterns that go on the same way are one there. */
static int send_relayed(struct model *m, const struct plan *p, enum plan_what what,
                        const struct plan_patterns *patterns,
                        const struct protocol_sharing *sharings, struct hagg_err *err)
{
    const struct protocol_sharing **merged = calloc(patterns->n + 1, sizeof *merged);
    size_t *way = calloc(patterns->n + 1, sizeof *way); /* by pattern: on from the relays */
    struct plan_patterns relayed = { 0 };
    int status = -1;

    if (!merged || !way)
        err_errno(err, "%s", p->name);
    else
        status = plan_patterns_new(&relayed, p, what, 1, err);
    for (size_t g = 0; status == 0 && g < p->topology.n_groups; g++)
        way[patterns->of_group[g]] = relayed.of_group[g];
    for (size_t r = 0; status == 0 && r < relayed.n; r++) {
        size_t n = 0;

        for (size_t i = 0; i < patterns->n; i++)
            if (way[i] == r)
                merged[n++] = &sharings[i];
        if (n > 0 && p->topology.transform)
            protocol_finish(m, merged, n, relayed.routes[r].lists[0]);
        for (uint32_t i = 0; n > 0 && !p->topology.transform && i < merged[0]->sharing.n; i++)
            send(m, merged, n, i, model_relay(m, relayed.routes[r].lists[0]->numbers[i]),
                 MODEL_FEDERATOR);
    }
    plan_patterns_free(&relayed);
    free(way);
    free(merged);
    return status;
}

int protocol_shares(struct model *m, const struct plan *p, enum plan_what what,
                    const struct plan_patterns *patterns, uint32_t *class_of_pattern,
                    struct hagg_err *err)
{
    struct protocol_sharing *sharings = calloc(patterns->n + 1, sizeof *sharings);
    int status = sharings ? 0 : err_errno(err, "%s", p->name);

    for (size_t i = 0; i < patterns->n && status == 0; i++) {
        status = share(m, p, &sharings[i], &patterns->routes[i], err);
        class_of_pattern[i] = sharings[i].class;
    }
    if (status == 0 && plan_tiers(p) > 1)
        status = send_relayed(m, p, what, patterns, sharings, err);
    for (size_t i = 0; sharings && i < patterns->n; i++) {
        sharing_free(&sharings[i].sharing);
        sharing_free(&sharings[i].relayed);
        matrix_free(&sharings[i].inverse);
    }
    free(sharings);
    return status;
}
