#include "planner/relays/reshared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/relays/meeting.h"

#define MOST_RAW      (UINT32_C(1) << 17) /* patterns before equal ones are merged */
#define MOST_PATTERNS (UINT32_C(1) << 14)
#define MOST_OPTIONS  (UINT32_C(1) << 22)
#define MOST_CLASSES  2000

struct listing {
    struct reshared *r;
    const struct plan *p;
    uint64_t *within;     /* of each set of relays: the stations that reach all of them */
    double *rates, *fees; /* of each set of relays: see meeting_cheapest */
    uint32_t *n_clients;  /* of each station: clients that reach it */
    struct raw {
        uint64_t *stations;
        uint32_t relays;
    } * raw;
    size_t n;
    bool full; /* no room for another */
};

static uint64_t *within_of(const struct listing *l, uint32_t relays)
{
    return l->within + relays * l->r->in->n_words;
}

static void add(struct listing *l, const uint64_t *stations, uint32_t relays)
{
    const struct instance *in = l->r->in;
    uint32_t n = set_count(stations, in->n_words);

    if (in->size[n] != n || n == 0)
        return; /* a sharing among fewer stations costs less */
    if (l->n == MOST_RAW) {
        l->full = true;
        return;
    }
    l->raw[l->n].stations = l->r->sets + l->n * in->n_words;
    memcpy(l->raw[l->n].stations, stations, in->n_words * sizeof *stations);
    l->raw[l->n++].relays = relays;
}

/* Adds all subsets of the stations in the set. */
static void add_subsets(struct listing *l, const uint64_t *set, uint32_t relays, uint64_t *scratch)
{
    const struct instance *in = l->r->in;
    uint32_t members[64], n = 0;

    for (uint32_t u = 1; u <= in->n_stations; u++)
        if (set_has(set, u))
            members[n++] = u;
    for (uint64_t some = 1; some < UINT64_C(1) << n && !l->full; some++) {
        memset(scratch, 0, in->n_words * sizeof *scratch);
        for (uint32_t i = 0; i < n; i++)
            if (some >> i & 1)
                set_put(scratch, members[i]);
        add(l, scratch, relays);
    }
}

/* Adds the set, and smaller ones without the stations that the fewest clients reach. */
static void add_shorter(struct listing *l, const uint64_t *set, uint32_t relays, uint64_t *scratch)
{
    const struct instance *in = l->r->in;
    uint32_t n = set_count(set, in->n_words);

    memcpy(scratch, set, in->n_words * sizeof *set);
    for (; in->size[n] > 0; n--) {
        uint32_t least = 0;

        add(l, scratch, relays);
        for (uint32_t u = 1; u <= in->n_stations; u++)
            if (set_has(scratch, u) && (least == 0 || l->n_clients[u] < l->n_clients[least]))
                least = u;
        scratch[(least - 1) / 64] &= ~(UINT64_C(1) << (least - 1) % 64);
    }
}

/* The stations of a reach class that reach the relays. */
static uint32_t available(const struct listing *l, uint32_t class, uint32_t relays, uint64_t *set)
{
    const struct instance *in = l->r->in;

    return set_intersect(set, instance_reach(in, class), within_of(l, relays), in->n_words);
}

/* True if the network is so small that all subsets can be listed. */
static bool is_small(const struct listing *l, uint64_t *set)
{
    uint64_t n = 0;

    for (uint32_t m = 0; m < l->r->n_relays; m++)
        for (uint32_t c = 0; c < l->r->in->n_reach_classes; c++) {
            uint32_t size = available(l, c, m, set);

            n += size < 20 ? UINT64_C(1) << size : MOST_RAW;
            if (n >= MOST_RAW)
                return false;
        }
    return true;
}

/* Fewer stations cost more, so otherwise only what classes have in common is listed: first each
 * class with as many sets of relays as half of the patterns allow, then pairs of classes. */
static void add_meets(struct listing *l, uint64_t *a, uint64_t *b)
{
    const struct instance *in = l->r->in;
    uint64_t *scratch = b + in->n_words;
    uint32_t n_relays = 0;

    for (; n_relays < l->r->n_relays && l->n < MOST_PATTERNS / 2; n_relays++)
        for (uint32_t c = 0; c < in->n_reach_classes && l->n < MOST_PATTERNS; c++) {
            available(l, c, n_relays, a);
            add_shorter(l, a, n_relays, scratch);
        }
    for (uint32_t m = 0; m < n_relays; m++)
        for (uint32_t c = 0; c < in->n_reach_classes; c++)
            for (uint32_t d = 0; d < c && l->n + in->n_stations < MOST_PATTERNS; d++) {
                available(l, c, m, a);
                set_intersect(b, a, instance_reach(in, d), in->n_words);
                add_shorter(l, b, m, scratch);
            }
}

static int compare_raw(const void *x, const void *y, void *n_words)
{
    const struct raw *a = x, *b = y;
    int order = memcmp(a->stations, b->stations, *(const size_t *)n_words * sizeof *a->stations);

    return order ? order : (a->relays > b->relays) - (a->relays < b->relays);
}

static uint32_t find_group(struct reshared *r, uint32_t relays, uint32_t parts, double fee)
{
    uint32_t g = 0;

    while (g < r->n_groups && (r->groups[g].relays != relays || r->groups[g].parts != parts))
        g++;
    if (g == r->n_groups)
        r->groups[r->n_groups++] = (struct reshared_group){ relays, parts, fee * r->in->relay_fee };
    return g;
}

/* Makes patterns of the sets, each once. */
static void make_patterns(struct listing *l)
{
    struct reshared *r = l->r;
    size_t n_words = r->in->n_words;

    qsort_r(l->raw, l->n, sizeof *l->raw, compare_raw, &n_words);
    for (size_t i = 0; i < l->n && !l->full; i++) {
        struct scheme_prefixes prefixes;
        struct hagg_scheme_shape shape;
        struct hagg_err why;
        uint32_t k, z, n = set_count(l->raw[i].stations, n_words), relays = l->raw[i].relays;
        bool same = i > 0 && set_equal(l->raw[i].stations, l->raw[i - 1].stations, n_words);

        if (same && relays == l->raw[i - 1].relays)
            continue;
        if (r->n_patterns == MOST_PATTERNS) {
            l->full = true;
            return;
        }
        r->n_twins += !same;
        if (plan_prefixes(l->p, 0, n, &k, &z, &shape, &prefixes, &why))
            continue;
        r->patterns[r->n_patterns++] = (struct reshared_pattern){
            .stations = l->raw[i].stations,
            .relays = relays,
            .group = find_group(r, relays, shape.parts, l->fees[relays]),
            .twin = r->n_twins - 1,
            .rate = r->in->rate[n],
            .fee = (double)prefixes.all[0].holders * prefixes.all[0].symbols / shape.parts *
                   l->rates[relays],
        };
    }
}

/* Returns 1, or 0 if a class has no options or there are too many. */
static int list_options(struct reshared *r)
{
    uint32_t n = 0;

    for (uint32_t c = 0; c < r->in->n_reach_classes; c++) {
        r->begins[c] = n;
        for (uint32_t i = 0; i < r->n_patterns; i++) {
            if (!set_within(r->patterns[i].stations, instance_reach(r->in, c), r->in->n_words))
                continue;
            if (n == MOST_OPTIONS)
                return 0;
            r->options[n++] = i;
        }
        if (n == r->begins[c])
            return 0;
    }
    r->begins[r->in->n_reach_classes] = n;
    return 1;
}

/* Copies the sets of relays, as many of each as its cheapest sharing uses. */
static int copy_relays(struct listing *l, struct hagg_err *err)
{
    struct reshared *r = l->r;
    struct meeting meeting;
    int status = meeting_begin(&meeting, l->p, r->in, err);

    if (status)
        return -1;
    r->n_relay_words = meeting.n_words;
    r->relay_sets = calloc(meeting.n * meeting.n_words + 1, sizeof *r->relay_sets);
    l->within = calloc(meeting.n * r->in->n_words + 1, sizeof *l->within);
    l->rates = calloc(meeting.n + 1, sizeof *l->rates);
    l->fees = calloc(meeting.n + 1, sizeof *l->fees);
    if (!r->relay_sets || !l->within || !l->rates || !l->fees)
        status = err_errno(err, "no memory to choose relays");
    for (size_t i = 0; i < meeting.n && status == 0; i++) {
        uint64_t *set = r->relay_sets + r->n_relays * r->n_relay_words;
        uint32_t m = 0;

        meeting_cheapest(&meeting, i, set, &l->rates[r->n_relays], &l->fees[r->n_relays]);
        while (!set_equal(set, r->relay_sets + m * r->n_relay_words, r->n_relay_words))
            m++;
        if (m < r->n_relays) {
            memset(set, 0, r->n_relay_words * sizeof *set);
            continue;
        }
        meeting_stations(&meeting, set, within_of(l, r->n_relays++));
    }
    meeting_free(&meeting);
    return status;
}

static int list(struct listing *l, struct hagg_err *err)
{
    struct reshared *r = l->r;
    const struct instance *in = r->in;
    uint64_t *scratch = calloc(3 * in->n_words, sizeof *scratch);

    r->sets = calloc(MOST_RAW * in->n_words, sizeof *r->sets);
    r->patterns = calloc(MOST_PATTERNS, sizeof *r->patterns);
    r->groups = calloc(r->n_relays * (in->n_stations + (size_t)1) + 1, sizeof *r->groups);
    r->begins = calloc(in->n_reach_classes + (size_t)1, sizeof *r->begins);
    r->options = calloc(MOST_OPTIONS, sizeof *r->options);
    l->raw = calloc(MOST_RAW, sizeof *l->raw);
    l->n_clients = calloc(in->n_stations + (size_t)1, sizeof *l->n_clients);
    if (!scratch || !r->sets || !r->patterns || !r->groups || !r->begins || !r->options ||
        !l->raw || !l->n_clients) {
        free(scratch);
        return err_errno(err, "no memory to choose relays");
    }
    for (uint32_t c = 0; c < in->n_reach_classes; c++)
        for (uint32_t u = 1; u <= in->n_stations; u++)
            if (set_has(instance_reach(in, c), u))
                l->n_clients[u] += in->weight[c];
    r->complete = is_small(l, scratch);
    for (uint32_t m = 0; m < r->n_relays && r->complete; m++)
        for (uint32_t c = 0; c < in->n_reach_classes; c++) {
            available(l, c, m, scratch);
            add_subsets(l, scratch, m, scratch + in->n_words);
        }
    if (!r->complete)
        add_meets(l, scratch, scratch + in->n_words);
    free(scratch);
    make_patterns(l);
    return l->full ? 0 : list_options(r);
}

int reshared_new(struct reshared *r, const struct plan *p, const struct instance *in,
                 struct hagg_err *err)
{
    struct listing l = { .r = r, .p = p };
    int status;

    *r = (struct reshared){ .in = in };
    if (in->n_reach_classes > MOST_CLASSES)
        return 0;
    status = copy_relays(&l, err);
    if (status == 0 && r->n_relays > 0)
        status = list(&l, err);
    free(l.within);
    free(l.rates);
    free(l.fees);
    free(l.n_clients);
    free(l.raw);
    if (status < 1)
        reshared_free(r);
    return status;
}

void reshared_free(struct reshared *r)
{
    free(r->relay_sets);
    free(r->sets);
    free(r->patterns);
    free(r->groups);
    free(r->begins);
    free(r->options);
    *r = (struct reshared){ 0 };
}

static int list_members(const uint64_t *set, uint32_t most, struct topology_list *list)
{
    list->numbers = malloc((most + (size_t)1) * sizeof *list->numbers);
    for (uint32_t i = 1; i <= most && list->numbers; i++)
        if (set_has(set, i))
            list->numbers[list->n++] = i;
    return list->numbers ? 0 : -1;
}

int reshared_side(const struct reshared *r, const uint32_t *of, struct side *side,
                  struct hagg_err *err)
{
    const struct instance *in = r->in;
    uint32_t *number = calloc(r->n_patterns + (size_t)1, sizeof *number); /* 1 + that of the side */
    int status = 0;

    *side = (struct side){
        .patterns = calloc(in->n_reach_classes * in->n_words, sizeof *side->patterns),
        .of = calloc(in->n_clients, sizeof *side->of),
        .relayed = calloc(in->n_reach_classes, sizeof *side->relayed),
    };
    if (!number || !side->patterns || !side->of || !side->relayed)
        status = -1;
    for (uint32_t c = 0; c < in->n_reach_classes && status == 0; c++) {
        const struct reshared_pattern *p = &r->patterns[of[c]];
        struct relayed *relayed = &side->relayed[side->n_patterns];

        if (number[of[c]] > 0)
            continue;
        memcpy(side->patterns + side->n_patterns * in->n_words, p->stations,
               in->n_words * sizeof *p->stations);
        number[of[c]] = (uint32_t)++side->n_patterns;
        status = list_members(p->stations, in->n_stations, &relayed->stations);
        if (status == 0)
            status = list_members(r->relay_sets + p->relays * r->n_relay_words,
                                  (uint32_t)r->n_relay_words * 64, &relayed->relays);
    }
    for (uint32_t i = 0; i < in->n_clients && status == 0; i++)
        side->of[i] = number[of[in->reach_class[i]]] - 1;
    free(number);
    if (status == 0)
        return 0;
    side_free(side);
    return err_errno(err, "no memory for a plan");
}
