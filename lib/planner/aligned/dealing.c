#include "planner/aligned/dealing.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MORE 8 /* dealers beyond the fewest that are tried one by one; then twice as many */

struct dealing {
    const struct network *net;
    uint32_t n_segments;
    struct network_sent plain;
    const struct price_sums *sums;
    struct price best;
    struct price_masks masks;
    uint32_t *ranks; /* of the best; may be NULL */
};

static uint64_t send_of(const struct dealing *d, uint32_t i)
{
    return network_send(d->net, d->sums->stations[i]);
}

/* The price of a row of a mask for a station, without what its dealer pays. */
static uint64_t mask_of(const struct dealing *d, uint32_t i)
{
    return d->net->across + network_receive(d->net, d->sums->stations[i]);
}

static uint32_t count_bare(const struct dealing *d, uint32_t n_dealers)
{
    uint32_t left = d->sums->n - n_dealers;

    return d->net->topology->full ? 0 : d->net->colluding < left ? d->net->colluding : left;
}

static void write_ranks(const struct dealing *d, const bool *deals, uint32_t n_bare)
{
    uint32_t n = 0, last = 0;

    for (uint32_t i = 0; i < d->sums->n && n < n_bare; last = ++i)
        if (!deals[i])
            d->ranks[n++] = i;
    for (uint32_t i = 0; i < d->sums->n; i++)
        if (deals[i])
            d->ranks[n++] = i;
    for (uint32_t i = last; i < d->sums->n; i++)
        if (!deals[i])
            d->ranks[n++] = i;
}

/* Prices these dealers, and keeps them if they are the cheapest so far. */
static void try(struct dealing *d, const bool *deals, uint32_t n_dealers)
{
    const uint32_t *rows = d->sums->rows;
    uint32_t n_bare = count_bare(d, n_dealers), left = n_bare;
    uint32_t chunks = n_dealers - price_lost_dealers(d->net);
    network_amount each = 0, masked = 0; /* of one dealer that pays nothing; of all */
    uint64_t n_rows = 0;
    struct price price;

    for (uint32_t i = 0; i < d->sums->n; i++) {
        bool bare = !deals[i] && left > 0;

        left -= bare;
        each += bare ? 0 : (network_amount)rows[i] * mask_of(d, i);
        n_rows += bare ? 0 : rows[i];
    }
    for (uint32_t i = 0; i < d->sums->n; i++)
        if (deals[i]) /* a dealer keeps its own mask */
            masked += each - (network_amount)rows[i] * mask_of(d, i) +
                      (network_amount)(n_rows - rows[i]) * send_of(d, i);
    price = price_new(d->net, d->n_segments, d->plain, masked, chunks);
    if (d->best.unit > 0 && price_compare(price, d->best) >= 0)
        return;
    d->best = price;
    d->masks = (struct price_masks){ n_dealers, n_bare, chunks };
    if (d->ranks)
        write_ranks(d, deals, n_bare);
}

static void try_all(struct dealing *d)
{
    uint32_t lost = price_lost_dealers(d->net), n = d->sums->n;
    bool deals[DEALING_ALL];

    for (uint32_t n_dealers = lost + 1; n_dealers <= n; n_dealers++)
        for (uint32_t set = 1; set < UINT32_C(1) << n; set++) {
            if ((uint32_t)__builtin_popcount(set) != n_dealers)
                continue;
            for (uint32_t i = 0; i < n; i++)
                deals[i] = set >> i & 1;
            try(d, deals, n_dealers);
        }
}

/* How much more a dealer costs than one that pays nothing and has no rows, if n_rows are masked. */
struct by_price {
    const struct dealing *d;
    uint64_t n_rows;
};

static __int128 more_of(const struct by_price *b, uint32_t i)
{
    uint64_t rows = b->d->sums->rows[i], others = b->n_rows > rows ? b->n_rows - rows : 0;

    return (__int128)others * send_of(b->d, i) - (__int128)rows * mask_of(b->d, i);
}

static int compare_prices(const void *x, const void *y, void *by_price)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    __int128 more_a = more_of(by_price, a), more_b = more_of(by_price, b);

    return more_a != more_b ? (more_a > more_b ? 1 : -1) : (a > b) - (a < b);
}

/* Tries the first stations of the order, with several numbers of them. */
static void try_order(struct dealing *d, const uint32_t *order)
{
    uint32_t fewest = price_lost_dealers(d->net) + 1, n = d->sums->n, n_dealers = 0;

    memset(d->net->deals, 0, n * sizeof *d->net->deals);
    for (uint32_t next = fewest; n_dealers < n;) {
        while (n_dealers < next)
            d->net->deals[order[n_dealers++]] = true;
        try(d, d->net->deals, n_dealers);
        next = next < fewest + MOST_MORE ? next + 1 : 2 * next;
        next = next < n ? next : n;
    }
}

/* Dealers by price, of all stations, or of those that would not go without masks before others. */
static void try_orders(struct dealing *d)
{
    uint32_t n_bare = count_bare(d, 1), n = d->sums->n, *order = d->net->ranks;
    struct by_price by = { d, 0 };

    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        by.n_rows += i < n_bare ? 0 : d->sums->rows[i];
    }
    qsort_r(order, n, sizeof *order, compare_prices, &by);
    try_order(d, order);
    if (n_bare == 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        order[i] = n_bare + i < n ? n_bare + i : n - 1 - i;
    qsort_r(order, n - n_bare, sizeof *order, compare_prices, &by);
    try_order(d, order);
}

struct price dealing_find(const struct network *net, uint32_t n_segments, struct network_sent plain,
                          const struct price_sums *sums, struct price_masks *masks, uint32_t *ranks)
{
    struct dealing d = {
        .net = net, .n_segments = n_segments, .plain = plain, .sums = sums, .ranks = ranks
    };

    if (sums->n <= price_lost_dealers(net))
        return d.best;
    if (sums->n <= DEALING_ALL)
        try_all(&d);
    else
        try_orders(&d);
    *masks = d.masks;
    return d.best;
}
