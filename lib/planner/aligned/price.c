#include "planner/aligned/price.h"

#include "planner/aligned/dealing.h"
#include "sharing/blocks.h"

#define NEAR 100000

int price_compare(struct price a, struct price b)
{
    unsigned __int128 x = a.amount * b.unit, y = b.amount * a.unit;

    return (x > y) - (x < y);
}

bool price_is_near(struct price a, struct price b)
{
    unsigned __int128 x = a.amount * b.unit, y = b.amount * a.unit;

    return x <= y || (x - y) <= y / NEAR;
}

/* Symbols of a row, or 1 if the length is not known. */
static uint64_t row_length(const struct network *net, uint32_t n_segments)
{
    return net->length > 0 ? blocks_segment_length(n_segments, net->length) : 1;
}

struct price price_new(const struct network *net, uint32_t n_segments, struct network_sent plain,
                       network_amount masked, uint32_t chunks)
{
    uint64_t length = row_length(net, n_segments);

    if (net->length > 0)
        return (struct price){ .amount = plain.rows * length + plain.vectors * net->length +
                                         masked * blocks_segment_length(chunks, length),
                               .unit = 1 };
    return (struct price){ .amount = (plain.rows + plain.vectors * n_segments) * chunks + masked,
                           .unit = (uint64_t)n_segments * chunks };
}

/* The stations that deal, and those that get no masks. */
struct dealt {
    const uint32_t *rows; /* of all stations, descending */
    uint32_t n;
    uint32_t n_dealers, n_bare;
    uint64_t total, dealers, bare; /* rows of all, of dealers, of stations without masks */
};

static struct dealt deal(const struct network *net, const struct price_sums *sums)
{
    uint32_t most_bare = net->topology->full ? 0 : net->colluding;
    struct dealt d = { .rows = sums->rows,
                       .n = sums->n,
                       .n_bare = most_bare < sums->n ? most_bare : sums->n };

    for (uint32_t i = 0; i < sums->n; i++) {
        d.total += sums->rows[i];
        d.bare += i < d.n_bare ? sums->rows[i] : 0;
    }
    return d;
}

/* A station gets masks of all dealers but itself, so those with the longest masks deal. But the
 * very longest are not dealt at all, if possible. */
static void add_dealer(struct dealt *d)
{
    uint32_t rank = d->n_bare + d->n_dealers++;

    if (rank == d->n) { /* only those are left */
        rank = --d->n_bare;
        d->bare -= d->rows[rank];
    }
    d->dealers += d->rows[rank];
}

uint32_t price_lost_dealers(const struct network *net)
{
    return net->hidden - (net->topology->full ? 0 : net->colluding);
}

/* The lowest price of a row of a mask. */
static uint64_t cheapest_mask(const struct network *net)
{
    uint64_t send = UINT64_MAX, receive = UINT64_MAX;

    for (uint32_t u = 1; u <= net->n_stations; u++) {
        send = network_send(net, u) < send ? network_send(net, u) : send;
        receive = network_receive(net, u) < receive ? network_receive(net, u) : receive;
    }
    return net->across + send + receive;
}

/* The cheapest masks if each row of them has this price. Then stations with more rows are never
 * worse as dealers, nor without masks. Masks that cost nothing are as short as possible. */
static struct price deal_by_rows(const struct network *net, uint32_t n_segments,
                                 struct network_sent plain, const struct price_sums *sums,
                                 uint64_t each, struct price_masks *masks)
{
    struct dealt d = deal(net, sums);
    uint32_t lost = price_lost_dealers(net);
    struct price best = { 0 };

    if (each == 0 && sums->n > lost) {
        deal_by_rows(net, n_segments, plain, sums, 1, masks);
        return price_new(net, n_segments, plain, 0, masks->chunks);
    }
    while (d.n_dealers < sums->n) {
        struct price price;
        uint32_t chunks;

        add_dealer(&d);
        if (d.n_dealers <= lost)
            continue;
        chunks = d.n_dealers - lost;
        price = price_new(net, n_segments, plain,
                          (network_amount)(d.n_dealers * (d.total - d.bare) - d.dealers) * each,
                          chunks);
        if (best.unit == 0 || price_compare(price, best) < 0) {
            best = price;
            *masks = (struct price_masks){ d.n_dealers, d.n_bare, chunks };
        }
    }
    return best;
}

network_amount price_of_sums(const struct network *net, const struct price_sums *sums)
{
    network_amount sum = 0;

    for (uint32_t i = 0; i < sums->n; i++)
        sum += (network_amount)sums->rows[i] * (net->up + network_send(net, sums->stations[i]));
    return sum;
}

struct price price_of_rows(const struct network *net, uint32_t n_segments,
                           struct network_sent others, const struct price_sums *sums, bool masked,
                           struct price_masks *masks, uint32_t *ranks)
{
    *masks = (struct price_masks){ 0 };
    others.rows += price_of_sums(net, sums);
    for (uint32_t i = 0; ranks && i < sums->n; i++)
        ranks[i] = i;
    if (!masked)
        return price_new(net, n_segments, others, 0, 1);
    if (net->pays)
        return dealing_find(net, n_segments, others, sums, masks, ranks);
    return deal_by_rows(net, n_segments, others, sums, net->across, masks);
}

struct price price_at_least(const struct network *net, uint32_t n_segments,
                            struct network_sent others, const struct price_sums *sums)
{
    struct price_masks masks;

    return deal_by_rows(net, n_segments, others, sums, cheapest_mask(net), &masks);
}

/* g dealers make (g (rows - bare) - rows of the dealers) / (g - lost). Under full collusion there
 * are no bare stations, and all dealers together have at most all rows: that is at least rows (g -
 * 1) / (g - lost), which falls with g. Under partial collusion, g / (g - lost) is from 1 to lost
 * + 1. */
network_amount price_least_masks(const struct network *net, uint64_t rows, uint64_t most,
                                 uint32_t n)
{
    uint32_t lost = price_lost_dealers(net);
    uint64_t saved = (net->colluding + lost + UINT64_C(1)) * most, least;

    if (net->topology->full)
        least = lost > 0 && n > lost ? rows * (n - 1) / (n - lost) : 0;
    else
        least = rows > saved ? rows - saved : 0;
    return (network_amount)least * cheapest_mask(net);
}

/* The size of a chunk of a row. */
static double chunk_of(const struct network *net, uint32_t n_segments,
                       const struct price_masks *masks)
{
    uint64_t length = row_length(net, n_segments);

    if (masks->n_dealers == 0)
        return 0;
    return net->length > 0 ? (double)blocks_segment_length(masks->chunks, length) / (double)length
                           : 1.0 / masks->chunks;
}

void price_rows(const struct network *net, uint32_t n_segments, const struct price_masks *masks,
                const uint32_t *ranked, bool passed_on, double *row_price)
{
    double chunk = chunk_of(net, n_segments, masks), all_send = 0;
    const uint32_t *dealers = ranked + masks->n_bare;

    for (uint32_t i = 0; i < masks->n_dealers; i++)
        all_send += (double)network_send(net, dealers[i]);
    for (uint32_t u = 1; u <= net->n_stations; u++) {
        double mask = (double)(net->across + network_receive(net, u));

        row_price[u] = (double)(net->up + network_send(net, u) + (passed_on ? net->relay_up : 0)) +
                       chunk * (masks->n_dealers * mask + all_send);
        /* under full collusion every station that is used deals, or nearly so */
        if (net->topology->full && masks->n_dealers > 0)
            row_price[u] -= chunk * (mask + all_send / masks->n_dealers);
    }
    for (uint32_t i = 0; i < masks->n_bare; i++)
        row_price[ranked[i]] =
            (double)(net->up + network_send(net, ranked[i]) + (passed_on ? net->relay_up : 0));
    for (uint32_t i = 0; i < masks->n_dealers && !net->topology->full; i++)
        row_price[dealers[i]] -= chunk * (double)(net->across + network_receive(net, dealers[i]) +
                                                  network_send(net, dealers[i]));
}
