#include <stdlib.h>
#include <string.h>

#include "plan_masks.h"
#include "protocol.h"

/* Stations that mask, ascending, and the totals of their masks. */
struct masking {
    const struct plan *plan;
    uint32_t *stations;
    uint32_t *totals; /* block of each */
    size_t n;
};

static int list_stations(struct masking *k, struct hagg_err *err)
{
    struct rangeset set = { 0 };
    int status = plan_masks_stations(k->plan, PLAN_SHARES, NULL, &set, err);

    k->stations = calloc(k->plan->topology.n_stations + 1u, sizeof *k->stations);
    k->totals = calloc(k->plan->topology.n_stations + 1u, sizeof *k->totals);
    if (status == 0 && (!k->stations || !k->totals))
        status = err_errno(err, "%s", k->plan->name);
    for (size_t i = 0; status == 0 && i < set.n; i++)
        for (uint32_t u = set.ranges[i].first; u <= set.ranges[i].last; u++)
            k->stations[k->n++] = u;
    rangeset_free(&set);
    return status;
}

int protocol_draw_masks(struct model *m, struct protocol_sharing *s,
                        const struct topology_list *stations, struct hagg_err *err)
{
    uint32_t *all = calloc(s->sharing.n + 1u, sizeof *all);
    int status;

    if (!all)
        return err_errno(err, "no memory for the masks of a pattern");
    for (uint32_t i = 0; i < s->sharing.n; i++)
        all[i] = i;
    status = sharing_inverse(&s->sharing, all, &s->inverse, err);
    free(all);
    s->masked = true;
    s->first_mask = (uint32_t)m->n_blocks;
    for (size_t row = 0; row < s->sharing.matrix.rows; row++)
        model_add_draw(m, model_station(stations->numbers[row / s->sharing.shape.symbols]), 0,
                       s->sharing.shape.parts);
    return status;
}

/* What the station's masks decode to if all others are zero: a mask times its column of the inverse
 * matrix, part by part. The total is a block of its own, which this says what it is. */
static void define_total(struct model *m, uint32_t total, uint32_t station,
                         const struct protocol_sharing *sharings,
                         const struct plan_patterns *patterns)
{
    unsigned char one[8] = { 0 }, minus[8] = { 0 };
    static const unsigned char zero[8];

    hagg_store(one, 0, field_elem_size(m->field), 1);
    field_sub(m->field, minus, zero, one, 1);
    model_add_message(m, MODEL_DEFINITION, MODEL_DEFINITION, 1);
    model_add_term(m, total, 0, minus);
    for (size_t i = 0; i < patterns->n; i++) {
        const struct protocol_sharing *s = &sharings[i];
        size_t symbols = s->sharing.shape.symbols;

        for (size_t row = 0; row < s->sharing.matrix.rows; row++) {
            if (patterns->routes[i].lists[0]->numbers[row / symbols] != station)
                continue;
            for (uint32_t part = 0; part < s->sharing.shape.parts; part++) {
                struct model_term term = {
                    .block = s->first_mask + (uint32_t)row,
                    .cut = s->sharing.shape.parts,
                    .at = part,
                };

                memcpy(term.factor, matrix_at(&s->inverse, part, row), field_elem_size(m->field));
                model_add_part(m, term);
            }
        }
    }
}

/* From a station towards the federator, through a relay of its own if there are any: terms of the
 * message begun last are sent there once more. */
static uint32_t onward(const struct model *m, const struct plan *p, uint32_t station)
{
    return p->topology.n_relays > 0
               ? model_relay(m, p->topology.station_via[station - 1].numbers[0])
               : MODEL_FEDERATOR;
}

/* Partial collusion: the sum of the totals of the first so many stations, as it is. */
static void send_totals(struct model *m, const struct masking *k, size_t n, uint32_t from,
                        uint32_t to)
{
    unsigned char one[8] = { 0 };

    hagg_store(one, 0, field_elem_size(m->field), 1);
    model_add_message(m, from, to, 1);
    for (size_t i = 0; i < n; i++)
        model_add_term(m, k->totals[i], 0, one);
}

static void chain_totals(struct model *m, const struct masking *k)
{
    uint32_t last = k->stations[k->n - 1], next = onward(m, k->plan, last);

    for (size_t i = 1; i < k->n; i++)
        send_totals(m, k, i, model_station(k->stations[i - 1]), model_station(k->stations[i]));
    send_totals(m, k, k->n, model_station(last), next);
    if (next != MODEL_FEDERATOR)
        send_totals(m, k, k->n, next, MODEL_FEDERATOR);
}

/* Full collusion: one symbol of a share of the totals of stations from .. end, added up. */
static void send_share(struct model *m, const struct masking *k, const struct sharing *s,
                       uint32_t first_draw, size_t row, size_t from, size_t end, uint32_t sender,
                       uint32_t to)
{
    model_add_message(m, sender, to, s->shape.parts);
    for (size_t i = from; i < end; i++) {
        for (uint32_t j = 0; j < s->shape.parts; j++)
            model_add_term(m, k->totals[i], j, matrix_at(&s->matrix, row, j));
        for (uint32_t j = 0; j < s->shape.randoms; j++)
            model_add_term(m, first_draw + (uint32_t)i * s->shape.randoms + j, 0,
                           matrix_at(&s->matrix, row, s->shape.parts + j));
    }
}

static int share_totals(struct model *m, const struct masking *k, struct hagg_err *err)
{
    uint32_t first_draw = (uint32_t)m->n_blocks;
    struct sharing s;

    if (plan_masks_sharing(k->plan, &s, err))
        return -1;
    for (size_t i = 0; i < k->n; i++)
        for (uint32_t j = 0; j < s.shape.randoms; j++)
            model_add_draw(m, model_station(k->stations[i]), 0, s.shape.parts);
    for (size_t row = 0; row < s.matrix.rows; row++) {
        uint32_t holder = (uint32_t)(row / s.shape.symbols) + 1, next = onward(m, k->plan, holder);

        for (size_t i = 0; i < k->n; i++)
            send_share(m, k, &s, first_draw, row, i, i + 1, model_station(k->stations[i]),
                       model_station(holder));
        send_share(m, k, &s, first_draw, row, 0, k->n, model_station(holder), next);
        if (next != MODEL_FEDERATOR)
            send_share(m, k, &s, first_draw, row, 0, k->n, next, MODEL_FEDERATOR);
    }
    sharing_free(&s);
    return 0;
}

int protocol_mask_totals(struct model *m, const struct plan *p,
                         const struct plan_patterns *patterns,
                         const struct protocol_sharing *sharings, struct hagg_err *err)
{
    struct masking k = { .plan = p };
    int status = list_stations(&k, err);

    for (size_t i = 0; i < k.n && status == 0; i++) {
        k.totals[i] = model_add_draw(m, model_station(k.stations[i]), 0, 1);
        define_total(m, k.totals[i], k.stations[i], sharings, patterns);
    }
    if (status == 0 && p->topology.full)
        status = share_totals(m, &k, err);
    else if (status == 0)
        chain_totals(m, &k);
    free(k.stations);
    free(k.totals);
    return status;
}
