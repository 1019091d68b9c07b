#include "sight.h"

static bool is_honest(const struct sight_observer *who, size_t client)
{
    return !(who->clients >> client & 1);
}

/* Adds a share of one client at one station. */
static void add_share(const struct instance *in, size_t client, enum instance_secret secret,
                      size_t station, struct sight *s)
{
    for (size_t e = 0; e < in->clients[client].of[secret].share_length; e++) {
        struct sight_sum *sum = &s->sums[s->n++];

        *sum = (struct sight_sum){ .secret = secret, .e = e };
        sum->has[client] = true;
        sum->from[client] = station;
    }
}

/* Adds the sum of the keys at the stations before this one in the chain. */
static void add_keys(const struct instance *in, const struct sight_observer *who, size_t before,
                     struct sight *s)
{
    for (size_t e = 0; e < in->length; e++) {
        struct sight_sum *sum = &s->sums[s->n++];

        *sum = (struct sight_sum){ .whole_key = true, .e = e };
        for (size_t i = 0; i < in->n_clients; i++)
            sum->has[i] = is_honest(who, i) && in->clients[i].key_station < before;
    }
}

/* Adds shares, keys in the clear, and the sum of keys that arrives along the chain. */
static void add_station(const struct instance *in, const struct sight_observer *who, size_t station,
                        struct sight *s)
{
    for (size_t i = 0; i < in->n_clients; i++) {
        const struct instance_client *c = &in->clients[i];

        for (size_t secret = 0; is_honest(who, i) && secret < in->n_secrets; secret++)
            if (c->of[secret].holds[station])
                add_share(in, i, (enum instance_secret)secret, station, s);
        for (size_t e = 0; is_honest(who, i) && in->n_secrets == 1 && e < in->length; e++)
            if (c->key_station == station) {
                s->sums[s->n] = (struct sight_sum){ .whole_key = true, .e = e };
                s->sums[s->n++].has[i] = true;
            }
    }
    if (in->n_secrets == 1)
        add_keys(in, who, station, s);
}

/* True if no honest client before this one has the same pattern or, if merged, the same group. */
static bool is_first(const struct instance *in, const struct sight_observer *who, size_t client,
                     enum instance_secret secret, bool merged)
{
    const struct instance_sharing *own = &in->clients[client].of[secret];

    for (size_t i = 0; i < client; i++) {
        const struct instance_sharing *other = &in->clients[i].of[secret];

        if (is_honest(who, i) &&
            (merged ? other->group == own->group : other->pattern == own->pattern))
            return false;
    }
    return true;
}

/* Adds the sum of the shares with the index of the client's share at this station: over its
 * pattern, as the station sends it, or over its group, as a relay sends it. */
static void add_sum(const struct instance *in, const struct sight_observer *who, size_t client,
                    enum instance_secret secret, size_t station, bool merged, struct sight *s)
{
    const struct instance_sharing *own = &in->clients[client].of[secret];

    for (size_t e = 0; e < own->share_length; e++) {
        struct sight_sum *sum = &s->sums[s->n++];

        *sum = (struct sight_sum){ .secret = secret, .e = e };
        for (size_t i = 0; i < in->n_clients; i++) {
            const struct instance_sharing *other = &in->clients[i].of[secret];

            if (!is_honest(who, i) ||
                (merged ? other->group != own->group : other->pattern != own->pattern))
                continue;
            for (size_t u = 0; u < in->n_stations; u++)
                if (other->holds[u] && other->index[u] == own->index[station]) {
                    sum->has[i] = true;
                    sum->from[i] = u;
                }
        }
    }
}

/* Adds all sums that go to one relay, numbered from 1, or to the federator if relay is 0. */
static void add_sums(const struct instance *in, const struct sight_observer *who, size_t relay,
                     struct sight *s)
{
    for (size_t secret = 0; secret < in->n_secrets; secret++)
        for (size_t i = 0; i < in->n_clients; i++) {
            const struct instance_sharing *own = &in->clients[i].of[secret];

            if (!is_honest(who, i) ||
                !is_first(in, who, i, (enum instance_secret)secret, relay == 0))
                continue;
            for (size_t u = 0; u < in->n_stations; u++)
                if (own->holds[u] && (relay == 0 || own->relay[u] == relay))
                    add_sum(in, who, i, (enum instance_secret)secret, u, relay == 0, s);
        }
    /* the total of the keys goes through the first relay that the last station reaches */
    if (in->n_secrets == 1 &&
        (relay == 0 || relay == in->plan.topology.station_via[in->n_stations - 1].numbers[0]))
        add_keys(in, who, in->n_stations, s);
}

void sight_collect(const struct instance *in, const struct sight_observer *who, struct sight *s)
{
    s->n = 0;
    for (size_t u = 0; u < in->n_stations; u++)
        if (who->stations >> u & 1)
            add_station(in, who, u, s);
    for (size_t relay = 1; relay <= in->plan.topology.n_relays; relay++)
        if (who->relays >> (relay - 1) & 1)
            add_sums(in, who, relay, s);
    if (who->federator)
        add_sums(in, who, 0, s);
}

uint8_t sight_term(const struct sight_sum *sum, size_t client, const struct instance_cell *cell)
{
    if (!sum->has[client])
        return 0;
    return sum->whole_key ? cell->key[sum->e]
                          : cell->shares[sum->secret][sum->from[client]][sum->e];
}
