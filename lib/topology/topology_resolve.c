#include "topology/topology_resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology/topology_couriers.h"
#include "topology/topology_tolerate.h"

struct resolver {
    struct topology *t;
    const char *name;
    struct hagg_err *err;
    size_t *seen; /* by node number: the mark of the last list that contains it */
    size_t mark;
    /* By tier: the smallest set that is too small only because two totals could be decoded, and the
     * message for it, whose advice then applies to all sets. */
    struct {
        uint64_t n;
        struct hagg_err why;
    } split[2];
};

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

void topology_sort(struct topology_list *list)
{
    if (list->n > 0)
        qsort(list->numbers, list->n, sizeof *list->numbers, compare_numbers);
}

static int no_memory(struct resolver *s)
{
    return err_errno(s->err, "%s", s->name);
}

/* Checks that all numbers are at most max and differ, and marks them with a new mark. */
static int check_list(struct resolver *s, const struct topology_list *list, size_t line,
                      const char *what, uint32_t max)
{
    s->mark++;
    for (size_t i = 0; i < list->n; i++) {
        uint32_t number = list->numbers[i];

        if (number > max)
            return err_set(s->err, HAGG_E_MALFORMED, "%s:%zu: '%u': there are only %u %ss", s->name,
                           line, number, max, what);
        if (s->seen[number] == s->mark)
            return err_set(s->err, HAGG_E_MALFORMED, "%s:%zu: '%u': %s appears twice", s->name,
                           line, number, what);
        s->seen[number] = s->mark;
    }
    return 0;
}

/* Checks a list of stations, all of which the clients must reach. */
static int check_subset(struct resolver *s, const struct topology_list *list,
                        const struct topology_group *g, const char *word)
{
    if (check_list(s, list, g->line, "station", s->t->n_stations))
        return -1;
    s->mark++;
    for (size_t i = 0; i < g->via.n; i++)
        s->seen[g->via.numbers[i]] = s->mark;
    for (size_t i = 0; i < list->n; i++)
        if (s->seen[list->numbers[i]] != s->mark)
            return err_set(s->err, HAGG_E_MALFORMED,
                           "%s:%zu: '%u': %s names a station that these clients do not reach",
                           s->name, g->line, list->numbers[i], word);
    return 0;
}

/* topology_check_holders for a word of a line. HAGG_E_PRIVACY is reported later, see split. */
static int check_size(struct resolver *s, const struct topology *t, size_t tier, uint64_t n,
                      size_t line, const char *word)
{
    struct text where = { 0 };
    struct hagg_err why = { 0 };

    if (n >= topology_fewest(t, tier))
        return 0;
    text_printf(&where, "%s:%zu: '%s'", s->name, line, word);
    topology_check_holders(t, tier, n, text_ok(&where) ? where.bytes : s->name, &why);
    text_free(&where);
    if (why.status != HAGG_E_PRIVACY) {
        *s->err = why;
        return -1;
    }
    if (s->split[tier].why.status == 0 || n < s->split[tier].n) {
        s->split[tier].n = n;
        s->split[tier].why = why;
    }
    return 0;
}

/* A list needs more members than may collude or be missing in total. */
static int check_more(struct resolver *s, const struct topology_list *list, size_t line,
                      const char *word, const char *what, uint32_t z, uint32_t spares)
{
    struct text where = { 0 };
    int status;

    if (list->n > (size_t)z + spares)
        return 0;
    text_printf(&where, "%s:%zu: '%s'", s->name, line, word);
    status = topology_too_few(s->t, text_ok(&where) ? where.bytes : s->name, list->n, what, z,
                              spares, (uint64_t)z + spares + 1, s->err);
    text_free(&where);
    return status;
}

/* If no relays are chosen yet, the planner may still choose to transform, so only the colluding and
 * missing stations count. With protocol aligned, clients share over all stations in use together,
 * and each of them needs one part: see check_aligned. */
static int check_stations(struct resolver *s, const struct topology_list *list,
                          const struct topology_list *relays, size_t line, const char *word)
{
    struct topology apart = topology_apart(s->t);

    if (s->t->aligned)
        return check_more(s, list, line, word, "station", topology_tolerate_most(s->t),
                          topology_spares(s->t, 0));
    return check_size(s, relays->n == 0 ? &apart : s->t, 0, list->n, line, word);
}

static int check_link(struct resolver *s, uint32_t station, uint32_t relay, size_t line,
                      const char *word)
{
    if (topology_list_has(&s->t->station_via[station - 1], relay))
        return 0;
    return err_set(s->err, HAGG_E_MALFORMED,
                   "%s:%zu: '%u': %s matches this relay with station %u, which does not reach it",
                   s->name, line, relay, word, station);
}

/* With transform, every station sends to every relay. */
static int check_all_links(struct resolver *s, const struct topology_list *relays,
                           const struct topology_list *stations, size_t line, const char *word)
{
    for (size_t i = 0; i < stations->n; i++)
        for (size_t j = 0; j < relays->n; j++)
            if (check_link(s, stations->numbers[i], relays->numbers[j], line, word))
                return -1;
    return check_size(s, s->t, 1, relays->n, line, word);
}

/* Without transform, each station has its own relay, because no relay may get two shares of one
 * sharing. */
static int check_relays(struct resolver *s, const struct topology_list *relays,
                        const struct topology_list *stations, size_t line, const char *word)
{
    if (relays->n == 0)
        return 0;
    if (check_list(s, relays, line, "relay", s->t->n_relays))
        return -1;
    if (s->t->transform)
        return check_all_links(s, relays, stations, line, word);
    if (relays->n != stations->n)
        return err_set(s->err, HAGG_E_MALFORMED,
                       "%s:%zu: '%s': one relay is needed for every station that gets a share",
                       s->name, line, word);
    for (size_t i = 0; i < relays->n; i++)
        if (check_link(s, stations->numbers[i], relays->numbers[i], line, word))
            return -1;
    return 0;
}

/* Words of a client line that only protocol keys has. */
static int check_aligned_group(struct resolver *s, const struct topology_group *g)
{
    const char *word = g->keys.n > 0         ? "keys"
                       : g->relays.n > 0     ? "relays"
                       : g->key_relays.n > 0 ? "key-relays"
                                             : NULL;

    return word ? err_set(s->err, HAGG_E_MALFORMED,
                          "%s:%zu: '%s': is not used with protocol aligned: remove it, or add a "
                          "line protocol keys",
                          s->name, g->line, word)
                : 0;
}

/* Marks the stations that some client uses, and returns how many there are. */
static uint32_t mark_used(struct resolver *s)
{
    uint32_t n = 0;

    s->mark++;
    for (size_t i = 0; i < s->t->n_groups; i++) {
        const struct topology_group *g = &s->t->groups[i];
        const struct topology_list *used = topology_shares(g);

        for (size_t j = 0; j < used->n; j++)
            if (s->seen[used->numbers[j]] != s->mark) {
                s->seen[used->numbers[j]] = s->mark;
                n++;
            }
    }
    return n;
}

static int check_dealers(struct resolver *s)
{
    const struct topology *t = s->t;
    uint32_t colluding = topology_colluding_dealers(t), spares = topology_spares(t, 0);

    if (t->dealers.n == 0)
        return 0;
    if (check_list(s, &t->dealers, t->dealers_line, "station", t->n_stations))
        return -1;
    mark_used(s);
    for (size_t i = 0; i < t->dealers.n; i++)
        if (s->seen[t->dealers.numbers[i]] != s->mark)
            return err_set(s->err, HAGG_E_MALFORMED,
                           "%s:%zu: '%u': dealers names a station that no client uses", s->name,
                           t->dealers_line, t->dealers.numbers[i]);
    return check_more(s, &t->dealers, t->dealers_line, "dealers", "dealer", colluding, spares);
}

/* All stations in use hold the sharing of the total, so their number counts for one total per
 * round. */
static int check_aligned(struct resolver *s)
{
    const struct topology *t = s->t;

    if (!t->aligned && t->aligned_line > 0)
        return err_set(
            s->err, HAGG_E_MALFORMED,
            "%s:%zu: '%s': is not used with protocol keys: remove it, or the line protocol keys",
            s->name, t->aligned_line, t->aligned_line == t->segments_line ? "segments" : "dealers");
    if (!t->aligned)
        return 0;
    if (topology_check_holders(t, 0, mark_used(s), s->name, s->err))
        return -1;
    return check_dealers(s);
}

/* With too few stations there is only computational privacy, which the topology must ask for. */
static int advise_fallback(struct resolver *s, const struct topology_group *g)
{
    struct hagg_err why = *s->err;

    if (g->shares.n > 0 || g->computational || s->t->n_tolerated > 0 ||
        why.status != HAGG_E_MALFORMED || s->t->n_stations < topology_couriers_fewest(s->t) ||
        (!s->t->aligned && (s->t->full || s->t->n_relays > 0)))
        return -1;
    return err_set(s->err, HAGG_E_MALFORMED,
                   "%s: for computational privacy instead, add a line fallback computational",
                   why.text);
}

static int check_group(struct resolver *s, const struct topology_group *g)
{
    const struct topology *t = s->t;
    const struct topology_list *shares = topology_shares(g);

    if (t->aligned && check_aligned_group(s, g))
        return -1;
    if ((g->reach.n > 0 ? check_list(s, &g->shares, g->line, "station", t->n_stations)
                        : check_subset(s, &g->shares, g, "shares")) ||
        check_subset(s, &g->keys, g, "keys"))
        return -1;
    if (check_stations(s, shares, &g->relays, g->line, g->shares.n > 0 ? "shares" : "via"))
        return advise_fallback(s, g);
    if (g->keys.n > 0 && t->full && check_stations(s, &g->keys, &g->key_relays, g->line, "keys"))
        return -1;
    if (g->keys.n > 1 && !t->full)
        return err_set(s->err, HAGG_E_MALFORMED,
                       "%s:%zu: 'keys': under partial collusion one station gets the key", s->name,
                       g->line);
    if (g->key_relays.n > 0 && !t->full)
        return err_set(s->err, HAGG_E_MALFORMED,
                       "%s:%zu: 'key-relays': under partial collusion keys go from station to "
                       "station",
                       s->name, g->line);
    if (check_relays(s, &g->relays, shares, g->line, "relays"))
        return -1;
    return check_relays(s, &g->key_relays, g->keys.n > 0 ? &g->keys : &g->via, g->line,
                        "key-relays");
}

static int check_reached(struct resolver *s)
{
    for (size_t i = 0; i < s->t->n_groups; i++)
        if (check_list(s, &s->t->groups[i].via, s->t->groups[i].line, "station", s->t->n_stations))
            return -1;
    return 0;
}

static int resolve_stations(struct resolver *s, const struct topology_station *stations, size_t n)
{
    struct topology *t = s->t;
    uint64_t n_numbers = 0;

    if (t->n_relays == 0) {
        if (n > 0)
            return err_set(
                s->err, HAGG_E_MALFORMED,
                "%s:%zu: 'station': the number of relays is missing: add a line such as relays 4",
                s->name, stations[0].line);
        return 0;
    }
    t->station_via = calloc((size_t)t->n_stations + 1, sizeof *t->station_via);
    if (!t->station_via)
        return no_memory(s);
    for (size_t i = 0; i < n; i++) {
        if (check_list(s, &stations[i].stations, stations[i].line, "station", t->n_stations) ||
            check_list(s, &stations[i].via, stations[i].line, "relay", t->n_relays))
            return -1;
        /* the list is copied for every station */
        n_numbers += (uint64_t)stations[i].stations.n * stations[i].via.n;
        if (n_numbers > TOPOLOGY_MAX_NUMBERS)
            return err_set(s->err, HAGG_E_MALFORMED,
                           "%s:%zu: 'station': the lists of this topology are too long", s->name,
                           stations[i].line);
        for (size_t j = 0; j < stations[i].stations.n; j++) {
            struct topology_list *list = &t->station_via[stations[i].stations.numbers[j] - 1];
            size_t len_bytes = stations[i].via.n * sizeof *list->numbers;

            if (list->n > 0)
                return err_set(s->err, HAGG_E_MALFORMED, "%s:%zu: '%u': station appears twice",
                               s->name, stations[i].line, stations[i].stations.numbers[j]);
            list->numbers = malloc(len_bytes);
            if (!list->numbers)
                return no_memory(s);
            memcpy(list->numbers, stations[i].via.numbers, len_bytes);
            list->n = stations[i].via.n;
        }
    }
    for (uint32_t u = 0; u < t->n_stations; u++)
        if (t->station_via[u].n == 0)
            return err_set(s->err, HAGG_E_MALFORMED,
                           "%s: station %u reaches no relay: add a line station %u via ..", s->name,
                           u + 1, u + 1);
    return 0;
}

static int compare_clients(const void *a, const void *b)
{
    const struct topology_client *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static int resolve_clients(struct resolver *s)
{
    struct topology *t = s->t;

    qsort(t->clients, t->n_clients, sizeof *t->clients, compare_clients);
    for (size_t i = 1; i < t->n_clients; i++)
        if (t->clients[i - 1].number == t->clients[i].number) {
            size_t a = t->groups[t->clients[i - 1].group].line;
            size_t b = t->groups[t->clients[i].group].line;

            return err_set(s->err, HAGG_E_MALFORMED,
                           "%s:%zu: '%u': client already appears in line %zu", s->name,
                           a > b ? a : b, t->clients[i].number, a > b ? b : a);
        }
    return 0;
}

/* Checks that enough clients remain for a total if drop_clients are missing. */
static int check_minimum(const struct topology *t, const char *name, struct hagg_err *err)
{
    const char *plural = t->n_clients == 1 ? "" : "s";

    if (t->n_clients < t->minimum)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: has %zu client%s, but a total must have at least %u: add clients or "
                       "set a lower minimum",
                       name, t->n_clients, plural, t->minimum);
    if (t->n_clients - t->minimum < t->drop_clients)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: has %zu client%s and %u may drop out, but a total must have at least "
                       "%u: add clients or set a lower minimum",
                       name, t->n_clients, plural, t->drop_clients, t->minimum);
    return 0;
}

/* A sharing among relays, or whose shares relays pass on, needs enough relays. */
static int check_relay_counts(struct resolver *s)
{
    const struct topology *t = s->t;
    uint32_t n = t->n_relays, collude = t->collude_relays, drop = t->drop_relays;
    bool all_gone = drop >= n;
    struct topology apart = topology_apart(t);
    char word[32];

    snprintf(word, sizeof word, "relays=%u", drop);
    if (n == 0)
        return 0;
    if ((uint64_t)collude + drop < n)
        return check_size(s, &apart, 1, n, t->drop_line, word);
    if (!all_gone && !t->relays_stated)
        return err_set(s->err, HAGG_E_MALFORMED,
                       "%s: with transform one relay may collude, and %u of %u may be missing, so "
                       "none is left: use more relays, or write relays=0 in the collude line",
                       s->name, drop, n);
    if (drop == 0 || collude == 0 || all_gone)
        return err_set(s->err, HAGG_E_MALFORMED,
                       "%s:%zu: 'relays=%u': there are %u relays, and not all of them may %s: use "
                       "relays=%u at most, or more relays",
                       s->name, all_gone ? t->drop_line : t->collude_line,
                       all_gone ? drop : collude, n, all_gone ? "be missing" : "collude", n - 1);
    return err_set(s->err, HAGG_E_MALFORMED,
                   "%s:%zu: 'relays=%u': there are %u relays, %u of which may be missing, and not "
                   "all others may collude: use relays=%u at most, or more relays",
                   s->name, t->collude_line, collude, n, drop, n - 1 - drop);
}

static bool asks_for_seeds(const struct topology *t)
{
    bool asks = t->computational || t->fallback;

    for (size_t i = 0; i < t->n_groups; i++)
        asks = asks || t->groups[i].computational;
    return asks;
}

int topology_resolve(struct topology *t, const char *name, const struct topology_station *stations,
                     size_t n_stations, bool to_choose, struct hagg_err *err)
{
    struct resolver s = { .t = t, .name = name, .err = err };
    int status = -1;

    if (t->n_stations == 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: the number of stations is missing: add a line stations N", name);
    if (t->n_clients == 0)
        return err_set(err, HAGG_E_MALFORMED, "%s: has no clients: add a line client 1-6 via 1-5",
                       name);
    /* colluding clients can subtract their own vectors from a total: if only one other client is in
     * it, they learn its vector */
    if (t->minimum == 0)
        t->minimum = t->collude_clients + 2;
    if (check_minimum(t, name, err))
        return -1;
    if (t->transform && t->n_relays == 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: transform needs relays: remove transform, or add a line relays N",
                       name);
    if (t->aligned && t->transform)
        return err_set(
            err, HAGG_E_MALFORMED,
            "%s: transform is not needed with protocol aligned: remove it, or add a line "
            "protocol keys",
            name);
    if (t->n_tolerated > 0 && (!t->aligned || asks_for_seeds(t)))
        return err_set(
            err, HAGG_E_MALFORMED,
            "%s:%zu: 'tolerate': is for protocol aligned without seeds: remove it, or the "
            "%s",
            name, t->collude_line,
            t->aligned ? "lines and words computational" : "line protocol keys");
    topology_default_relays(t);
    if (!t->aligned && check_relay_counts(&s))
        return -1;
    s.seen = calloc((size_t)TOPOLOGY_MAX_NODES + 1, sizeof *s.seen);
    if (!s.seen)
        return no_memory(&s);
    if (resolve_stations(&s, stations, n_stations) || resolve_clients(&s) || check_reached(&s) ||
        topology_couriers_settle(t, name, err))
        goto out;
    for (size_t i = 0; i < t->n_groups; i++) {
        if (check_group(&s, &t->groups[i]))
            goto out;
        if (t->aligned) /* the order has no meaning, so equal sets become equal groups */
            topology_sort(&t->groups[i].shares);
    }
    for (size_t tier = 0; tier < sizeof s.split / sizeof *s.split; tier++)
        if (s.split[tier].why.status) {
            *err = s.split[tier].why;
            goto out;
        }
    if (check_aligned(&s))
        goto out;
    if (to_choose)
        topology_discard_choices(t);
    status = topology_merge_groups(t) ? no_memory(&s) : 0;
out:
    free(s.seen);
    return status;
}
