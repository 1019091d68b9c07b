#include <stdlib.h>
#include <string.h>

#include "planner/aligned/selection.h"
#include "sharing/masks.h"

/* The stations in use. */
struct sums {
    const struct network *net;
    uint32_t n;
    uint32_t *stations;
    uint64_t *cuts; /* of each, n_words words: bit i is set if segment i is a cut */
    size_t n_words;
    uint32_t *rows;           /* of each, with the current number of segments */
    uint32_t *order;          /* their indices by rows, descending */
    uint32_t *sorted, *ranks; /* these rows; scratch */
    uint32_t *numbers;        /* these stations */
    network_amount *shares;   /* by part count: the price of a row of the shares of all clients */
    bool *used;               /* by part count */
    uint64_t *marks;          /* by station: the part counts there, n_mark_words words */
    size_t n_mark_words;
    uint32_t *relay;   /* of each */
    bool *combines;    /* by relay */
    uint64_t *weights; /* scratch, by relay */
    bool masked;
};

static void sums_free(struct sums *a)
{
    free(a->stations);
    free(a->cuts);
    free(a->rows);
    free(a->order);
    free(a->sorted);
    free(a->ranks);
    free(a->numbers);
    free(a->shares);
    free(a->used);
    free(a->marks);
    free(a->relay);
    free(a->combines);
    free(a->weights);
}

/* Marks the part counts at each station: bit v of its row. Returns NULL without memory. */
static uint64_t *mark_parts(const struct selection *s, size_t n_words)
{
    const struct network *net = s->net;
    uint64_t *marks = calloc((net->n_stations + (size_t)1) * n_words, sizeof *marks);

    for (uint32_t c = 0; c < net->n_classes && marks; c++)
        for (uint32_t i = 0; i < s->parts[c] + net->hidden; i++)
            marks[selection_stations(s, c)[i] * n_words + s->parts[c] / 64] |= UINT64_C(1)
                                                                               << s->parts[c] % 64;
    return marks;
}

static void set_cuts(const struct network *net, const uint64_t *marks, uint64_t *cuts)
{
    for (uint32_t v = 1; v <= net->most_parts; v++)
        for (uint32_t cut = 0; marks[v / 64] >> v % 64 & 1 && cut < net->most_segments; cut += v)
            cuts[cut / 64] |= UINT64_C(1) << cut % 64;
}

static int sums_new(struct sums *a, const struct selection *s)
{
    const struct network *net = s->net;
    size_t n_words = net->most_parts / 64 + 1, n_rows = net->n_stations + (size_t)1;
    uint64_t *marks = mark_parts(s, n_words);
    bool same = true;

    *a = (struct sums){
        .net = net,
        .n_words = net->most_segments / 64 + 1,
        .marks = marks,
        .n_mark_words = n_words,
        .stations = calloc(n_rows, sizeof *a->stations),
        .rows = calloc(n_rows, sizeof *a->rows),
        .order = calloc(n_rows, sizeof *a->order),
        .sorted = calloc(n_rows, sizeof *a->sorted),
        .ranks = calloc(n_rows, sizeof *a->ranks),
        .numbers = calloc(n_rows, sizeof *a->numbers),
        .shares = calloc(net->most_parts + (size_t)1, sizeof *a->shares),
        .used = calloc(net->most_parts + (size_t)1, sizeof *a->used),
        .relay = calloc(n_rows, sizeof *a->relay),
        .combines = calloc(net->topology->n_relays + (size_t)1, sizeof *a->combines),
        .weights = calloc(net->topology->n_relays + (size_t)1, sizeof *a->weights),
    };
    a->cuts = calloc(n_rows * a->n_words, sizeof *a->cuts);
    if (!marks || !a->stations || !a->rows || !a->order || !a->sorted || !a->ranks || !a->numbers ||
        !a->shares || !a->used || !a->cuts || !a->relay || !a->combines || !a->weights) {
        sums_free(a);
        return -1;
    }
    for (uint32_t u = 1; u <= net->n_stations; u++) {
        uint64_t any = 0;

        for (size_t i = 0; i < n_words; i++)
            any |= marks[u * n_words + i];
        if (any == 0)
            continue;
        set_cuts(net, marks + u * n_words, a->cuts + a->n * a->n_words);
        a->order[a->n] = a->n;
        a->stations[a->n++] = u;
    }
    for (uint32_t c = 0; c < net->n_classes; c++) {
        a->shares[s->parts[c]] +=
            network_share_price(net, c, selection_stations(s, c), s->parts[c]);
        a->used[s->parts[c]] = true;
        same = same && s->parts[c] + net->hidden == a->n;
    }
    a->masked = !same;
    return 0;
}

static int compare_rows(const void *x, const void *y, void *rows)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    uint32_t row_a = ((const uint32_t *)rows)[a], row_b = ((const uint32_t *)rows)[b];

    return row_a != row_b ? (row_a < row_b ? 1 : -1) : (a > b) - (a < b);
}

/* Sets the rows of all stations, and their order. */
static void count_rows(struct sums *a, uint32_t n_segments)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const uint64_t *cuts = a->cuts + i * a->n_words;
        uint32_t n = 0;

        for (size_t k = 0; k < n_segments / 64; k++)
            n += (uint32_t)__builtin_popcountll(cuts[k]);
        if (n_segments % 64 > 0)
            n += (uint32_t)__builtin_popcountll(cuts[n_segments / 64] << (64 - n_segments % 64));
        a->rows[i] = n;
    }
    qsort_r(a->order, a->n, sizeof *a->order, compare_rows, a->rows);
    for (uint32_t i = 0; i < a->n; i++) {
        a->sorted[i] = a->rows[a->order[i]];
        a->numbers[i] = a->stations[a->order[i]];
    }
}

/* By number of segments: the rows of all stations together, and those that a sum with the cuts of
 * all stations would have. */
struct row_counts {
    uint64_t *all, *any;
};

static void add_rows(const struct sums *a, struct row_counts *counts)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < a->n_words; k++)
            for (uint64_t word = a->cuts[i * a->n_words + k]; word; word &= word - 1)
                counts->all[64 * k + (size_t)__builtin_ctzll(word) + 1]++;
    for (uint32_t n = 1; n <= a->net->most_segments; n++) {
        counts->any[n] = counts->any[n - 1] + (counts->all[n] > 0);
        counts->all[n] += counts->all[n - 1];
    }
}

static network_amount client_price(const struct sums *a, uint32_t n_segments)
{
    network_amount price = 0;

    for (uint32_t v = 1; v <= a->net->most_parts; v++)
        price += a->shares[v] * ((n_segments - 1) / v + 1);
    return price;
}

/* What clients and relays send. */
static struct network_sent others_of(const struct sums *a, uint32_t n_segments)
{
    struct network_sent sent = network_relayed(a->net, n_segments, a->stations, a->rows, a->n,
                                               a->relay, a->combines, a->weights);

    sent.rows += client_price(a, n_segments);
    return sent;
}

static struct price_sums sums_of(const struct sums *a)
{
    return (struct price_sums){ a->numbers, a->sorted, a->n };
}

static struct price price_of(struct sums *a, uint32_t n_segments, struct price_masks *masks)
{
    struct price_sums sums = sums_of(a);

    return price_of_rows(a->net, n_segments, others_of(a, n_segments), &sums, a->masked, masks,
                         a->ranks);
}

/* The lowest price of a row of a sum. */
static uint64_t cheapest_up(const struct sums *a)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t send = network_send(a->net, a->stations[i]);

        least = send < least ? send : least;
    }
    return a->net->up + least;
}

/* What a number of segments costs at least. */
static struct price least_price(const struct sums *a, uint32_t n_segments,
                                const struct row_counts *counts)
{
    uint64_t rows = counts->all[n_segments];
    struct network_sent sent = { .rows = client_price(a, n_segments) +
                                         (network_amount)rows * cheapest_up(a) };

    if (a->masked)
        sent.rows += price_least_masks(a->net, rows, counts->any[n_segments], a->n);
    return price_new(a->net, n_segments, sent, 0, 1);
}

static void try_segments(struct sums *a, uint32_t n_segments, struct price *prices,
                         struct price *best)
{
    struct price_masks masks;

    count_rows(a, n_segments);
    prices[n_segments] = price_of(a, n_segments, &masks);
    if (best->unit == 0 || price_compare(prices[n_segments], *best) < 0)
        *best = prices[n_segments];
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* Without a length, the least common multiple of the part counts is enough: see exhaust.c. */
static uint32_t most_segments(const struct sums *a)
{
    uint64_t n = 1, most = a->net->most_segments;

    if (a->net->length > 0)
        return (uint32_t)most;
    for (uint32_t v = 1; v <= a->net->most_parts && n < most; v++)
        if (a->used[v])
            n = n / gcd(n, v) * v;
    return (uint32_t)(n < most ? n : most);
}

/* Sets the price of every number of segments that may be the cheapest, and returns the lowest. */
static struct price price_all(struct sums *a, const struct row_counts *counts, struct price *prices)
{
    const struct network *net = a->net;
    struct price best = { 0 }, least = { 0 };
    uint32_t first = 1, last = most_segments(a);

    for (uint32_t n = 1; n <= last; n++) {
        struct price price;

        if (!network_segments_are_useful(net, n))
            continue;
        price = least_price(a, n, counts);
        if (least.unit == 0 || price_compare(price, least) < 0) {
            least = price;
            first = n;
        }
    }
    try_segments(a, first, prices, &best);
    for (uint32_t n = 1; n <= last; n++)
        if (n != first && network_segments_are_useful(net, n) &&
            price_is_near(least_price(a, n, counts), best))
            try_segments(a, n, prices, &best);
    return best;
}

/* After price_of. */
static bool is_passed_on(const struct sums *a, uint32_t n_segments)
{
    uint32_t n_relays = a->net->topology->n_relays;
    uint64_t passed_on = 0, combined = 0;

    for (uint32_t i = 0; i < a->n && n_relays > 0; i++)
        passed_on += a->combines[a->relay[i]] ? 0 : a->rows[i];
    for (uint32_t m = 1; m <= n_relays; m++)
        combined += a->combines[m] ? n_segments : 0;
    return passed_on > combined;
}

/* Orders the stations as price_of has ranked them. */
static void rank(struct sums *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        a->ranks[i] = a->order[a->ranks[i]];
    memcpy(a->order, a->ranks, a->n * sizeof *a->order);
}

/* Returns the smallest number with nearly the best price, but none that is dearer than the number
 * that a topology without a plan gets, if that is possible. */
static uint32_t choose_segments(const struct network *net, const struct price *prices,
                                struct price best)
{
    struct price limit = prices[net->default_segments];
    uint32_t n = 1;

    while (prices[n].unit == 0 || !price_is_near(prices[n], best) ||
           (limit.unit > 0 && price_compare(prices[n], limit) > 0))
        n++;
    return n;
}

/* Beyond this, masks that are seeds are not found, and the price is too high. */
#define MOST_MASK_VALUES (UINT64_C(1) << 22)

/* Room for what masks_new needs of the stations in use. */
struct mask_input {
    struct blocks *blocks;
    uint32_t *counts;
    bool *bare;
};

static void list_counts(const struct sums *a, uint32_t n_segments, struct mask_input *in)
{
    uint32_t *counts = in->counts;

    for (uint32_t i = 0; i < a->n; i++) {
        const uint64_t *marks = a->marks + a->stations[i] * a->n_mark_words;

        in->blocks[i] = (struct blocks){ .n_segments = n_segments, .counts = counts };
        for (uint32_t v = 1; v <= a->net->most_parts; v++)
            if (marks[v / 64] >> v % 64 & 1)
                counts[in->blocks[i].n_counts++] = v;
        counts += a->net->most_parts;
    }
}

/* The price of all masks that are not seeds, as lib/protocol states them. */
static int count_masks(const struct sums *a, const struct selection *s, struct mask_input *in,
                       network_amount *price, struct hagg_err *err)
{
    const struct aligned sharing = {
        .n_segments = s->n_segments,
        .n = a->n,
        .k = a->n - (a->net->hidden - a->net->colluding),
        .z = a->net->colluding,
    };
    uint64_t all_send = 0;
    struct masks masks;

    list_counts(a, s->n_segments, in);
    for (uint32_t rank = 0; rank < s->masks.n_bare; rank++)
        in->bare[a->order[rank]] = true;
    if (masks_new(&masks, &sharing, in->blocks, in->bare, err))
        return -1;
    *price = 0;
    for (uint32_t k = 0; k < s->masks.n_dealers; k++)
        all_send += network_send(a->net, a->stations[a->order[s->masks.n_bare + k]]);
    for (uint32_t rank = s->masks.n_bare; rank < a->n; rank++) {
        uint32_t i = a->order[rank], u = a->stations[i];
        bool deals = rank < s->masks.n_bare + s->masks.n_dealers;
        network_amount each = (network_amount)(s->masks.n_dealers - deals) *
                                  (a->net->across + network_receive(a->net, u)) +
                              all_send - (deals ? network_send(a->net, u) : 0);

        if (!masks.all_drawn[i])
            *price += each * a->rows[i];
    }
    masks_free(&masks);
    return 0;
}

/* Sets the exact price, if masks are seeds. */
static int price_seeds(const struct sums *a, struct selection *s, struct hagg_err *err)
{
    const struct network *net = a->net;
    struct mask_input in = { 0 };
    struct price_sums sums = sums_of(a);
    network_amount masked = 0;
    int status = -1;

    if (!net->topology->computational || s->masks.n_dealers == 0 ||
        (uint64_t)a->n * s->n_segments > MOST_MASK_VALUES)
        return 0;
    in = (struct mask_input){
        .blocks = calloc(a->n + (size_t)1, sizeof *in.blocks),
        .counts = calloc((size_t)a->n * net->most_parts + 1, sizeof *in.counts),
        .bare = calloc(a->n + (size_t)1, sizeof *in.bare),
    };
    if (!in.blocks || !in.counts || !in.bare)
        err_errno(err, "no memory to plan");
    else
        status = count_masks(a, s, &in, &masked, err);
    if (status == 0) {
        struct network_sent plain = others_of(a, s->n_segments);

        plain.rows += price_of_sums(net, &sums);
        s->price = price_new(net, s->n_segments, plain, masked, s->masks.chunks);
    }
    free(in.blocks);
    free(in.counts);
    free(in.bare);
    return status;
}

int selection_settle(struct selection *s, struct hagg_err *err)
{
    struct price *prices = calloc(s->net->most_segments + (size_t)1, sizeof *prices), best;
    struct row_counts counts = {
        .all = calloc(s->net->most_segments + (size_t)1, sizeof *counts.all),
        .any = calloc(s->net->most_segments + (size_t)1, sizeof *counts.any),
    };
    struct sums a = { 0 };
    int status = 0;

    if (!prices || !counts.all || !counts.any || sums_new(&a, s)) {
        free(prices);
        free(counts.all);
        free(counts.any);
        return err_errno(err, "no memory to plan");
    }
    if (a.n >= s->net->fewest) {
        add_rows(&a, &counts);
        best = price_all(&a, &counts, prices);
        s->n_segments = choose_segments(s->net, prices, best);
        count_rows(&a, s->n_segments);
        s->price = price_of(&a, s->n_segments, &s->masks);
        s->passed_on = is_passed_on(&a, s->n_segments);
        rank(&a);
        s->n_ranked = a.n;
        for (uint32_t i = 0; i < a.n; i++)
            s->ranked[i] = a.stations[a.order[i]];
        status = price_seeds(&a, s, err) ? -1 : 1;
    }
    sums_free(&a);
    free(prices);
    free(counts.all);
    free(counts.any);
    return status;
}
