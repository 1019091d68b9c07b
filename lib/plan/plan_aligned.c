#include "plan/plan_aligned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_promises.h"
#include "topology/topology_tolerate.h"

/* Segments if nobody chose their number. Many divisors, so that most part counts divide it; more
 * segments waste less in last blocks, but need more matrices. */
#define DEFAULT_SEGMENTS 840u
/* Segments times stations: a plan of a few bytes must not need gigabytes. */
#define MAX_VALUES (1u << 25)

/* Of numbers below this, no more than LIMIT_COUNTS are such that none divides another. */
#define FEW_SEGMENTS (2u * LIMIT_COUNTS)

/* By holder and part count: whether clients with this part count use it. */
struct part_marks {
    uint64_t *words;
    size_t n_words; /* of a holder */
    uint32_t most;  /* largest part count */
};

static int no_memory(const struct plan *p, struct hagg_err *err)
{
    return err_errno(err, "%s", p->name);
}

static const struct topology_list *stations_of(const struct plan_aligned *a, size_t class)
{
    return a->classes.routes[class].lists[0];
}

static int find_stations(struct plan_aligned *a, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    a->holder_of = calloc(t->n_stations + (size_t)1, sizeof *a->holder_of);
    a->stations.numbers = calloc(t->n_stations + (size_t)1, sizeof *a->stations.numbers);
    if (!a->holder_of || !a->stations.numbers)
        return no_memory(p, err);
    for (size_t c = 0; c < a->classes.n; c++)
        for (size_t i = 0; i < stations_of(a, c)->n; i++)
            a->holder_of[stations_of(a, c)->numbers[i]] = 1;
    for (uint32_t u = 0; u <= t->n_stations; u++) {
        bool used = a->holder_of[u] == 1;

        a->holder_of[u] = used ? (uint32_t)a->stations.n : UINT32_MAX;
        if (used)
            a->stations.numbers[a->stations.n++] = u;
    }
    return 0;
}

static bool marks_have(const struct part_marks *m, uint32_t holder, uint32_t parts)
{
    return m->words[holder * m->n_words + parts / 64] >> parts % 64 & 1;
}

static int mark_parts(struct part_marks *m, const struct plan_aligned *a, const struct plan *p,
                      struct hagg_err *err)
{
    for (size_t c = 0; c < a->classes.n; c++)
        m->most = a->parts[c] > m->most ? a->parts[c] : m->most;
    m->n_words = m->most / 64 + 1;
    m->words = calloc((a->stations.n + 1) * m->n_words, sizeof *m->words);
    if (!m->words)
        return no_memory(p, err);
    for (size_t c = 0; c < a->classes.n; c++)
        for (size_t i = 0; i < stations_of(a, c)->n; i++) {
            size_t holder = a->holder_of[stations_of(a, c)->numbers[i]];

            m->words[holder * m->n_words + a->parts[c] / 64] |= UINT64_C(1) << a->parts[c] % 64;
        }
    return 0;
}

/* Returns true if a station has more different part counts than a record may have. */
static bool marks_are_many(const struct part_marks *m, const struct plan_aligned *a)
{
    bool many = false;

    for (size_t holder = 0; holder < a->stations.n; holder++) {
        uint32_t n = 0;

        for (size_t i = 0; i < m->n_words; i++)
            n += (uint32_t)__builtin_popcountll(m->words[holder * m->n_words + i]);
        many = many || n > LIMIT_COUNTS;
    }
    return many;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* Returns a number of segments near n, so that promises hold for vectors of this length. */
static uint64_t filled(uint64_t n, uint64_t length, uint32_t most)
{
    if (length <= most && length % n != 0)
        return length;
    while (!plan_promises_fill_little(length, (uint32_t)n))
        n--;
    return n;
}

/* The least number that all part counts divide, if it is small enough; limited by the number of
 * points of the field and by the length of the vectors. */
static uint32_t default_segments(const struct plan_aligned *a, const struct plan *p,
                                 const struct part_marks *m)
{
    const struct topology *t = &p->topology;
    uint64_t n = 1, points = p->field->info.order;
    uint32_t most = marks_are_many(m, a) ? FEW_SEGMENTS : DEFAULT_SEGMENTS;

    for (size_t c = 0; c < a->classes.n && n <= most; c++)
        n = n / gcd(n, a->parts[c]) * a->parts[c];
    if (points > t->n_stations && most > points - t->n_stations)
        most = (uint32_t)(points - t->n_stations);
    if (most > MAX_VALUES / t->n_stations)
        most = MAX_VALUES / t->n_stations;
    if (n > most)
        n = most;
    if (t->length > 0 && n > t->length + t->samples)
        n = t->length + t->samples;
    if (t->length > 0 && t->n_tolerated > 0)
        n = filled(n, t->length + t->samples, most);
    return (uint32_t)n;
}

static int settle_segments(struct plan_aligned *a, struct plan *p, const struct part_marks *m,
                           struct hagg_err *err)
{
    struct topology *t = &p->topology;
    size_t size = field_elem_size(p->field);

    a->points = calloc(a->stations.n + 1, size);
    if (!a->points)
        return no_memory(p, err);
    if (t->segments == 0)
        t->segments = default_segments(a, p, m);
    a->sharing = (struct aligned){
        .field = p->field,
        .n_segments = t->segments,
        .n = (uint32_t)a->stations.n,
        .k = (uint32_t)a->stations.n - topology_spares(t, 0),
        .z = topology_colluders(t, 0),
        .points = a->points,
    };
    if (p->field->info.order < (uint64_t)t->segments + t->n_stations)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: field '%s' has too few points for %u segments and %u stations: use a "
                       "larger one or fewer segments",
                       p->name, t->field, t->segments, t->n_stations);
    if ((uint64_t)t->segments * a->stations.n > MAX_VALUES)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: %u segments are too many for %zu stations: use at most %zu", p->name,
                       t->segments, a->stations.n, MAX_VALUES / a->stations.n);
    for (size_t i = 0; i < a->stations.n; i++)
        hagg_store(a->points, i, size, aligned_point(t->segments, a->stations.numbers[i]));
    return 0;
}

/* Removes the part counts that add no cuts: multiples of others, and those beyond the segments. */
static void remove_redundant(struct blocks *b, uint32_t *counts)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n_counts; i++) {
        bool redundant = n > 0 && counts[i] >= b->n_segments;

        for (size_t j = 0; j < n && !redundant; j++)
            redundant = counts[i] % counts[j] == 0;
        if (!redundant)
            counts[n++] = counts[i];
    }
    b->n_counts = n;
}

/* Sets the blocks of a holder from the marks of its part counts. cuts is scratch, one byte per
 * segment. */
static int set_blocks(struct plan_aligned *a, const struct plan *p, uint32_t holder,
                      const struct part_marks *m, bool *cuts, struct hagg_err *err)
{
    struct blocks *b = &a->blocks[holder];
    uint32_t *counts = a->counts[holder] = calloc(m->most + (size_t)1, sizeof *counts);

    if (!counts)
        return no_memory(p, err);
    *b = (struct blocks){ .n_segments = a->sharing.n_segments, .counts = counts };
    for (uint32_t v = 1; v <= m->most; v++)
        if (marks_have(m, holder, v))
            counts[b->n_counts++] = v;
    if (b->n_counts > LIMIT_COUNTS)
        remove_redundant(b, counts);
    if (b->n_counts > LIMIT_COUNTS)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: clients of station %u have more than %d different part counts: choose "
                       "station sets with hagg-plan, or use at most %u segments",
                       p->name, a->stations.numbers[holder], LIMIT_COUNTS, FEW_SEGMENTS);
    memset(cuts, 0, b->n_segments * sizeof *cuts);
    for (size_t i = 0; i < b->n_counts; i++)
        for (uint64_t cut = 0; cut < b->n_segments; cut += counts[i])
            cuts[cut] = true;
    for (uint32_t i = 0; i < b->n_segments; i++)
        a->n_rows[holder] += cuts[i];
    return 0;
}

static int find_blocks(struct plan_aligned *a, const struct plan *p, const struct part_marks *m,
                       struct hagg_err *err)
{
    bool *cuts = calloc(a->sharing.n_segments, sizeof *cuts);
    int status = 0;

    a->blocks = calloc(a->stations.n + 1, sizeof *a->blocks);
    a->n_rows = calloc(a->stations.n + 1, sizeof *a->n_rows);
    a->bare = calloc(a->stations.n + 1, sizeof *a->bare);
    a->counts = calloc(a->stations.n + 1, sizeof *a->counts);
    if (!cuts || !a->blocks || !a->n_rows || !a->bare || !a->counts)
        status = no_memory(p, err);
    for (uint32_t i = 0; i < a->stations.n && status == 0; i++)
        status = set_blocks(a, p, i, m, cuts, err);
    free(cuts);
    return status;
}

/* Returns the holder with the most rows, the first of several, for which taken is false. */
static uint32_t find_largest(const struct plan_aligned *a, const bool *taken)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        if (!taken[i] && (best == UINT32_MAX || a->n_rows[i] > a->n_rows[best]))
            best = i;
    return best;
}

/* Under full collusion all stations deal by default. Under partial collusion one is enough, plus
 * those that may be missing: the ones that would get the longest masks. */
static int settle_dealers(struct plan_aligned *a, struct plan *p, bool *taken, struct hagg_err *err)
{
    struct topology *t = &p->topology;
    uint32_t n = t->full ? a->sharing.n : topology_spares(t, 0) + 1;

    for (size_t i = 0; i < t->dealers.n; i++)
        taken[a->holder_of[t->dealers.numbers[i]]] = true;
    /* with one class the sums are the shares of the total, and there is nothing to hide */
    if (t->dealers.n > 0 || a->classes.n == 1)
        return 0;
    t->dealers.numbers = calloc(n, sizeof *t->dealers.numbers);
    if (!t->dealers.numbers)
        return no_memory(p, err);
    while (t->dealers.n < n) {
        uint32_t holder = t->full ? (uint32_t)t->dealers.n : find_largest(a, taken);

        taken[holder] = true;
        t->dealers.numbers[t->dealers.n++] = a->stations.numbers[holder];
    }
    return 0;
}

/* Under partial collusion z stations need no mask: the clients' random vectors hide that many
 * values. */
static int settle_masks(struct plan_aligned *a, struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    bool *taken = calloc(a->stations.n + 1, sizeof *taken);
    int status = taken ? settle_dealers(a, p, taken, err) : no_memory(p, err);

    for (uint32_t i = 0; status == 0 && !t->full && t->dealers.n > 0 && i < a->sharing.z; i++) {
        uint32_t holder = find_largest(a, taken);

        if (holder == UINT32_MAX)
            break;
        taken[holder] = a->bare[holder] = true;
    }
    if (status == 0 && t->dealers.n > 0)
        a->chunks = (uint32_t)t->dealers.n - topology_colluding_dealers(t) - topology_spares(t, 0);
    free(taken);
    return status;
}

/* Every client needs one part. All stations in use hold the sharing of the total, so their number
 * counts for one total per round. */
static int check_sizes(const struct plan_aligned *a, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t z = topology_tolerate_most(t), spares = topology_spares(t, 0),
             dealers = topology_colluding_dealers(t);

    for (size_t c = 0; c < a->classes.n; c++)
        if (stations_of(a, c)->n <= (uint64_t)z + spares)
            return topology_too_few(t, p->name, stations_of(a, c)->n, "station", z, spares,
                                    (uint64_t)z + spares + 1, err);
    if (t->dealers.n > 0 && t->dealers.n <= (uint64_t)dealers + spares)
        return topology_too_few(t, p->name, t->dealers.n, "dealer", dealers, spares,
                                (uint64_t)dealers + spares + 1, err);
    return topology_check_holders(t, 0, a->stations.n, p->name, err);
}

/* For vectors of that many segments; 0: not known yet. */
static int set_parts(struct plan_aligned *a, const struct plan *p, uint32_t segments,
                     struct hagg_err *err)
{
    if (plan_promises_randoms(a->randoms, &a->classes, p, segments, err))
        return -1;
    for (size_t c = 0; c < a->classes.n; c++)
        a->parts[c] =
            (uint32_t)stations_of(a, c)->n - a->randoms[c] - topology_spares(&p->topology, 0);
    return 0;
}

static int find_parts(struct plan_aligned *a, const struct plan *p, struct hagg_err *err)
{
    a->parts = calloc(a->classes.n + 1, sizeof *a->parts);
    a->randoms = calloc(a->classes.n + 1, sizeof *a->randoms);
    if (!a->parts || !a->randoms)
        return no_memory(p, err);
    return set_parts(a, p, 0, err);
}

/* The last block may be short and reveals as much as the others, so promises about more colluding
 * stations may need fewer parts than without regard to segments. */
static int find_parts_again(struct plan_aligned *a, const struct plan *p, struct part_marks *m,
                            struct hagg_err *err)
{
    if (p->topology.n_tolerated == 0)
        return 0;
    if (set_parts(a, p, p->topology.segments, err))
        return -1;
    free(m->words);
    *m = (struct part_marks){ 0 };
    return mark_parts(m, a, p, err);
}

int plan_aligned_new(struct plan_aligned **made, struct plan *p, struct hagg_err *err)
{
    struct plan_aligned *a = calloc(1, sizeof *a);
    const struct topology *t = &p->topology;
    struct part_marks marks = { 0 };
    int status = -1;

    *made = NULL;
    if (!a)
        return no_memory(p, err);
    if (plan_patterns_new(&a->classes, p, PLAN_SHARES, 0, err) == 0 &&
        find_stations(a, p, err) == 0 && check_sizes(a, p, err) == 0 &&
        find_parts(a, p, err) == 0 && mark_parts(&marks, a, p, err) == 0 &&
        settle_segments(a, p, &marks, err) == 0 && find_parts_again(a, p, &marks, err) == 0 &&
        find_blocks(a, p, &marks, err) == 0)
        status = settle_masks(a, p, err) ||
                         (t->length > 0 && plan_promises_check_length(p, &a->classes, a->randoms,
                                                                      t->length + t->samples, err))
                     ? -1
                     : 0;
    free(marks.words);
    if (status == 0)
        *made = a;
    else
        plan_aligned_free(a);
    return status;
}

int plan_aligned_renew(struct plan *p, struct hagg_err *err)
{
    struct topology *t = &p->topology;

    if (t->segments_line == 0)
        t->segments = 0;
    if (t->dealers_line == 0) {
        free(t->dealers.numbers);
        t->dealers = (struct topology_list){ 0 };
    }
    plan_aligned_free(p->aligned);
    return plan_aligned_new(&p->aligned, p, err);
}

void plan_aligned_free(struct plan_aligned *a)
{
    if (!a)
        return;
    for (size_t i = 0; a->counts && i < a->stations.n; i++)
        free(a->counts[i]);
    free(a->counts);
    free(a->points);
    free(a->stations.numbers);
    free(a->holder_of);
    plan_patterns_free(&a->classes);
    free(a->parts);
    free(a->randoms);
    free(a->blocks);
    free(a->n_rows);
    free(a->bare);
    free(a);
}

uint64_t plan_aligned_fewest_dealers(const struct plan *p)
{
    return p->aligned->chunks == 0
               ? 0
               : (uint64_t)p->aligned->chunks + topology_colluding_dealers(&p->topology);
}

size_t plan_aligned_dealer(const struct plan *p, uint32_t station)
{
    const struct topology_list *dealers = &p->topology.dealers;
    size_t i = 0;

    while (i < dealers->n && dealers->numbers[i] != station)
        i++;
    return i;
}

void plan_aligned_describe(const struct plan *p, uint32_t holder, struct header *h)
{
    const struct plan_aligned *a = p->aligned;

    h->n_segments = a->sharing.n_segments;
    h->scheme = (struct header_scheme){
        .n = a->sharing.n,
        .k = a->sharing.k,
        .z = a->sharing.z,
        .index = holder,
        .has_point = true,
        .point = aligned_point(a->sharing.n_segments, a->stations.numbers[holder]),
    };
    memcpy(h->scheme.name, p->topology.scheme, sizeof h->scheme.name);
}

struct header_tier plan_aligned_route(const struct plan *p)
{
    const struct topology_list *stations = &p->aligned->stations;
    struct header_tier tier = { .numbers = stations->numbers, .n_numbers = stations->n };

    snprintf(tier.name, sizeof tier.name, "%s", plan_tier_name(0));
    return tier;
}

uint32_t plan_aligned_holders(const struct plan_aligned *a, size_t class, uint32_t *holders)
{
    const struct topology_list *list = stations_of(a, class);

    for (size_t i = 0; i < list->n; i++)
        holders[i] = a->holder_of[list->numbers[i]];
    return (uint32_t)list->n;
}

int plan_aligned_basis(const struct plan_aligned *a, const struct rangeset *stations,
                       struct lagrange *l, uint32_t *places, struct hagg_err *err)
{
    size_t size = field_elem_size(a->sharing.field);
    unsigned char *points = calloc(a->sharing.n, size);
    uint32_t n = 0;
    int status;

    if (!points)
        return err_errno(err, "no memory for %u points", a->sharing.n);
    for (uint32_t i = 0; i < a->sharing.n; i++) {
        uint32_t station = a->stations.numbers[i];

        if (rangeset_overlap(stations, station, station) == 0)
            continue;
        memcpy(points + n * size, a->points + i * size, size);
        places[i] = n++;
    }
    status = lagrange_new(l, a->sharing.field, points, n, err);
    free(points);
    return status;
}
