#include "view.h"

#include <string.h>

static void add(unsigned p, uint8_t *sum, const uint8_t *elems, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = (uint8_t)((sum[i] + elems[i]) % p);
}

void view_compute(const struct instance *in, const struct view_outcome *o, struct view *v)
{
    memset(v, 0, sizeof *v);
    for (size_t i = 0; i < in->n_clients; i++) {
        const struct instance_client *c = &in->clients[i];
        const struct instance_cell *cell = instance_cell(in, i, o->inputs[i], o->points[i]);

        for (size_t s = 0; s < in->n_secrets; s++)
            for (size_t u = 0; u < in->n_stations; u++)
                if (c->of[s].holds[u])
                    add(in->p, v->sums[s][c->of[s].pattern][u], cell->shares[s][u],
                        c->of[s].share_length);
        for (size_t u = c->key_station; u < in->n_stations && in->n_secrets == 1; u++)
            add(in->p, v->chain[u], cell->key, in->length);
    }
}

/* A number whose digits are elements. */
struct digits {
    unsigned p;
    size_t number, scale, n;
};

static void put(struct digits *d, const uint8_t *elems, size_t n)
{
    for (size_t i = 0; i < n; i++, d->scale *= d->p)
        d->number += elems[i] * d->scale;
    d->n += n;
}

/* Shares and keys from clients, and the sum of keys from the station before in the chain. */
static void put_stations(const struct instance *in, const struct observer *who,
                         const struct view_outcome *o, const struct view *v, struct digits *d)
{
    for (size_t i = 0; i < in->n_clients; i++) {
        const struct instance_client *c = &in->clients[i];
        const struct instance_cell *cell = instance_cell(in, i, o->inputs[i], o->points[i]);

        /* the messages of a colluding client follow from its input and randomness */
        if (who->clients >> i & 1)
            continue;
        for (size_t s = 0; s < in->n_secrets; s++)
            for (size_t u = 0; u < in->n_stations; u++)
                if (who->stations >> u & 1 && c->of[s].holds[u])
                    put(d, cell->shares[s][u], c->of[s].share_length);
        if (in->n_secrets == 1 && who->stations >> c->key_station & 1)
            put(d, cell->key, in->length);
    }
    for (size_t u = 0; u + 1 < in->n_stations && in->n_secrets == 1; u++)
        if (who->chain || (who->stations >> (u + 1) & 1 && !(who->stations >> u & 1)))
            put(d, v->chain[u], in->length);
}

/* The sums of one secret, pattern by pattern. */
static void put_sums(const struct instance *in, enum instance_secret secret, const struct view *v,
                     struct digits *d)
{
    for (size_t i = 0; i < in->n_clients; i++) {
        const struct instance_sharing *s = &in->clients[i].of[secret];
        bool first = true;

        for (size_t j = 0; j < i; j++)
            first = first && in->clients[j].of[secret].pattern != s->pattern;
        for (size_t u = 0; u < in->n_stations; u++)
            if (first && s->holds[u])
                put(d, v->sums[secret][s->pattern][u], s->share_length);
    }
}

static void put_federator(const struct instance *in, const struct view *v, struct digits *d)
{
    put_sums(in, INSTANCE_VECTOR, v, d);
    if (in->n_secrets > 1)
        put_sums(in, INSTANCE_KEY, v, d);
    else
        put(d, v->chain[in->n_stations - 1], in->length);
}

static struct digits collect(const struct instance *in, const struct observer *who,
                             const struct view_outcome *o, const struct view *v)
{
    struct digits d = { .p = in->p, .scale = 1 };

    put_stations(in, who, o, v, &d);
    if (who->federator)
        put_federator(in, v, &d);
    for (size_t i = 0; i < in->n_clients; i++)
        if (who->clients >> i & 1) {
            d.number += o->points[i] * d.scale;
            d.scale *= in->clients[i].n_points;
            d.n += in->clients[i].n_digits;
        }
    return d;
}

size_t view_count(const struct instance *in, const struct observer *who)
{
    static const struct view_outcome o;
    static const struct view v;

    return collect(in, who, &o, &v).n;
}

size_t view_number(const struct instance *in, const struct observer *who,
                   const struct view_outcome *o, const struct view *v)
{
    return collect(in, who, o, v).number;
}
