#include "messages_walk.h"
#include "plan_masks.h"

/* Whether the total, or a share of it, lacks something: every station that masks is in it. */
static bool lacks_one(const struct messages_walk *w, const struct rangeset *masking)
{
    for (uint32_t u = 1; u <= w->p->topology.n_stations; u++)
        if (rangeset_overlap(masking, u, u) > 0 && messages_is_out(w, 0, u))
            return true;
    return false;
}

/* What a station has for the federator, through the first relay that it reaches. */
static int send_out(const struct messages_walk *w, struct plan_message *m, uint32_t station,
                    bool lacks)
{
    uint32_t relay = plan_tiers(w->p) > 1 ? w->p->topology.station_via[station - 1].numbers[0] : 0;

    messages_set_link(m, messages_link_from(w, 0));
    lacks = lacks || messages_is_out(w, 0, station);
    if (relay == 0)
        return messages_send(w, m, station, 1, lacks);
    lacks = lacks || messages_is_out(w, 1, relay);
    if (messages_send(w, m, station, relay, lacks))
        return -1;
    messages_set_link(m, messages_link_from(w, 1));
    return messages_send(w, m, relay, 1, lacks);
}

/* Partial collusion: from each station that masks to the next. */
static int send_chain(const struct messages_walk *w, const struct rangeset *masking, bool lacks)
{
    struct plan_message m = messages_begin(w, LINK_STATION_STATION);
    uint32_t before = 0;

    m.secret = HEADER_MASK;
    for (uint32_t u = 1; u <= w->p->topology.n_stations; u++) {
        if (rangeset_overlap(masking, u, u) == 0)
            continue;
        if (before > 0 && messages_send(w, &m, before, u, lacks))
            return -1;
        before = u;
    }
    return before > 0 ? send_out(w, &m, before, lacks) : 0;
}

/* Full collusion: a share of each total to every other station, and their sums. */
static int send_shares(const struct messages_walk *w, const struct rangeset *masking, bool lacks)
{
    struct plan_message m = messages_begin(w, LINK_STATION_STATION);
    uint32_t n = w->p->topology.n_stations, z;
    struct hagg_scheme_shape shape;

    if (plan_masks_shape(w->p, &z, &shape, w->err))
        return -1;
    messages_set_share(&m, PLAN_KEYS,
                       &(struct messages_rate){ scheme_share_length(&shape, w->length),
                                                shape.symbols, shape.parts });
    m.secret = HEADER_MASK;
    for (uint32_t u = 1; u <= n; u++)
        for (uint32_t to = 1; to <= n && rangeset_overlap(masking, u, u) > 0; to++)
            if (to != u &&
                messages_send(w, &m, u, to, messages_is_out(w, 0, u) || messages_is_out(w, 0, to)))
                return -1;
    for (uint32_t u = 1; u <= n; u++)
        if (send_out(w, &m, u, lacks))
            return -1;
    return 0;
}

int messages_masks(const struct messages_walk *w)
{
    struct rangeset masking = { 0 };
    int status = plan_masks_stations(w->p, PLAN_SHARES, w->presence->clients, &masking, w->err);

    if (status == 0)
        status = w->p->topology.full ? send_shares(w, &masking, lacks_one(w, &masking))
                                     : send_chain(w, &masking, lacks_one(w, &masking));
    rangeset_free(&masking);
    return status;
}
