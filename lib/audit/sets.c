#include "audit/sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static uint32_t at_most(uint32_t n, size_t limit)
{
    return n < limit ? n : (uint32_t)limit;
}

size_t sets_sides(const struct model *m, const struct audit_bounds *b,
                  struct audit_side sides[SETS_SIDES])
{
    /* at least one honest client must be left */
    uint32_t clients = at_most(b->clients, m->n_clients - 1);
    struct audit_side all = {
        .clients = clients,
        .missing = at_most(b->missing, m->n_clients - 1 - clients),
        .stations = at_most(b->stations, m->n_stations),
        .relays = at_most(b->relays, m->n_relays),
    };
    size_t n = 0;

    sides[n] = all;
    if (!b->full)
        sides[n].relays = 0;
    n++;
    if (!b->full && m->n_relays > 0) {
        sides[n] = all;
        sides[n++].stations = 0;
    }
    sides[n] = all;
    sides[n].federator = true;
    if (!b->full)
        sides[n].stations = 0;
    return n + 1;
}

uint64_t sets_times(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t sets_choose(uint64_t n, uint64_t k)
{
    unsigned __int128 result = 1;

    if (k > n)
        return 0;
    k = k < n - k ? k : n - k;
    for (uint64_t i = 1; i <= k; i++) {
        result = result * (n - k + i) / i;
        if (result >= UINT64_MAX)
            return UINT64_MAX;
    }
    return (uint64_t)result;
}

uint64_t sets_count(const struct model *m, const struct audit_side *s)
{
    return sets_times(
        sets_choose(m->n_clients, s->clients),
        sets_times(sets_choose(m->n_stations, s->stations), sets_choose(m->n_relays, s->relays)));
}

void sets_unrank(uint64_t i, uint32_t n, uint32_t k, uint32_t *chosen)
{
    uint32_t next = 0;

    for (uint32_t j = 0; j < k; j++) {
        uint64_t with; /* number of sets whose next element is next */

        while ((with = sets_choose(n - next - 1, k - j - 1)) <= i) {
            i -= with;
            next++;
        }
        chosen[j] = next++;
    }
}

/* The search for sets of profiles with few enough clients to be emptied together. */
struct emptied_search {
    struct sets_emptied *e;
    const struct model *m;
    size_t limit, budget;
    size_t n_profiles, max_profiles, max_starts;
    uint32_t *chosen;
    bool failed, too_many;
};

static void keep(struct emptied_search *s, size_t n)
{
    struct sets_emptied *e = s->e;

    if (e->n_sets == s->limit) {
        s->too_many = true;
        return;
    }
    s->failed = ARRAY_RESERVE(e->starts, e->n_sets + 2, s->max_starts) ||
                ARRAY_RESERVE(e->profiles, s->n_profiles + n, s->max_profiles);
    if (s->failed)
        return;
    if (n > 0)
        memcpy(e->profiles + s->n_profiles, s->chosen, n * sizeof *s->chosen);
    e->starts[e->n_sets++] = s->n_profiles;
    s->n_profiles += n;
    e->starts[e->n_sets] = s->n_profiles;
}

/* Finds all sets of `wanted` profiles that extend the first n chosen. */
static void extend(struct emptied_search *s, size_t from, size_t n, size_t wanted, size_t used)
{
    if (n == wanted) {
        keep(s, n);
        return;
    }
    for (size_t i = from; i < s->m->n_profiles && !s->failed && !s->too_many; i++) {
        size_t size = s->m->profiles[i].n_clients;

        if (used + size > s->budget)
            continue;
        s->chosen[n] = (uint32_t)i;
        extend(s, i + 1, n + 1, wanted, used + size);
    }
}

int sets_emptied_new(struct sets_emptied *e, const struct model *m, const struct audit_side *s,
                     size_t limit, struct hagg_err *err)
{
    struct emptied_search search = {
        .e = e,
        .m = m,
        .limit = limit,
        .budget = (size_t)s->clients + s->missing,
    };
    size_t before = 1;

    *e = (struct sets_emptied){ 0 };
    search.chosen = calloc(search.budget + 1, sizeof *search.chosen);
    search.failed = !search.chosen;
    for (size_t n = 0; n <= search.budget && !search.failed && !search.too_many; n++) {
        extend(&search, 0, 0, n, 0);
        if (e->n_sets == before && n > 0)
            break;
        before = e->n_sets;
    }
    free(search.chosen);
    if (!search.failed && !search.too_many)
        return 0;
    sets_emptied_free(e);
    if (search.failed)
        return err_errno(err, "no memory for coalitions");
    return err_set(err, HAGG_E_USAGE, "there are more than %zu sets of clients", limit);
}

void sets_emptied_free(struct sets_emptied *e)
{
    free(e->profiles);
    free(e->starts);
    *e = (struct sets_emptied){ 0 };
}

int sets_coalition(struct coalition *c, const struct model *m, const struct audit_side *s,
                   uint64_t stations, uint64_t relays, const uint32_t *profiles, size_t n_profiles,
                   struct hagg_err *err)
{
    uint32_t *chosen = calloc((size_t)s->stations + s->relays + 1, sizeof *chosen);
    size_t used = 0;

    if (!chosen)
        return err_errno(err, "no memory for a coalition");
    if (coalition_new(c, m, err)) {
        free(chosen);
        return -1;
    }
    c->nodes[MODEL_FEDERATOR] = s->federator;
    sets_unrank(stations, m->n_stations, s->stations, chosen);
    for (uint32_t i = 0; i < s->stations; i++)
        c->nodes[model_station(chosen[i] + 1)] = true;
    sets_unrank(relays, m->n_relays, s->relays, chosen);
    for (uint32_t i = 0; i < s->relays; i++)
        c->nodes[model_relay(m, chosen[i] + 1)] = true;
    for (size_t i = 0; i < n_profiles; i++)
        for (size_t j = 0; j < m->profiles[profiles[i]].n_clients; j++, used++)
            c->clients[m->profiles[profiles[i]].first + j] =
                used < s->clients ? COALITION_MEMBER : COALITION_MISSING;
    free(chosen);
    return 0;
}
