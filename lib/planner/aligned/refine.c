#include "planner/aligned/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"

#define FEWEST_SWEEPS 12
#define STEP_WORDS    8 /* words, or segments, that are as much work as a station */

struct refine {
    struct selection *s;
    const struct network *net;
    uint32_t n_segments;
    size_t n_words;    /* of a set of segments */
    uint32_t n_counts; /* part counts from 1 */
    /* By part count: the least price of the shares of a client with it or with fewer parts; of a
     * client with information-theoretic and with computational privacy. */
    double *client_best[2];
    uint64_t *multiples; /* by part count: its cuts */
    double *row_price;   /* by station: of a row of its sum, with masks */
    /* By station and part count. */
    uint32_t *n_users; /* classes */
    int32_t *growth;   /* rows that a class would add; -1 if not known */
    /* By station and segment. */
    uint64_t *cuts;      /* a set of segments for each station */
    uint16_t *n_cutting; /* part counts */
    double cost;         /* of all classes */
    uint32_t *order;     /* of the classes in a sweep */
    /* Scratch: the stations of one class. */
    struct option {
        double price;
        uint32_t station;
    } * options;
    double noise_price; /* of noise as long as the vector */
    uint64_t n_steps;   /* so far: stations visited, and work of about the same size */
    uint64_t *random;
};

static size_t at(const struct refine *r, uint32_t station, uint32_t parts)
{
    return (size_t)station * (r->n_counts + 1) + parts;
}

static void forget_growth(struct refine *r, uint32_t station)
{
    memset(r->growth + at(r, station, 0), 0xff, (r->n_counts + (size_t)1) * sizeof *r->growth);
}

/* Whole words, or single segments if there are fewer. */
static uint32_t count_new(struct refine *r, uint32_t station, uint32_t parts)
{
    const uint64_t *cuts = r->cuts + station * r->n_words;
    const uint64_t *multiples = r->multiples + parts * r->n_words;
    uint32_t n = 0;

    if (parts >= 64)
        for (uint32_t cut = 0; cut < r->n_segments; cut += parts)
            n += !(cuts[cut / 64] >> cut % 64 & 1);
    else
        for (size_t i = 0; i < r->n_words; i++)
            n += (uint32_t)__builtin_popcountll(multiples[i] & ~cuts[i]);
    r->n_steps += 1 + r->n_words / STEP_WORDS;
    return n;
}

static uint32_t growth_of(struct refine *r, uint32_t station, uint32_t parts)
{
    int32_t *growth = &r->growth[at(r, station, parts)];

    if (*growth < 0)
        *growth = (int32_t)count_new(r, station, parts);
    return (uint32_t)*growth;
}

/* After the part counts of a station have changed, and so many of its rows. */
static void change_rows(struct refine *r, uint32_t station, uint32_t parts, double change)
{
    r->n_steps += r->n_segments / parts / STEP_WORDS;
    if (change == 0)
        return;
    r->cost += change * r->row_price[station];
    forget_growth(r, station);
}

static void add_user(struct refine *r, uint32_t station, uint32_t parts)
{
    uint16_t *n_cutting = r->n_cutting + (size_t)station * r->n_segments;
    uint64_t *cuts = r->cuts + station * r->n_words;
    double change = 0;

    if (r->n_users[at(r, station, parts)]++ > 0)
        return;
    for (uint32_t cut = 0; cut < r->n_segments; cut += parts)
        if (n_cutting[cut]++ == 0) {
            cuts[cut / 64] |= UINT64_C(1) << cut % 64;
            change++;
        }
    change_rows(r, station, parts, change);
}

static void remove_user(struct refine *r, uint32_t station, uint32_t parts)
{
    uint16_t *n_cutting = r->n_cutting + (size_t)station * r->n_segments;
    uint64_t *cuts = r->cuts + station * r->n_words;
    double change = 0;

    if (--r->n_users[at(r, station, parts)] > 0)
        return;
    for (uint32_t cut = 0; cut < r->n_segments; cut += parts)
        if (--n_cutting[cut] == 0) {
            cuts[cut / 64] &= ~(UINT64_C(1) << cut % 64);
            change--;
        }
    change_rows(r, station, parts, change);
}

/* Rows that a client with this part count sends, if it sends so many shares beyond its parts. */
static double client_rows(const struct refine *r, uint32_t parts, uint32_t beyond)
{
    return (double)((r->n_segments - 1) / parts + 1) * (parts + beyond);
}

/* The price of the shares of all clients of the class, without what stations pay. */
static double class_price(const struct refine *r, uint32_t class, uint32_t parts)
{
    const struct network *net = r->net;

    return (double)net->weight[class] *
           (client_rows(r, parts, net->beyond[class]) * (double)net->into +
            client_rows(r, parts, 0) / parts * net->passed_on[class] * (double)net->across);
}

/* What a station pays for the shares of all clients of the class. */
static double received_price(const struct refine *r, uint32_t class, uint32_t parts,
                             uint32_t station)
{
    return r->net->pays ? (double)r->net->weight[class] * client_rows(r, parts, 0) / parts *
                              (double)network_receive(r->net, station)
                        : 0;
}

static double whole_price(const struct refine *r, uint32_t class)
{
    uint32_t parts = r->s->parts[class];
    const uint32_t *stations = selection_stations(r->s, class);
    double price = class_price(r, class, parts);

    for (uint32_t i = 0; r->net->pays && i < parts + r->net->hidden; i++)
        price += received_price(r, class, parts, stations[i]);
    return price;
}

static void put(struct refine *r, uint32_t class)
{
    uint32_t parts = r->s->parts[class];
    const uint32_t *stations = selection_stations(r->s, class);

    for (uint32_t i = 0; i < parts + r->net->hidden; i++)
        add_user(r, stations[i], parts);
    r->cost += whole_price(r, class);
}

static void take(struct refine *r, uint32_t class)
{
    uint32_t parts = r->s->parts[class];
    const uint32_t *stations = selection_stations(r->s, class);

    r->n_steps += parts;
    for (uint32_t i = 0; i < parts + r->net->hidden; i++)
        remove_user(r, stations[i], parts);
    r->cost -= whole_price(r, class);
}

static double random_unit(struct refine *r)
{
    return ((double)(splitmix_next(r->random) >> 11) + 0.5) * 0x1p-53;
}

static int compare_options(const void *a, const void *b)
{
    const struct option *x = a, *y = b;

    return (x->price > y->price) - (x->price < y->price);
}

static void shuffle_options(struct refine *r, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = splitmix_below(r->random, (uint32_t)i + 1);
        struct option other = r->options[i];

        r->options[i] = r->options[j];
        r->options[j] = other;
    }
}

/* Prices the stations of the class for this part count, and puts the parts + hidden cheapest
 * first, of equal ones any. Returns their price. */
static double price_stations(struct refine *r, uint32_t class, uint32_t parts)
{
    const struct topology_list *reach = network_reach(r->net, class);
    size_t n = parts + (size_t)r->net->hidden;
    double sum = 0;

    r->n_steps += reach->n;
    for (size_t i = 0; i < reach->n; i++) {
        uint32_t u = reach->numbers[i];

        r->options[i] = (struct option){
            growth_of(r, u, parts) * r->row_price[u] + received_price(r, class, parts, u), u
        };
    }
    if (n < reach->n) {
        shuffle_options(r, reach->n);
        qsort(r->options, reach->n, sizeof *r->options, compare_options);
        r->n_steps += 2 * reach->n;
    }
    for (size_t i = 0; i < n; i++)
        sum += r->options[i].price;
    return sum;
}

/* Chooses the part count and the stations of a class that was taken out. noise is the mean of
 * random numbers that are added to the price of each part count. */
static void choose(struct refine *r, uint32_t class, double noise)
{
    double weight = (double)r->net->weight[class], best = INFINITY;
    uint32_t most = network_most_parts(r->net, class), *parts = &r->s->parts[class];
    const double *client_best = r->client_best[r->net->topology->groups[class].computational];

    for (uint32_t v = most < r->n_counts ? most : r->n_counts; v > 0; v = r->net->parts[v - 1]) {
        double price = class_price(r, class, v);

        if (weight * client_best[v] >= best)
            break;
        if (noise > 0)
            price -= noise * log(random_unit(r));
        if (price >= best)
            continue;
        price += price_stations(r, class, v);
        if (price >= best)
            continue;
        best = price;
        *parts = v;
        for (uint32_t i = 0; i < v + r->net->hidden; i++)
            selection_stations(r->s, class)[i] = r->options[i].station;
    }
}

static void shuffle_classes(struct refine *r)
{
    for (uint32_t i = r->net->n_classes - 1; i > 0; i--) {
        uint32_t j = splitmix_below(r->random, i + 1), other = r->order[i];

        r->order[i] = r->order[j];
        r->order[j] = other;
    }
}

/* The noise falls to zero before the end. */
static double noise_after(const struct refine *r, double noise, uint64_t n_steps)
{
    double left = 1 - (double)r->n_steps / (0.7 * (double)n_steps);

    return left > 0 ? noise * left * r->n_segments * r->noise_price : 0;
}

/* Takes every class out once and inserts it again, in random order. Returns false if the steps or
 * the time are used up. */
static bool sweep(struct refine *r, uint64_t n_steps, double noise, struct effort *effort)
{
    shuffle_classes(r);
    for (uint32_t i = 0; i < r->net->n_classes; i++) {
        if (r->n_steps >= n_steps || (i % 256 == 0 && !effort_may_continue(effort)))
            return false;
        take(r, r->order[i]);
        choose(r, r->order[i], noise_after(r, noise, n_steps));
        put(r, r->order[i]);
    }
    return true;
}

static void run(struct refine *r, uint64_t n_steps, double noise, struct effort *effort)
{
    double before = r->cost;

    /* the first sweep also shows how many there can be; few with noise would only do harm */
    if (!sweep(r, n_steps, 0, effort))
        return;
    noise = r->n_steps * FEWEST_SWEEPS > n_steps ? 0 : noise;
    while (noise_after(r, noise, n_steps) > 0 || r->cost < before - 1e-9 * before) {
        before = r->cost;
        if (!sweep(r, n_steps, noise, effort))
            return;
    }
}

void refine_run(struct refine *r, uint64_t n_steps, double noise, struct effort *effort)
{
    r->n_steps = 0;
    r->random = &effort->random;
    effort_begin_stage(effort, n_steps, &r->n_steps, n_steps);
    run(r, n_steps, noise, effort);
    effort_end_stage(effort);
}

static void fill(struct refine *r)
{
    const struct network *net = r->net;
    const struct selection *s = r->s;

    /* the mean of the links that a choice of sets changes */
    r->noise_price = (double)(net->into + net->up) / 2;
    price_rows(net, r->n_segments, &s->masks, s->ranked, s->passed_on, r->row_price);
    for (uint32_t v = 1; v <= r->n_counts; v++) {
        for (int computational = 0; computational < 2; computational++) {
            double *least = r->client_best[computational];
            double price =
                client_rows(r, v, computational ? net->hidden - net->colluding : net->hidden) *
                (double)net->into;

            least[v] = v > 1 ? fmin(least[v - 1], price) : price;
        }
        for (uint32_t cut = 0; cut < r->n_segments; cut += v)
            r->multiples[v * r->n_words + cut / 64] |= UINT64_C(1) << cut % 64;
    }
    for (uint32_t u = 1; u <= net->n_stations; u++)
        forget_growth(r, u);
    for (uint32_t c = 0; c < net->n_classes; c++) {
        r->order[c] = c;
        put(r, c);
    }
}

struct refine *refine_new(struct selection *s, struct hagg_err *err)
{
    const struct network *net = s->net;
    size_t n = net->n_stations + (size_t)1, n_counts = net->most_parts + (size_t)1;
    struct refine *r = calloc(1, sizeof *r);

    if (!r) {
        err_errno(err, "no memory to plan");
        return NULL;
    }
    *r = (struct refine){
        .s = s,
        .net = net,
        .n_segments = s->n_segments,
        .n_words = (s->n_segments + 63) / 64,
        .n_counts = net->most_parts,
        .client_best = { calloc(n_counts, sizeof **r->client_best),
                         calloc(n_counts, sizeof **r->client_best) },
        .row_price = calloc(n, sizeof *r->row_price),
        .n_users = calloc(n * n_counts, sizeof *r->n_users),
        .growth = calloc(n * n_counts, sizeof *r->growth),
        .n_cutting = calloc(n * s->n_segments, sizeof *r->n_cutting),
        .order = calloc(net->n_classes, sizeof *r->order),
        .options = calloc(n, sizeof *r->options),
    };
    r->multiples = calloc(n_counts * r->n_words, sizeof *r->multiples);
    r->cuts = calloc(n * r->n_words, sizeof *r->cuts);
    if (!r->client_best[0] || !r->client_best[1] || !r->row_price || !r->n_users || !r->growth ||
        !r->n_cutting || !r->order || !r->options || !r->multiples || !r->cuts) {
        err_errno(err, "no memory to plan");
        refine_free(r);
        return NULL;
    }
    fill(r);
    return r;
}

void refine_free(struct refine *r)
{
    if (!r)
        return;
    free(r->client_best[0]);
    free(r->client_best[1]);
    free(r->multiples);
    free(r->row_price);
    free(r->n_users);
    free(r->growth);
    free(r->cuts);
    free(r->n_cutting);
    free(r->order);
    free(r->options);
    free(r);
}
