#include "planner/aligned/exhaust.h"

#include <stdlib.h>
#include <string.h>

#include "planner/aligned/dealing.h"
#include "sharing/blocks.h"

/* All sets of part counts have a table entry, and all sets of stations are a word. */
#define MOST_PARTS    8
#define MOST_STATIONS 24
#define MOST_CLASSES  64
#define MOST_OPTIONS  20000 /* of all classes together */

/* The stations of a class. */
struct option {
    uint32_t stations; /* bit u - 1 for station u */
    uint32_t parts;
    network_amount price; /* of a row of the shares of all its clients */
};

struct exhaust {
    const struct network *net;
    struct selection *best;
    struct effort *effort;
    struct option *options; /* those of class c begin at begins[c] */
    size_t *begins;
    uint32_t n_segments;
    uint32_t rows[1 << MOST_PARTS]; /* by set of part counts, bit v - 1 for v parts */
    uint32_t sets[MOST_STATIONS];   /* by station: part counts of the classes that were assigned */
    uint32_t chosen[MOST_CLASSES];  /* by class: option */
    network_amount *left;           /* by class: least price of its shares and of all later ones */
    uint32_t n_reached;             /* stations that somebody reaches */
    struct price limit;             /* of the best selection so far */
    uint64_t n_left;                /* nodes that may still be visited */
    bool stopped;
    bool inexact;      /* not all dealers were compared */
    bool *combines;    /* scratch, by relay */
    uint64_t *weights; /* the same */
};

static uint32_t bit_count(uint32_t x)
{
    return (uint32_t)__builtin_popcount(x);
}

static uint64_t n_rows(uint32_t n_segments, uint32_t parts)
{
    return (n_segments - 1) / parts + UINT64_C(1);
}

/* Adds all subsets of the reach that give a part count that may be used. */
static size_t list_options(const struct network *net, uint32_t class, struct option *options)
{
    const struct topology_list *reach = network_reach(net, class);
    size_t n = 0;

    for (uint32_t subset = 0; subset < UINT32_C(1) << reach->n; subset++) {
        uint32_t numbers[MOST_STATIONS], size = 0, stations = 0;

        for (size_t i = 0; i < reach->n; i++)
            if (subset >> i & 1) {
                numbers[size++] = reach->numbers[i];
                stations |= UINT32_C(1) << (reach->numbers[i] - 1);
            }
        if (size <= net->hidden)
            continue;
        if (options)
            options[n] =
                (struct option){ stations, size - net->hidden,
                                 network_share_price(net, class, numbers, size - net->hidden) };
        n++;
    }
    return n;
}

/* The rows of all stations, those in use first and descending. Returns how many are in use. */
static uint32_t sort_rows(const struct exhaust *x, uint32_t *rows, uint32_t *stations)
{
    uint32_t n = 0;

    for (uint32_t u = 0; u < x->net->n_stations; u++) {
        uint32_t value = x->rows[x->sets[u]], at = n;

        if (value == 0)
            continue;
        for (n++; at > 0 && rows[at - 1] < value; at--) {
            rows[at] = rows[at - 1];
            stations[at] = stations[at - 1];
        }
        rows[at] = value;
        stations[at] = u + 1;
    }
    for (uint32_t i = n; i < x->net->n_stations; i++)
        rows[i] = 0;
    return n;
}

/* What relays send at least: all rows, or one vector if that is less. */
static struct network_sent least_relayed(const struct exhaust *x, const uint32_t *rows, uint32_t n)
{
    uint64_t sum = 0, least = UINT64_MAX;

    if (x->net->topology->n_relays == 0)
        return (struct network_sent){ 0 };
    for (uint32_t i = 0; i < n; i++)
        sum += rows[i];
    for (uint32_t m = 0; m < x->net->topology->n_relays; m++) {
        uint64_t send = x->net->relay_pays ? x->net->relay_pays[m].send : 0;

        least = send < least ? send : least;
    }
    least += x->net->relay_up;
    return x->net->may_combine && sum > x->n_segments
               ? (struct network_sent){ .vectors = least }
               : (struct network_sent){ .rows = (network_amount)sum * least };
}

/* No way to go on costs less: rows only become more, and with more stations in use there are only
 * more ways to deal masks. */
static struct price bound(const struct exhaust *x, network_amount clients)
{
    uint32_t rows[MOST_STATIONS], stations[MOST_STATIONS], n = sort_rows(x, rows, stations);
    struct price_sums used = { stations, rows, n }, all = { stations, rows, x->n_reached };
    struct network_sent sent = least_relayed(x, rows, n);

    sent.rows += clients + price_of_sums(x->net, &used);
    return price_at_least(x->net, x->n_segments, sent, &all);
}

/* The price of a whole selection, in which stations in use deal. */
static struct price exact(const struct exhaust *x, network_amount clients, uint32_t *n_used)
{
    uint32_t rows[MOST_STATIONS], stations[MOST_STATIONS], relay[MOST_STATIONS];
    uint32_t n = sort_rows(x, rows, stations);
    struct price_sums sums = { stations, rows, n };
    struct network_sent sent =
        network_relayed(x->net, x->n_segments, stations, rows, n, relay, x->combines, x->weights);
    struct price_masks masks;

    *n_used = n;
    sent.rows += clients;
    return price_of_rows(x->net, x->n_segments, sent, &sums, true, &masks, NULL);
}

static void keep(struct exhaust *x, struct price price)
{
    const struct network *net = x->net;

    x->limit = price;
    for (uint32_t c = 0; c < net->n_classes; c++) {
        const struct option *o = &x->options[x->chosen[c]];
        uint32_t *stations = selection_stations(x->best, c), n = 0;

        x->best->parts[c] = o->parts;
        for (uint32_t u = 0; u < net->n_stations; u++)
            if (o->stations >> u & 1)
                stations[n++] = u + 1;
    }
}

static void assign(struct exhaust *x, uint32_t class, network_amount clients)
{
    const struct network *net = x->net;
    uint32_t before[MOST_STATIONS], n_used;

    memcpy(before, x->sets, sizeof before);
    for (size_t i = x->begins[class]; i < x->begins[class + 1] && !x->stopped; i++) {
        const struct option *o = &x->options[i];
        network_amount sum = clients + o->price * n_rows(x->n_segments, o->parts);
        bool at_end = class + 1 == net->n_classes;
        struct price price;

        if (x->n_left-- == 0 || (x->n_left % 4096 == 0 && !effort_may_continue(x->effort))) {
            x->stopped = true;
            break;
        }
        for (uint32_t u = 0; u < net->n_stations; u++)
            x->sets[u] = before[u] | (o->stations >> u & 1) << (o->parts - 1);
        x->chosen[class] = (uint32_t)i;
        price = at_end ? exact(x, sum, &n_used) : bound(x, sum + x->left[class + 1]);
        if (at_end && net->pays && n_used > DEALING_ALL)
            x->inexact = true;
        if (price_compare(price, x->limit) >= 0)
            continue;
        if (!at_end)
            assign(x, class + 1, sum);
        else if (n_used >= net->fewest)
            keep(x, price);
    }
    memcpy(x->sets, before, sizeof before);
}

/* With no more segments than this, an unknown length has its lowest price: a larger number is the
 * sum of a multiple of the least common multiple and a rest, and the price is between the prices
 * of both. */
static uint32_t most_segments(const struct network *net)
{
    static const uint32_t multiples[MOST_PARTS + 1] = { 0, 1, 2, 6, 12, 60, 60, 420, 840 };
    uint32_t most = multiples[net->most_parts];

    return net->length > 0 || most > net->most_segments ? net->most_segments : most;
}

static void search_segments(struct exhaust *x, uint32_t n_segments)
{
    const struct network *net = x->net;

    x->n_segments = n_segments;
    for (uint32_t set = 0; set < UINT32_C(1) << net->most_parts; set++) {
        uint32_t counts[MOST_PARTS], n = 0;

        for (uint32_t v = 1; v <= net->most_parts; v++)
            if (set >> (v - 1) & 1)
                counts[n++] = v;
        x->rows[set] =
            n == 0 ? 0 : blocks_before(&(struct blocks){ n_segments, counts, n }, n_segments);
    }
    for (uint32_t c = net->n_classes; c > 0; c--) {
        network_amount least = 0;

        for (size_t i = x->begins[c - 1]; i < x->begins[c]; i++) {
            network_amount price = x->options[i].price * n_rows(n_segments, x->options[i].parts);

            least = i == x->begins[c - 1] || price < least ? price : least;
        }
        x->left[c - 1] = x->left[c] + least;
    }
    assign(x, 0, 0);
}

static int fill(struct exhaust *x, struct hagg_err *err)
{
    const struct network *net = x->net;
    uint32_t reached = 0;

    x->begins = calloc(net->n_classes + (size_t)1, sizeof *x->begins);
    x->left = calloc(net->n_classes + (size_t)1, sizeof *x->left);
    x->combines = calloc(net->topology->n_relays + (size_t)1, sizeof *x->combines);
    x->weights = calloc(net->topology->n_relays + (size_t)1, sizeof *x->weights);
    if (!x->begins || !x->left || !x->combines || !x->weights)
        return err_errno(err, "no memory to plan");
    for (uint32_t c = 0; c < net->n_classes; c++)
        x->begins[c + 1] = x->begins[c] + list_options(net, c, NULL);
    x->options = calloc(x->begins[net->n_classes], sizeof *x->options);
    if (!x->options)
        return err_errno(err, "no memory to plan");
    for (uint32_t c = 0; c < net->n_classes; c++) {
        list_options(net, c, x->options + x->begins[c]);
        for (size_t i = x->begins[c]; i < x->begins[c + 1]; i++)
            reached |= x->options[i].stations;
    }
    x->n_reached = bit_count(reached);
    return 0;
}

static bool is_small(const struct network *net)
{
    size_t n_options = 0;

    if (net->n_stations > MOST_STATIONS || net->most_parts > MOST_PARTS ||
        net->n_classes > MOST_CLASSES)
        return false;
    for (uint32_t c = 0; c < net->n_classes && n_options <= MOST_OPTIONS; c++)
        n_options += (size_t)1 << network_reach(net, c)->n;
    return n_options <= MOST_OPTIONS;
}

int exhaust_find(struct selection *best, uint64_t n_nodes, struct effort *effort,
                 struct price *least, struct hagg_err *err)
{
    const struct network *net = best->net;
    struct exhaust x = {
        .net = net, .best = best, .effort = effort, .limit = best->price, .n_left = n_nodes
    };
    int status;

    if (!is_small(net))
        return 0;
    status = fill(&x, err);
    for (uint32_t n = most_segments(net); n > 0 && status == 0 && !x.stopped; n--)
        if (network_segments_are_useful(net, n))
            search_segments(&x, n);
    free(x.options);
    free(x.begins);
    free(x.left);
    free(x.combines);
    free(x.weights);
    *least = x.limit;
    /* relays that combine are not chosen in the best way, so there may be a cheaper number of
     * segments beyond those that were searched */
    return status ? -1 : !x.stopped && !x.inexact && !net->may_combine;
}
