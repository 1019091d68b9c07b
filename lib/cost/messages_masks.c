#include "messages_walk.h"

#include "plan_masks.h"

/* The next station of the set after this one, or 0. */
static uint32_t next_of(const struct rangeset *set, uint32_t after)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->ranges[i].last > after)
            return set->ranges[i].first > after ? set->ranges[i].first : after + 1;
    return 0;
}

/* Partial collusion: from each station that masks to the next, and on to the federator. */
static int send_along(const struct messages_walk *w, const struct rangeset *masking)
{
    struct plan_message m = messages_begin(w, LINK_STATION_STATION, HEADER_MASK);
    uint32_t at = next_of(masking, 0), next;
    bool broken = messages_is_out(w, 0, at);

    for (; (next = next_of(masking, at)) > 0; at = next) {
        broken = broken || messages_is_out(w, 0, next);
        if (messages_send(w, &m, at, next, broken))
            return -1;
    }
    return messages_send_total(w, &m, at, broken);
}

/* Full collusion: the total of each station that masks is shared among all; these send on what they
 * have added up. */
static int send_shares(const struct messages_walk *w, const struct rangeset *masking)
{
    uint32_t n_stations = w->p->topology.n_stations, z;
    struct plan_message m = messages_begin(w, LINK_STATION_STATION, HEADER_MASK);
    struct hagg_scheme_shape shape;
    bool broken = false;

    if (plan_masks_shape(w->p, &z, &shape, w->err))
        return -1;
    messages_set_share(&m, &(struct messages_rate){ scheme_share_length(&shape, w->length),
                                                    shape.symbols, shape.parts });
    for (uint32_t u = next_of(masking, 0); u > 0; u = next_of(masking, u)) {
        bool out = messages_is_out(w, 0, u);

        broken = broken || out;
        for (uint32_t to = 1; to <= n_stations; to++)
            if (to != u && messages_send(w, &m, u, to, out || messages_is_out(w, 0, to)))
                return -1;
    }
    for (uint32_t u = 1; u <= n_stations; u++)
        if (messages_send_total(w, &m, u, broken || messages_is_out(w, 0, u)))
            return -1;
    return 0;
}

int messages_masks(const struct messages_walk *w)
{
    struct rangeset masking = { 0 };
    int status = plan_masks_stations(w->p, PLAN_SHARES, w->presence->clients, &masking, w->err);

    if (status == 0 && masking.n > 0)
        status = w->p->topology.full ? send_shares(w, &masking) : send_along(w, &masking);
    rangeset_free(&masking);
    return status;
}
