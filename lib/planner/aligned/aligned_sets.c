#include "planner/aligned/aligned_sets.h"

#include <stdlib.h>
#include <string.h>

#include "planner/aligned/exhaust.h"
#include "planner/aligned/refine.h"
#include "sharing/blocks.h"
#include "topology/topology_resolve.h"

#define WORK       (UINT64_C(1) << 25) /* stations visited at level EFFORT_DEFAULT, in half a second */
#define NOISE      0.25
#define NEGLIGIBLE 1e-4
#define NODES      (UINT64_C(1) << 18) /* of the exhaustive search, in a quarter of a second */

struct finder {
    const struct network *net;
    struct effort *effort;
    struct selection best, work;
};

/* Keeps the selection in work if it is cheaper. */
static int keep_cheaper(struct finder *f, struct hagg_err *err)
{
    int usable = selection_settle(&f->work, err);

    if (usable == 1 && price_compare(f->work.price, f->best.price) < 0) {
        struct selection other = f->best;

        f->best = f->work;
        f->work = other;
    }
    return usable < 0 ? -1 : 0;
}

/* Searches from the best selection, with this number of segments. */
static int search(struct finder *f, uint32_t n_segments, uint64_t n_steps, double noise,
                  struct hagg_err *err)
{
    struct refine *r;

    selection_copy(&f->work, &f->best);
    f->work.n_segments = n_segments;
    r = refine_new(&f->work, err);
    if (!r)
        return -1;
    refine_run(r, n_steps, noise, f->effort);
    refine_free(r);
    return keep_cheaper(f, err);
}

/* Lists numbers of segments that suit few part counts, and the best one so far. */
#define MOST_CANDIDATES 16
static size_t list_candidates(const struct finder *f, uint32_t candidates[MOST_CANDIDATES])
{
    static const uint32_t known[] = { 12, 24, 60, 120, 840 };
    const struct network *net = f->net;
    size_t n = 0;

    candidates[n++] = f->best.n_segments;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t candidate = known[i] < net->most_segments ? known[i] : net->most_segments;
        bool listed = false;

        if (net->length > 0) /* the smallest number with segments of the same length */
            candidate = (uint32_t)blocks_segment_length(
                (uint32_t)blocks_segment_length(candidate, net->length), net->length);
        for (size_t k = 0; k < n; k++)
            listed = listed || candidates[k] == candidate;
        if (!listed)
            candidates[n++] = candidate;
    }
    return n;
}

static int search_level(struct finder *f, uint64_t n_steps, struct hagg_err *err)
{
    uint32_t candidates[MOST_CANDIDATES];
    size_t n = list_candidates(f, candidates);

    for (size_t i = 0; i < n; i++)
        if (search(f, candidates[i], n_steps / 2 / n, NOISE, err))
            return -1;
    for (int i = 0; i < 2; i++)
        if (search(f, f->best.n_segments, n_steps / 4, i == 0 ? NOISE : 0, err))
            return -1;
    return 0;
}

/* Orders stations by what they cost if all clients share over them: the price of a row of the
 * shares of all clients, and of the sum. */
static int compare_common(const void *x, const void *y, void *finder)
{
    const struct network *net = ((const struct finder *)finder)->net;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    network_amount n = net->topology->n_clients;
    network_amount price_a = n * network_receive(net, a) + network_send(net, a);
    network_amount price_b = n * network_receive(net, b) + network_send(net, b);

    return price_a != price_b ? (price_a > price_b ? 1 : -1) : (a > b) - (a < b);
}

/* The price if all clients share over the first parts + hidden of these stations, with as many
 * segments as parts, which is best then. */
static struct price common_price(const struct network *net, const uint32_t *stations,
                                 uint32_t parts)
{
    uint32_t n = parts + net->hidden;
    struct network_sent sent = { 0 };

    for (uint32_t c = 0; c < net->n_classes; c++)
        sent.rows += network_share_price(net, c, stations, parts);
    for (uint32_t i = 0; i < n; i++)
        sent.rows += net->up + network_send(net, stations[i]);
    /* as if relays passed sums on: with spare stations they do, and otherwise this is a hint */
    sent.rows += (network_amount)n * (net->topology->n_relays > 0 ? net->relay_up : 0);
    return price_new(net, parts, sent, 0, 1);
}

/* The part count with the lowest price, if all clients have this one and as many segments. */
static uint32_t best_common(const struct network *net, const uint32_t *stations, uint32_t most)
{
    struct price least = { 0 };
    uint32_t best = 0;

    if (most > net->most_segments)
        most = net->most_segments;
    for (uint32_t v = net->parts[most]; v > 0; v = net->parts[v - 1]) {
        struct price price = common_price(net, stations, v);

        if (best == 0 || price_compare(price, least) < 0) {
            best = v;
            least = price;
        }
    }
    return best;
}

/* Tries the same stations for all clients, which needs no masks. */
static int try_common(struct finder *f, struct hagg_err *err)
{
    const struct network *net = f->net;
    uint32_t *common = calloc(net->n_stations + (size_t)1, sizeof *common), n = 0, v;

    if (!common)
        return err_errno(err, "no memory to plan");
    for (uint32_t c = 0; c < net->n_classes; c++)
        for (size_t i = 0; i < network_reach(net, c)->n; i++)
            common[network_reach(net, c)->numbers[i]]++;
    for (uint32_t u = 1; u <= net->n_stations; u++)
        if (common[u] == net->n_classes)
            common[n++] = u; /* n < u, so this count is not needed any more */
    qsort_r(common, n, sizeof *common, compare_common, f);
    v = n > net->hidden ? best_common(net, common, n - net->hidden) : 0;
    for (uint32_t c = 0; c < net->n_classes && v > 0; c++) {
        f->work.parts[c] = v;
        memcpy(selection_stations(&f->work, c), common, (v + net->hidden) * sizeof *common);
    }
    free(common);
    return v > 0 ? keep_cheaper(f, err) : 0;
}

/* Returns true if the search has seen the exact price of every plan: it overestimates that of masks
 * with seeds, and does not choose couriers, nor which shares are seeds. If stations pay different
 * prices for receiving, those that get no masks are not always those that it would cost most to
 * send them, so fewer rows can cost more. Prices of relays are not considered by try_common. */
static bool is_exact(const struct network *net)
{
    return !net->topology->computational && !net->has_couriers &&
           !(net->pays && topology_has_seeds(net->topology)) && !net->relay_pays &&
           (net->topology->full || net->colluding == 0 || !net->receive_differs);
}

/* Searches all selections of a small network. */
static int prove(struct finder *f, uint64_t n_nodes, bool *proved, struct hagg_err *err)
{
    struct price least;
    int searched;

    selection_copy(&f->work, &f->best);
    f->work.n_segments = f->best.n_segments;
    f->work.price = f->best.price;
    searched = exhaust_find(&f->work, n_nodes, f->effort, &least, err);
    if (searched < 0 || keep_cheaper(f, err))
        return -1;
    *proved = searched == 1 && price_compare(f->best.price, least) <= 0 && is_exact(f->net);
    return 0;
}

/* Returns true if no choice costs much less: clients cannot have more parts, and this is nearly all
 * that the plan costs. */
static bool is_near_bound(const struct finder *f)
{
    const struct network *net = f->net;
    double clients = 0, price = (double)f->best.price.amount / (double)f->best.price.unit;
    uint64_t receive = UINT64_MAX;

    for (uint32_t u = 1; u <= net->n_stations; u++)
        receive = network_receive(net, u) < receive ? network_receive(net, u) : receive;
    for (uint32_t c = 0; c < net->n_classes; c++)
        clients +=
            (double)net->weight[c] * (1 + (double)net->beyond[c] / network_most_parts(net, c));
    clients *= (double)(net->into + receive);
    return price < clients * (net->length > 0 ? (double)net->length : 1) * (1 + NEGLIGIBLE);
}

/* What a level does depends on the levels before it only, and the best selection is replaced only
 * by cheaper ones. So more effort never results in a more expensive selection. */
static int find(struct finder *f, bool *proved, struct hagg_err *err)
{
    struct effort at = { .level = 0 };

    if (selection_settle(&f->best, err) < 0 || try_common(f, err))
        return -1;
    if (is_near_bound(f))
        return 0;
    progress_expect(f->effort->progress, WORK >> 2 * (EFFORT_DEFAULT - 1));
    do {
        /* the levels above 1, now that the search will not end with the first */
        if (++at.level == 2)
            progress_expect(f->effort->progress, effort_budget(f->effort, WORK) * 4 / 3);
        if (search_level(f, effort_budget(&at, WORK), err) ||
            prove(f, effort_budget(&at, NODES), proved, err))
            return -1;
    } while (at.level < f->effort->level && !*proved && effort_may_continue(f->effort));
    return 0;
}

static int copy_list(struct topology_list *to, const uint32_t *numbers, size_t n)
{
    to->numbers = malloc((n + 1) * sizeof *to->numbers);
    if (!to->numbers)
        return -1;
    memcpy(to->numbers, numbers, n * sizeof *numbers);
    to->n = n;
    topology_sort(to);
    return 0;
}

static int apply(struct topology *t, const struct selection *s)
{
    for (uint32_t c = 0; c < s->net->n_classes; c++) {
        struct topology_group *g = &t->groups[c];
        uint32_t n = s->parts[c] + s->net->hidden;

        if (n < topology_reach(g)->n && copy_list(&g->shares, selection_stations(s, c), n))
            return -1;
    }
    t->segments = s->n_segments;
    return s->masks.n_dealers > 0
               ? copy_list(&t->dealers, s->ranked + s->masks.n_bare, s->masks.n_dealers)
               : 0;
}

/* What a topology without a plan gets. */
static void discard_defaults(struct topology *t)
{
    free(t->dealers.numbers);
    t->dealers = (struct topology_list){ 0 };
    t->segments = 0;
}

int aligned_sets_choose(struct plan *p, struct effort *effort, struct planner_certainty *certainty,
                        struct hagg_err *err)
{
    struct network net;
    struct finder f = { .net = &net, .effort = effort };
    int status;

    *certainty = (struct planner_certainty){ 0 };
    if (network_new(&net, p, p->topology.segments, err))
        return -1;
    status = selection_new(&f.best, &net, err) || selection_new(&f.work, &net, err) ? -1 : 0;
    if (status == 0)
        status = find(&f, &certainty->proved, err);
    if (status == 0) {
        discard_defaults(&p->topology);
        status = apply(&p->topology, &f.best) ? err_errno(err, "no memory to plan") : 0;
    }
    selection_free(&f.best);
    selection_free(&f.work);
    network_free(&net);
    return status == 0 ? plan_settle(p, err) : -1;
}

int aligned_sets_check_relays(const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    if (t->n_relays == 0 || t->drop_relays == 0)
        return 0;
    for (size_t g = 0; g < t->n_groups; g++)
        for (size_t i = 0; i < topology_reach(&t->groups[g])->n; i++) {
            uint32_t station = topology_reach(&t->groups[g])->numbers[i];
            size_t n = t->station_via[station - 1].n;

            if (n <= t->drop_relays)
                return err_set(err, HAGG_E_MALFORMED,
                               "%s: station %u reaches %zu relay%s, and %u may be missing: let it "
                               "reach more relays, or let fewer be missing",
                               p->name, station, n, n == 1 ? "" : "s", t->drop_relays);
        }
    return 0;
}
