#include "planner/relays/matching.h"

#include <stdlib.h>

#include "check.h"

#define MOST 6

static struct topology_list lists[MOST];
static uint32_t numbers[MOST][MOST];
static unsigned links[MOST]; /* of each station: bit r - 1 for relay r */

/* Links stations and relays at random. */
static void random_links(struct topology *t)
{
    *t = (struct topology){
        .n_stations = 1 + (uint32_t)rand() % MOST,
        .n_relays = 1 + (uint32_t)rand() % MOST,
        .station_via = lists,
    };
    for (uint32_t s = 0; s < t->n_stations; s++) {
        links[s] = 0;
        lists[s] = (struct topology_list){ numbers[s], 0 };
        for (uint32_t r = 1; r <= t->n_relays; r++)
            if (rand() % 3 == 0) {
                numbers[s][lists[s].n++] = r;
                links[s] |= 1u << (r - 1);
            }
    }
}

/* The largest number of wanted relays that can be matched with stations, by trying everything. */
static unsigned most(const struct topology *t, unsigned set, unsigned wanted, uint32_t s)
{
    unsigned best;

    while (s < t->n_stations && !(set >> s & 1))
        s++;
    if (s >= t->n_stations)
        return 0;
    best = most(t, set, wanted, s + 1);
    for (unsigned r = 0; r < t->n_relays; r++)
        if (links[s] & wanted & 1u << r) {
            unsigned with = 1 + most(t, set, wanted & ~(1u << r), s + 1);

            best = with > best ? with : best;
        }
    return best;
}

/* A relay joins exactly if it and those before can all be matched; all that joined are matched. */
static void joins(struct matching *m, const struct topology *t, const uint64_t *set)
{
    unsigned joined = 0, n = 0;

    matching_start(m, set);
    for (uint32_t r = t->n_relays; r > 0; r--) {
        unsigned with = joined | 1u << (r - 1);
        bool can = most(t, (unsigned)*set, with, 0) == n + 1;

        CHECK(matching_join(m, r) == can);
        joined = can ? with : joined;
        n += can;
    }
    CHECK(m->n == n && n == most(t, (unsigned)*set, (1u << t->n_relays) - 1, 0));
    for (uint32_t r = 1; r <= t->n_relays; r++) {
        uint32_t s = m->station_of[r];

        CHECK((s > 0) == (joined >> (r - 1) & 1));
        CHECK(s == 0 || (set_has(set, s) && links[s - 1] >> (r - 1) & 1 && m->relay_of[s] == r));
    }
}

/* The stations reported are of the set, and have as many relays as reported, which are too few. */
static void finds_shortage(struct matching *m, const struct topology *t, uint64_t set)
{
    uint64_t crowd;
    uint32_t n_relays;
    unsigned relays = 0;

    if (!matching_shortage(m, &crowd, &n_relays)) {
        CHECK(m->n == set_count(&set, 1));
        return;
    }
    CHECK(m->n < set_count(&set, 1) && set_within(&crowd, &set, 1));
    for (uint32_t s = 1; s <= t->n_stations; s++)
        relays |= set_has(&crowd, s) ? links[s - 1] : 0;
    CHECK((unsigned)__builtin_popcount(relays) == n_relays && n_relays < set_count(&crowd, 1));
}

int main(void)
{
    srand(1);
    for (int i = 0; i < 400; i++) {
        struct hagg_err err = { 0 };
        struct matching m;
        struct topology t;

        random_links(&t);
        CHECK(matching_new(&m, &t, &err) == 0);
        /* twice, to check that matching_start resets everything */
        for (int j = 0; j < 2; j++) {
            uint64_t set = (uint64_t)rand() & ((UINT64_C(1) << t.n_stations) - 1);

            joins(&m, &t, &set);
            finds_shortage(&m, &t, set);
        }
        matching_free(&m);
    }
    return check_end();
}
