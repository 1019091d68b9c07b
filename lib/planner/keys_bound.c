#include "planner/keys.h"

#include "cost/count/fraction.h"
#include "cost/count/setsizes.h"

/* A sharing over m stations costs at least m / (m - z - t). Each client shares its padded vector,
 * over no more stations than it reaches. Under partial collusion it also sends its key to a
 * station, and the total of the keys goes to the federator; under full collusion it shares its key
 * in the same way. The federator receives at least the sharing of the client that reaches the
 * fewest stations. Relays receive and send at least the total of the vectors and that of the
 * keys. */
int keys_bound(mpq_t bound, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t hidden = t->collude_stations + t->drop_stations, least = 0;
    unsigned long n_secrets = t->full ? 2 : 1; /* that are shared */
    struct setsizes reach;
    mpq_t factor;

    if (setsizes_of_plan(&reach, p, err))
        return -1;
    mpq_set_ui(bound, 0, 1);
    for (uint32_t m = reach.most; m > hidden; m--)
        if (reach.clients[m] > 0) {
            fraction_add(bound, reach.clients[m], m, m - hidden);
            least = m;
        }
    setsizes_free(&reach);
    if (t->n_relays == 0 && least > 0)
        fraction_add(bound, 1, least, least - hidden);
    mpq_init(factor);
    mpq_set_ui(factor, n_secrets, 1);
    mpq_mul(bound, bound, factor);
    mpq_clear(factor);
    if (!t->full)
        fraction_add(bound, t->n_clients, 1, 1);
    if (t->n_relays > 0)
        fraction_add(bound, 4, 1, 1);
    else if (!t->full)
        fraction_add(bound, 1, 1, 1);
    return 0;
}
