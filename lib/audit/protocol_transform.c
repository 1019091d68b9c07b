#include <stdlib.h>

#include "protocol.h"

/* Adds factor times what the station with this index sends to the relay with that one: the relay's
 * row of the new matrix times the station's share, cut once more, and what the station has drawn.
 */
static void add_transfer(struct model *m, const struct protocol_sharing *s, uint32_t station,
                         uint32_t relay, const void *factor)
{
    const struct hagg_scheme_shape *old = &s->sharing.shape, *new = &s->relayed.shape;
    unsigned char first[8], product[8];

    for (uint32_t j = 0; j < new->parts; j++) {
        field_mul(m->field, first, factor, matrix_at(&s->relayed.matrix, relay, j));
        for (uint32_t i = 0; i < old->parts + old->randoms; i++) {
            field_mul(m->field, product, first, matrix_at(&s->sharing.matrix, station, i));
            if (i < old->parts)
                model_add_term(m, m->classes[s->class].secret, i * new->parts + j, product);
            else
                model_add_term(m, s->first_draw + i - old->parts, j, product);
        }
    }
    for (uint32_t i = 0; i < new->randoms; i++) {
        field_mul(m->field, product, factor, matrix_at(&s->relayed.matrix, relay, new->parts + i));
        model_add_term(m, s->first_reshared + station * new->randoms + i, 0, product);
    }
}

static uint32_t cut_of(const struct protocol_sharing *s)
{
    return s->sharing.shape.parts * s->relayed.shape.parts;
}

static int make_matrices(const struct plan *p, struct protocol_sharing *s, uint32_t n_relays,
                         struct hagg_err *err)
{
    uint32_t *first = calloc(s->sharing.k + 1u, sizeof *first);
    int status;

    if (!first)
        return err_errno(err, "%s", p->name);
    for (uint32_t i = 0; i < s->sharing.k; i++)
        first[i] = i;
    status = plan_sharing(p, 1, n_relays, &s->relayed, err);
    if (status == 0)
        status = sharing_inverse(&s->sharing, first, &s->inverse, err);
    free(first);
    if (status == 0 && (s->sharing.shape.symbols != 1 || s->relayed.shape.symbols != 1))
        return err_set(err, HAGG_E_MALFORMED, "%s: shares of several symbols cannot be transformed",
                       p->name);
    return status;
}

int protocol_contribute(struct model *m, const struct plan *p, struct protocol_sharing *s,
                        const struct topology_list *stations, const struct topology_list *relays,
                        struct hagg_err *err)
{
    unsigned char one[8] = { 0 };

    hagg_store(one, 0, field_elem_size(m->field), 1);
    if (make_matrices(p, s, (uint32_t)relays->n, err))
        return -1;
    s->first_reshared = (uint32_t)m->n_blocks;
    for (uint32_t i = 0; i < s->sharing.k; i++)
        for (uint32_t j = 0; j < s->relayed.shape.randoms; j++)
            model_add_draw(m, model_station(stations->numbers[i]), 0, cut_of(s));
    for (uint32_t i = 0; i < s->sharing.k && !m->failed; i++)
        for (uint32_t j = 0; j < s->relayed.n; j++) {
            model_add_message(m, model_station(stations->numbers[i]),
                              model_relay(m, relays->numbers[j]), cut_of(s));
            add_transfer(m, s, i, j, one);
        }
    return 0;
}

void protocol_finish(struct model *m, const struct protocol_sharing *const *sharings, size_t n,
                     const struct topology_list *relays)
{
    for (uint32_t relay = 0; relay < sharings[0]->relayed.n && !m->failed; relay++)
        /* of each part of the old sharing a share, side by side */
        for (uint32_t part = 0; part < sharings[0]->sharing.shape.parts; part++) {
            model_add_message(m, model_relay(m, relays->numbers[relay]), MODEL_FEDERATOR,
                              cut_of(sharings[0]));
            for (size_t i = 0; i < n; i++)
                for (uint32_t u = 0; u < sharings[i]->sharing.k; u++)
                    add_transfer(m, sharings[i], u, relay,
                                 matrix_at(&sharings[i]->inverse, part, u));
        }
}
