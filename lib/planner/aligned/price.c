#include "planner/aligned/price.h"

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

struct price price_new(const struct network *net, uint32_t n_segments, struct network_relayed plain,
                       uint64_t masked, uint32_t chunks)
{
    uint64_t length = row_length(net, n_segments);

    if (net->length > 0)
        return (struct price){ .amount = (unsigned __int128)plain.rows * length +
                                         (unsigned __int128)plain.vectors * net->length +
                                         (unsigned __int128)masked *
                                             blocks_segment_length(chunks, length),
                               .unit = 1 };
    plain.rows += plain.vectors * n_segments;
    return (struct price){ .amount = (unsigned __int128)plain.rows * chunks + masked,
                           .unit = (uint64_t)n_segments * chunks };
}

/* The stations that deal, and those that get no masks. */
struct dealt {
    const uint32_t *rows; /* of all stations, descending */
    uint32_t n;
    uint32_t n_dealers, n_bare;
    uint64_t total, dealers, bare; /* rows of all, of dealers, of stations without masks */
};

static struct dealt deal(const struct network *net, const uint32_t *rows, uint32_t n)
{
    uint32_t most_bare = net->topology->full ? 0 : net->colluding;
    struct dealt d = { .rows = rows, .n = n, .n_bare = most_bare < n ? most_bare : n };

    for (uint32_t i = 0; i < n; i++) {
        d.total += rows[i];
        d.bare += i < d.n_bare ? rows[i] : 0;
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

/* Dealers whose masks may be known or missing. */
static uint32_t lost_dealers(const struct network *net)
{
    return net->hidden - (net->topology->full ? 0 : net->colluding);
}

static struct price price_of_masks(const struct network *net, uint32_t n_segments,
                                   struct network_relayed plain, const struct dealt *d,
                                   struct price_masks *masks)
{
    *masks = (struct price_masks){ d->n_dealers, d->n_bare, d->n_dealers - lost_dealers(net) };
    return price_new(net, n_segments, plain, d->n_dealers * (d->total - d->bare) - d->dealers,
                     masks->chunks);
}

struct price price_of_rows(const struct network *net, uint32_t n_segments,
                           struct network_relayed others, const uint32_t *rows, uint32_t n,
                           bool masked, struct price_masks *masks)
{
    struct dealt d = deal(net, rows, n);
    struct network_relayed plain = { others.rows + d.total, others.vectors };
    struct price best = { 0 };

    *masks = (struct price_masks){ 0 };
    if (!masked)
        return price_new(net, n_segments, plain, 0, 1);
    while (d.n_dealers < n) {
        struct price_masks tried;
        struct price price;

        add_dealer(&d);
        if (d.n_dealers <= lost_dealers(net))
            continue;
        price = price_of_masks(net, n_segments, plain, &d, &tried);
        if (best.unit == 0 || price_compare(price, best) < 0) {
            best = price;
            *masks = tried;
        }
    }
    return best;
}

/* g dealers make (g (rows - bare) - rows of the dealers) / (g - lost). Under full collusion there
 * are no bare stations, and all dealers together have at most all rows: that is at least rows (g -
 * 1) / (g - lost), which falls with g. Under partial collusion, g / (g - lost) is from 1 to lost
 * + 1. */
uint64_t price_least_masks(const struct network *net, uint64_t rows, uint64_t most, uint32_t n)
{
    uint32_t lost = lost_dealers(net);
    uint64_t saved = (net->colluding + lost + UINT64_C(1)) * most;

    if (net->topology->full)
        return lost > 0 && n > lost ? rows * (n - 1) / (n - lost) : 0;
    return rows > saved ? rows - saved : 0;
}

struct price_row price_row(const struct network *net, uint32_t n_segments,
                           const struct price_masks *masks, bool passed_on)
{
    double sum = passed_on ? 2 : 1;
    double length = (double)row_length(net, n_segments), chunk = 0;

    if (masks->n_dealers > 0 && net->length > 0)
        chunk = (double)blocks_segment_length(masks->chunks, (uint64_t)length) / length;
    else if (masks->n_dealers > 0)
        chunk = 1.0 / masks->chunks;
    return (struct price_row){
        .bare = sum,
        .dealer = sum + (masks->n_dealers - 1) * chunk,
        .other = sum + masks->n_dealers * chunk,
    };
}
