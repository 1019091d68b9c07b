#include "planner/keys.h"

#include <stdlib.h>

#include "cost/count/fraction.h"

/* By number of stations: clients with information-theoretic and with computational privacy. */
struct sizes {
    uint64_t *clients[2];
    uint64_t most;
};

/* How the clients of a group share in a plan with protocol keys, at best. The plan at hand may be
 * one of protocol aligned, in which a client needs fewer stations. */
struct sharing_group {
    uint64_t n_stations;
    bool computational;
};

/* Those with computational privacy that reach too few stations get as many as they need through a
 * courier. */
static struct sharing_group sharing_of(const struct topology *t, const struct topology_group *g)
{
    uint64_t fewest = (uint64_t)t->collude_stations + 2 * (uint64_t)t->drop_stations + 1;
    bool computational = g->computational || (t->fallback && g->via.n < fewest);

    return (struct sharing_group){
        .n_stations = computational && g->via.n < fewest ? fewest : g->via.n,
        .computational = computational,
    };
}

static int count_sizes(struct sizes *s, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *s = (struct sizes){ .most = 3 * (uint64_t)t->n_stations + 1 };
    for (int i = 0; i < 2; i++)
        s->clients[i] = calloc(s->most + 1, sizeof *s->clients[i]);
    if (!s->clients[0] || !s->clients[1]) {
        free(s->clients[0]);
        free(s->clients[1]);
        return err_errno(err, "%s", p->name);
    }
    for (size_t i = 0; i < t->n_clients; i++) {
        struct sharing_group g = sharing_of(t, &t->groups[t->clients[i].group]);

        s->clients[g.computational][g.n_stations < s->most ? g.n_stations : s->most]++;
    }
    return 0;
}

/* A sharing over m stations costs at least m / (m - z - t), or without the seeds of a client with
 * computational privacy (m - z) / (m - z - t). Each client shares its padded vector, over no more
 * stations than it can address. Under partial collusion it also sends its key to a station, perhaps
 * as a seed, and the total of the keys goes to the federator; under full collusion it shares its
 * key in the same way. The federator receives at least the sharing of the client with the fewest
 * stations. Relays receive and send at least the total of the vectors and that of the keys. */
int keys_bound(mpq_t bound, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t z = t->collude_stations, hidden = z + t->drop_stations;
    unsigned long n_secrets = t->full ? 2 : 1; /* that are shared */
    uint64_t least = 0, n_keys = 0;
    struct sizes sizes;
    mpq_t factor;

    if (count_sizes(&sizes, p, err))
        return -1;
    mpq_set_ui(bound, 0, 1);
    for (uint64_t m = sizes.most; m > 0; m--) {
        n_keys += sizes.clients[0][m];
        if (m <= hidden || sizes.clients[0][m] + sizes.clients[1][m] == 0)
            continue;
        fraction_add(bound, sizes.clients[0][m], m, m - hidden);
        fraction_add(bound, sizes.clients[1][m], m - z, m - hidden);
        least = m;
    }
    free(sizes.clients[0]);
    free(sizes.clients[1]);
    if (t->n_relays == 0 && least > 0)
        fraction_add(bound, 1, least, least - hidden);
    mpq_init(factor);
    mpq_set_ui(factor, n_secrets, 1);
    mpq_mul(bound, bound, factor);
    mpq_clear(factor);
    if (!t->full)
        fraction_add(bound, n_keys, 1, 1);
    if (t->n_relays > 0)
        fraction_add(bound, 4, 1, 1);
    else if (!t->full)
        fraction_add(bound, 1, 1, 1);
    return 0;
}
