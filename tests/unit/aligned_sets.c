#include "planner/aligned/aligned_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "check.h"
#include "feed.h"
#include "planner/aligned/selection.h"

#define MOST_CLIENTS  6
#define MOST_STATIONS 8

/* A random topology, small enough to be searched by hand. */
struct sample {
    bool full, relays, samples;
    uint32_t z, t, n_stations, n_clients;
    uint64_t length;                /* 0: none */
    uint32_t reach[MOST_CLIENTS];   /* bit u for station u */
    uint32_t weights[MOST_CLIENTS]; /* clients with this reach */
    bool all_computational;
    bool computational[MOST_CLIENTS];
    /* Prices, in quarters: of links, and what stations and relays pay. */
    bool has_prices, pay;
    uint32_t into, across, up, relay_up;
    uint32_t send[MOST_STATIONS + 1], receive[MOST_STATIONS + 1];
    uint32_t relay_send[3], relay_receive[3];
};

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    return splitmix_below(&random_state, n);
}

static uint32_t count_bits(uint32_t x)
{
    return (uint32_t)__builtin_popcount(x);
}

/* Every client reaches more than z + t stations, and all together more than z + 2 t. */
static struct sample draw(uint32_t most_stations, uint32_t most_clients)
{
    struct sample s;
    uint32_t all;

    do {
        s = (struct sample){
            .into = 4,
            .across = 4,
            .up = 4,
            .full = random_below(2) == 1,
            .z = 1 + random_below(2),
            .t = random_below(3) == 0,
            .n_stations = 4 + random_below(most_stations - 3),
            .n_clients = 2 + random_below(most_clients - 1),
        };
        all = 0;
        for (uint32_t c = 0; c < s.n_clients; c++) {
            do
                s.reach[c] = random_below(UINT32_C(2) << s.n_stations) & ~UINT32_C(1);
            while (count_bits(s.reach[c]) <= s.z + s.t);
            s.weights[c] = 1 + random_below(3) * random_below(3);
            all |= s.reach[c];
        }
    } while (count_bits(all) <= s.z + 2 * s.t);
    return s;
}

/* pay: nodes pay, too. */
static void add_prices(struct sample *s, bool pay)
{
    static const uint32_t prices[] = { 0, 1, 4, 4, 6, 40 };

    s->has_prices = true;
    s->pay = pay;
    s->into = prices[random_below(6)];
    s->across = prices[random_below(6)];
    s->up = prices[random_below(6)];
    s->relay_up = prices[random_below(6)];
    for (uint32_t u = 1; u <= s->n_stations && pay; u++) {
        s->send[u] = random_below(3) * prices[random_below(6)];
        s->receive[u] = random_below(3) * prices[random_below(6)];
    }
    for (uint32_t m = 1; m <= 2 && pay; m++) {
        s->relay_send[m] = prices[random_below(6)];
        s->relay_receive[m] = prices[random_below(6)];
    }
}

static void print_prices(const struct sample *s, struct text *text)
{
    text_printf(text, "price clients-stations=%u/4 stations=%u/4 stations-%s=%u/4", s->into,
                s->across, s->relays ? "relays" : "federator", s->up);
    if (s->relays)
        text_printf(text, " relays-federator=%u/4", s->relay_up);
    text_printf(text, "\n");
    for (uint32_t u = 1; u <= s->n_stations && s->pay; u++)
        text_printf(text, "price station %u send=%u/4 receive=%u/4\n", u, s->send[u],
                    s->receive[u]);
    for (uint32_t m = 1; m <= 2 && s->pay && s->relays; m++)
        text_printf(text, "price relay %u send=%u/4 receive=%u/4\n", m, s->relay_send[m],
                    s->relay_receive[m]);
}

static void print_set(struct text *text, const char *word, uint32_t set)
{
    text_printf(text, " %s", word);
    for (uint32_t u = 1; u <= MOST_STATIONS; u++)
        if (set >> u & 1)
            text_printf(text, " %u", u);
}

/* sets may be NULL: then nothing is chosen. */
static void print_sample(const struct sample *s, const uint32_t *sets, struct text *text)
{
    uint32_t client = 1;

    text_printf(text, "protocol aligned\ncollude %s stations=%u\nminimum 2\nstations %u\n%s",
                s->full ? "full" : "partial", s->z, s->n_stations,
                s->all_computational ? "privacy computational\n" : "");
    if (s->t > 0)
        text_printf(text, "drop stations=%u\n", s->t);
    if (s->has_prices)
        print_prices(s, text);
    if (s->relays)
        text_printf(text, "relays 2\nstation 1-%u via 1 2\n", s->n_stations);
    if (s->length > 0)
        text_printf(text, "length %llu\n%s", (unsigned long long)s->length,
                    s->samples ? "samples\n" : "");
    for (uint32_t c = 0; c < s->n_clients; c++) {
        text_printf(text, "client %u-%u", client, client + s->weights[c] - 1);
        print_set(text, "via", s->reach[c]);
        if (s->computational[c])
            text_printf(text, " computational");
        if (sets)
            print_set(text, "shares", sets[c]);
        text_printf(text, "\n");
        client += s->weights[c];
    }
}

static int parse(struct plan *p, const struct text *text)
{
    struct hagg_err err = { 0 };
    int status = plan_parse_to_choose(p, TOPOLOGY_ALIGNED, "t", text, &err);

    CHECK_STR(err.text, "");
    return status;
}

/* The cost of a plan that was written out, counted message by message. */
static void count(const struct text *text, struct plan_cost *cost)
{
    struct hagg_err err = { 0 };
    struct plan p;

    if (CHECK(plan_load(&p, feed_file(text->bytes, text->len), &err) == 0)) {
        CHECK(plan_cost_new(cost, &p, false, &err) == 0);
        plan_free(&p);
    } else
        plan_cost_init(cost);
    CHECK_STR(err.text, "");
}

/* unit: that of the prices. */
static void is_price(const struct plan_cost *cost, struct price price, bool symbols, uint32_t unit)
{
    mpz_t amount;
    mpq_t value;

    mpz_init_set_ui(amount, (unsigned long)(price.amount >> 64));
    mpz_mul_2exp(amount, amount, 64);
    mpz_add_ui(amount, amount, (unsigned long)price.amount);
    mpq_init(value);
    mpq_set_z(value, amount);
    mpz_set_ui(mpq_denref(value), price.unit);
    mpz_mul_ui(mpq_denref(value), mpq_denref(value), unit);
    mpq_canonicalize(value);
    if (cost->has_prices)
        CHECK(mpq_equal(value, symbols ? cost->symbol_price : cost->price));
    else
        CHECK(symbols ? mpz_cmp(amount, cost->n_symbols) == 0 && price.unit == 1
                      : mpq_equal(value, cost->total));
    mpz_clear(amount);
    mpq_clear(value);
}

static uint32_t set_of(const struct topology_list *list)
{
    uint32_t set = 0;

    for (size_t i = 0; i < list->n; i++)
        set |= UINT32_C(1) << list->numbers[i];
    return set;
}

/* The class of a topology's group is that of its stations and its privacy: the parser has merged
 * equal ones. */
static uint32_t class_of(const struct network *net, uint32_t reach, bool computational)
{
    for (uint32_t c = 0; c < net->n_classes; c++)
        if (set_of(&net->topology->groups[c].via) == reach &&
            (net->topology->computational ||
             net->topology->groups[c].computational == computational))
            return c;
    return UINT32_MAX;
}

/* Some clients, or all, have computational privacy, and some of those reach too few stations. The
 * first client reaches all, so that enough stations are in use. */
static void add_seeds(struct sample *s)
{
    s->all_computational = random_below(3) == 0;
    s->reach[0] = (UINT32_C(2) << s->n_stations) - 2;
    for (uint32_t c = 0; c < s->n_clients; c++)
        s->computational[c] = !s->all_computational && random_below(2) == 0;
    for (uint32_t c = 1; c < s->n_clients; c++)
        while ((s->all_computational || s->computational[c]) && random_below(3) > 0 &&
               count_bits(s->reach[c]) > 1)
            s->reach[c] &= s->reach[c] - 1;
}

static uint32_t random_subset(uint32_t reach, uint32_t least)
{
    uint32_t set;

    do
        set = reach & random_below(UINT32_C(2) << MOST_STATIONS);
    while (count_bits(set) < least);
    return set;
}

/* The price of any selection, with the segments and dealers that were settled, is what the messages
 * of the round add up to. */
static void prices_are_costs(bool seeds, bool prices)
{
    size_t n_usable = 0, n_couriers = 0, n_mask_seeds = 0;

    for (unsigned i = 0; i < 300; i++) {
        struct sample s = draw(MOST_STATIONS, MOST_CLIENTS);
        uint32_t sets[MOST_CLIENTS];
        struct text topology = { 0 }, chosen = { 0 };
        struct hagg_err err = { 0 };
        struct selection selection;
        struct plan_cost cost;
        struct network net;
        struct plan p;

        if (seeds)
            add_seeds(&s);
        s.relays = random_below(4) == 0;
        s.length = random_below(2) * (1 + random_below(300));
        if (prices)
            add_prices(&s, !seeds && random_below(2) == 1);
        if (prices && seeds)
            s.length = 0; /* with a length, seeds have a price */
        s.samples = s.length > 0 && random_below(2) == 1;
        print_sample(&s, NULL, &topology);
        if (parse(&p, &topology))
            continue;
        CHECK(network_new(&net, &p, 0, &err) == 0);
        CHECK(selection_new(&selection, &net, &err) == 0);
        for (uint32_t c = 0; c < s.n_clients; c++) {
            uint32_t class = class_of(&net, s.reach[c], s.computational[c]), n = 0;
            uint32_t reach = class < net.n_classes ? set_of(network_reach(&net, class)) : 0;

            CHECK(class < net.n_classes);
            n_couriers += reach != s.reach[c];
            sets[c] = random_subset(reach, s.z + s.t + 1);
            for (uint32_t k = 0; k < c; k++)
                if (s.reach[k] == s.reach[c] && s.computational[k] == s.computational[c])
                    sets[c] = sets[k];
            selection.parts[class] = count_bits(sets[c]) - s.z - s.t;
            for (uint32_t u = 1; u <= s.n_stations; u++)
                if (sets[c] >> u & 1)
                    selection_stations(&selection, class)[n++] = u;
        }
        if (selection_settle(&selection, &err) == 1) {
            print_sample(&s, sets, &chosen);
            text_printf(&chosen, "segments %u\n", selection.n_segments);
            if (selection.masks.n_dealers > 0)
                text_printf(&chosen, "dealers");
            for (uint32_t k = 0; k < selection.masks.n_dealers; k++)
                text_printf(&chosen, " %u", selection.ranked[selection.masks.n_bare + k]);
            text_printf(&chosen, "\n");
            count(&chosen, &cost);
            is_price(&cost, selection.price, s.length > 0, p.topology.prices.unit + !prices);
            n_mask_seeds += s.all_computational && selection.masks.n_dealers > 0;
            plan_cost_free(&cost);
            n_usable++;
        }
        selection_free(&selection);
        network_free(&net);
        plan_free(&p);
        text_free(&topology);
        text_free(&chosen);
    }
    CHECK(n_usable > 200);
    CHECK(!seeds || (n_couriers > 50 && n_mask_seeds > 50));
}

/* Below, the same once more in the plainest way: all sets, all segments, all dealers. */

static uint32_t count_cuts(uint32_t parts, uint32_t n_segments)
{
    uint32_t n = 0;

    for (uint32_t segment = 0; segment < n_segments; segment++)
        for (uint32_t v = 1; v < 32; v++)
            if (parts >> v & 1 && segment % v == 0) {
                n++;
                break;
            }
    return n;
}

/* The cost of masks, with the best dealers; symbols if the length of a row is known. */
static double least_masks(const struct sample *s, const uint32_t *rows, uint32_t used,
                          uint64_t row_length)
{
    uint32_t lost = s->t + (s->full ? s->z : 0);
    double best = 1e30;

    for (uint32_t dealers = 2; dealers < UINT32_C(2) << s->n_stations; dealers += 2) {
        uint32_t g = count_bits(dealers), bare = 0;
        double cost = 0, chunk;

        if (dealers & ~used || g <= lost)
            continue;
        for (uint32_t i = 0; i < s->z && !s->full; i++) {
            uint32_t largest = 0;

            for (uint32_t u = 1; u <= s->n_stations; u++)
                if (used >> u & 1 && !((dealers | bare) >> u & 1) &&
                    (largest == 0 || rows[u] > rows[largest]))
                    largest = u;
            bare |= largest > 0 ? UINT32_C(1) << largest : 0;
        }
        chunk =
            row_length > 0 ? (double)((row_length + g - lost - 1) / (g - lost)) : 1.0 / (g - lost);
        for (uint32_t w = 1; w <= s->n_stations; w++)
            for (uint32_t u = 1; u <= s->n_stations && dealers >> w & 1; u++)
                if (u != w && used >> u & 1 && !(bare >> u & 1))
                    cost += rows[u] * chunk * (s->across + s->send[w] + s->receive[u]);
        best = cost < best ? cost : best;
    }
    return best;
}

static double cost_of_sets(const struct sample *s, const uint32_t *sets, uint32_t n_segments)
{
    uint64_t length = s->length > 0 ? (s->length + s->samples + n_segments - 1) / n_segments : 0;
    uint32_t parts[MOST_STATIONS + 1] = { 0 }, rows[MOST_STATIONS + 1] = { 0 }, used = 0;
    double cost = 0, scale = length > 0 ? (double)length : 1;
    bool same = true;

    for (uint32_t c = 0; c < s->n_clients; c++) {
        uint32_t v = count_bits(sets[c]) - s->z - s->t;

        cost += s->weights[c] * (count_bits(sets[c]) - (s->computational[c] ? s->z : 0)) * scale *
                ((n_segments + v - 1) / v) * s->into;
        for (uint32_t u = 1; u <= s->n_stations; u++)
            if (sets[c] >> u & 1)
                cost += s->weights[c] * scale * ((n_segments + v - 1) / v) * s->receive[u];
        used |= sets[c];
        same = same && sets[c] == sets[0];
        for (uint32_t u = 1; u <= s->n_stations; u++)
            parts[u] |= (sets[c] >> u & 1) << v;
    }
    if (count_bits(used) <= s->z + 2 * s->t)
        return 1e30;
    for (uint32_t u = 1; u <= s->n_stations; u++) {
        rows[u] = count_cuts(parts[u], n_segments);
        cost += rows[u] * scale * (s->up + s->send[u]);
    }
    if (!same)
        cost += least_masks(s, rows, used, length);
    return (length > 0 ? cost : cost / n_segments) / 4;
}

/* Tries all sets of the clients from c on. */
static double least_cost(const struct sample *s, uint32_t *sets, uint32_t c, uint32_t n_segments)
{
    double best = 1e30;

    if (c == s->n_clients)
        return cost_of_sets(s, sets, n_segments);
    for (uint32_t set = 2; set < UINT32_C(2) << s->n_stations; set += 2) {
        double cost;

        if (set & ~s->reach[c] || count_bits(set) <= s->z + s->t)
            continue;
        sets[c] = set;
        cost = least_cost(s, sets, c + 1, n_segments);
        best = cost < best ? cost : best;
    }
    return best;
}

static void choose(const struct sample *s, unsigned level, uint64_t seed, struct plan *p,
                   struct planner_certainty *certainty)
{
    struct text text = { 0 };
    struct hagg_err err = { 0 };
    struct effort effort;

    print_sample(s, NULL, &text);
    effort_start(&effort, level, seed, 0, NULL);
    CHECK(parse(p, &text) == 0);
    CHECK(aligned_sets_choose(p, &effort, certainty, &err) == 0);
    CHECK_STR(err.text, "");
    text_free(&text);
}

static double cost_of_plan(const struct plan *p)
{
    struct hagg_err err = { 0 };
    struct plan_cost cost;
    double value;

    CHECK(plan_cost_new(&cost, p, false, &err) == 0);
    if (cost.has_prices)
        value = mpq_get_d(p->topology.length > 0 ? cost.symbol_price : cost.price);
    else
        value = p->topology.length > 0 ? mpz_get_d(cost.n_symbols) : mpq_get_d(cost.total);
    plan_cost_free(&cost);
    return value;
}

/* True if some stations pay more for receiving than others. */
static bool receive_differs(const struct sample *s)
{
    for (uint32_t u = 2; u <= s->n_stations; u++)
        if (s->receive[u] != s->receive[1])
            return true;
    return false;
}

/* For few clients the plan is the cheapest of all. If stations pay differently for receiving, this
 * is not proved under partial collusion. */
static void finds_the_cheapest(bool prices)
{
    size_t n_proved = 0, n_hidden = 0;

    for (unsigned i = 0; i < 40; i++) {
        struct sample s = draw(5, 4);
        uint32_t sets[MOST_CLIENTS], most_segments = 12;
        struct planner_certainty certainty;
        double best = 1e30, cost;
        struct plan p;

        s.length = i % 3 == 0 ? 1 + random_below(20) : 0;
        s.samples = i % 2 == 0 && s.length > 0;
        if (prices)
            add_prices(&s, i % 4 > 0);
        if (s.length > 0 && most_segments > s.length + s.samples)
            most_segments = (uint32_t)s.length + s.samples;
        else if (s.length > 0)
            most_segments = (uint32_t)s.length;
        for (uint32_t n = 1; n <= most_segments; n++) {
            cost = least_cost(&s, sets, 0, n);
            best = cost < best ? cost : best;
        }
        choose(&s, 1, i, &p, &certainty);
        cost = cost_of_plan(&p);
        n_proved += certainty.proved;
        if (!s.full && receive_differs(&s)) {
            CHECK(!certainty.proved);
            n_hidden++;
        }
        CHECK(cost <= best * (1 + 1e-9));
        /* the plan may use more segments than were tried here, but not to advantage */
        CHECK(cost >= best * (1 - 1e-9));
        plan_free(&p);
    }
    CHECK(n_proved + n_hidden > 30 && n_proved > 15);
    CHECK(!prices || n_hidden > 5);
}

static bool has_courier(const struct plan *p)
{
    for (size_t g = 0; g < p->topology.n_groups; g++)
        if (p->topology.groups[g].reach.n > 0)
            return true;
    return false;
}

/* A plan of which some clients send seeds is the cheapest of all, if that is said to be proved,
 * which is not so for masks with seeds and for couriers. */
static void finds_no_false_proof(void)
{
    size_t n_proved = 0;

    for (unsigned i = 0; i < 40; i++) {
        struct sample s = draw(5, 4);
        uint32_t sets[MOST_CLIENTS];
        struct planner_certainty certainty;
        double best = 1e30;
        struct plan p;

        add_seeds(&s);
        choose(&s, 1, i, &p, &certainty);
        n_proved += certainty.proved;
        CHECK(!certainty.proved || (!s.all_computational && !has_courier(&p)));
        for (uint32_t n = 1; n <= 12 && certainty.proved; n++) {
            double cost = least_cost(&s, sets, 0, n);

            best = cost < best ? cost : best;
        }
        if (certainty.proved)
            CHECK(cost_of_plan(&p) < best * (1 + 1e-9) && cost_of_plan(&p) > best * (1 - 1e-9));
        plan_free(&p);
    }
    CHECK(n_proved > 5);
}

int main(void)
{
    random_state = 3;
    prices_are_costs(false, false);
    random_state = 1;
    prices_are_costs(false, false);
    finds_the_cheapest(false);
    prices_are_costs(true, false);
    finds_no_false_proof();
    prices_are_costs(false, true);
    prices_are_costs(true, true);
    finds_the_cheapest(true);
    return check_end();
}
