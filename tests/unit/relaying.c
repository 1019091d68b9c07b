#include "planner/relays/relaying.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "feed.h"

#define MOST 12

/* A plan whose stations reach random relays, so that all patterns used here can be matched. */
static void make(struct plan *p, uint32_t n_stations, uint32_t n_relays, uint32_t n_links,
                 const char *scheme)
{
    struct text text = { 0 };
    struct hagg_err err = { 0 };

    text_printf(&text, "scheme %s\ncollude partial stations=1 relays=1\nstations %u\nrelays %u\n",
                scheme, n_stations, n_relays);
    for (uint32_t s = 1; s <= n_stations; s++) {
        text_printf(&text, "station %u via %u", s, (s - 1) % n_relays + 1);
        for (uint32_t r = 1; r <= n_relays; r++)
            if (r != (s - 1) % n_relays + 1 && (uint32_t)rand() % n_relays < n_links)
                text_printf(&text, " %u", r);
        text_printf(&text, "\n");
    }
    text_printf(&text, "client 1-3 via 1-%u\n", n_stations);
    CHECK(plan_load_to_choose(p, feed_keys(text.bytes), &err) == 0);
    CHECK_STR(err.text, "");
    text_free(&text);
}

static bool is_linked(const struct topology *t, uint32_t station, uint32_t relay)
{
    const struct topology_list *via = &t->station_via[station - 1];

    for (size_t i = 0; i < via->n; i++)
        if (via->numbers[i] == relay)
            return true;
    return false;
}

/* True if stations and relays are matched one to one along links, the stations are of the pattern,
 * and a sharing of this size exists. */
static bool is_valid(const struct plan *p, const struct instance *in, const uint64_t *pattern,
                     const struct relayed *r)
{
    uint64_t seen = 0;
    bool right = r->stations.n == r->relays.n && in->size[r->relays.n] == r->relays.n;

    for (size_t i = 0; i < r->stations.n && right; i++) {
        uint32_t station = r->stations.numbers[i], relay = r->relays.numbers[i];

        right = set_has(pattern, station) && is_linked(&p->topology, station, relay) &&
                (i == 0 || r->relays.numbers[i - 1] < relay) && !set_has(&seen, station);
        set_put(&seen, station);
    }
    return right;
}

static bool same(const struct topology_list *a, const struct topology_list *b)
{
    return a->n == b->n && memcmp(a->numbers, b->numbers, a->n * sizeof *a->numbers) == 0;
}

/* The cost of clients, patterns of stations and patterns of relays. */
static double cost(const struct instance *in, const struct relayed *r, const uint64_t *weights,
                   size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        bool new_way = true, new_relays = true;

        for (size_t j = 0; j < i; j++) {
            new_relays = new_relays && !same(&r[i].relays, &r[j].relays);
            new_way = new_way &&
                      !(same(&r[i].relays, &r[j].relays) && same(&r[i].stations, &r[j].stations));
        }
        sum += (double)weights[i] * in->rate[r[i].relays.n] +
               (new_way + new_relays) * in->fee[r[i].relays.n];
    }
    return sum;
}

static void chooses(uint32_t n_stations, uint32_t n_relays, uint32_t n_links, const char *scheme)
{
    uint64_t patterns[MOST], weights[MOST];
    struct relayed relayed[MOST], again[MOST];
    double apart = 0, together;
    struct hagg_err err = { 0 };
    struct instance in;
    struct effort e;
    struct plan p;

    make(&p, n_stations, n_relays, n_links, scheme);
    CHECK(instance_new(&in, &p, &err) == 0);
    for (size_t i = 0; i < MOST; i++) {
        /* it has three neighbouring stations with different relays, so it can be matched */
        uint32_t first = (uint32_t)rand() % (n_stations - 2);

        patterns[i] = (uint64_t)rand() & ((UINT64_C(1) << n_stations) - 1);
        patterns[i] |= UINT64_C(7) << first;
        weights[i] = 1 + (uint64_t)rand() % 5;
        effort_start(&e, 3, 1, 0, NULL);
        CHECK(relaying_find(&p.topology, &in, &patterns[i], 1, &weights[i], &e, relayed, &err) ==
              0);
        apart += cost(&in, relayed, &weights[i], 1);
        relaying_free(relayed, 1);
    }
    CHECK(relaying_find(&p.topology, &in, patterns, MOST, weights, &e, relayed, &err) == 0);
    CHECK(relaying_find(&p.topology, &in, patterns, MOST, weights, &e, again, &err) == 0);
    CHECK_STR(err.text, "");
    for (size_t i = 0; i < MOST; i++) {
        CHECK(is_valid(&p, &in, &patterns[i], &relayed[i]));
        CHECK(same(&relayed[i].stations, &again[i].stations));
        CHECK(same(&relayed[i].relays, &again[i].relays));
    }
    together = cost(&in, relayed, weights, MOST);
    CHECK(together <= apart + 1e-9);
    relaying_free(relayed, MOST);
    relaying_free(again, MOST);
    instance_free(&in);
    plan_free(&p);
}

/* All stations reach all relays: one set of relays for all patterns, although these differ. */
static void uses_one_set_if_possible(void)
{
    uint64_t patterns[] = { 0x0f, 0x3c, 0xf0, 0xc3 }, weights[] = { 1, 1, 1, 1 };
    struct relayed relayed[4];
    struct hagg_err err = { 0 };
    struct instance in;
    struct effort e;
    struct plan p;

    make(&p, 8, 6, 6, "ramp");
    CHECK(instance_new(&in, &p, &err) == 0);
    effort_start(&e, 3, 1, 0, NULL);
    CHECK(relaying_find(&p.topology, &in, patterns, 4, weights, &e, relayed, &err) == 0);
    for (size_t i = 0; i < 4; i++)
        CHECK(relayed[i].relays.n == 4 && same(&relayed[i].relays, &relayed[0].relays));
    relaying_free(relayed, 4);
    instance_free(&in);
    plan_free(&p);
}

int main(void)
{
    srand(1);
    for (int i = 0; i < 60; i++) {
        chooses(5 + (uint32_t)rand() % 10, 3 + (uint32_t)rand() % 8, (uint32_t)rand() % 4, "ramp");
        chooses(5 + (uint32_t)rand() % 10, 3 + (uint32_t)rand() % 8, (uint32_t)rand() % 4,
                "additive");
    }
    uses_one_set_if_possible();
    return check_end();
}
