#include "aggregate/aggregate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/aggregate_aligned.h"
#include "aggregate/aggregate_complete.h"
#include "aggregate/aggregate_remember.h"
#include "aggregate/aggregate_state.h"
#include "records/agree.h"

static bool is_node(const struct header_node *node, const char *tier, uint32_t number)
{
    return node->number == number && strcmp(node->tier, tier) == 0;
}

static void set_node(struct header_node *node, const char *tier, uint32_t number)
{
    *node = (struct header_node){ .number = number };
    snprintf(node->tier, sizeof node->tier, "%s", tier);
}

/* Addresses a share that has reached its holder to the next tier of its route, or to the federator.
 * A share that is to be transformed stays with its holder. */
static void forward_share(const struct plan *plan, struct header *h)
{
    uint32_t index = h->scheme.index;

    if (!is_node(&h->to, h->route[0].name, h->route[0].numbers[index]))
        return;
    h->from = h->to;
    if (plan && plan_transforms(plan, h))
        return;
    if (h->n_route == 1) {
        set_node(&h->to, "federator", 1);
        return;
    }
    free(h->route[0].numbers);
    h->n_route--;
    memmove(h->route, h->route + 1, h->n_route * sizeof *h->route);
    set_node(&h->to, h->route[0].name, h->route[0].numbers[index]);
}

/* Returns true if this is a station that sends its sum of keys to another station. */
static bool is_inside_chain(const struct aggregate *a)
{
    uint32_t station = a->options->station;

    return a->round && station > 0 && protocol_key_hop(a->round, station).tier == NODE_STATION;
}

/* Returns the node that sends the sum of keys in the clear; number 0 if it is not known. A process
 * that plays several nodes of a plan with identities is the relay that the total was sent to, or
 * the last station of the chain: it has the keys of all clients. */
static struct node key_sender(const struct aggregate *a, const struct header_node *to)
{
    const struct aggregate_options *o = a->options;
    struct node last = { NODE_STATION, o->station };

    if (o->relay > 0 || strcmp(to->tier, node_tier_name(NODE_RELAY)) == 0)
        return (struct node){ NODE_RELAY, o->relay > 0 || !o->opener ? o->relay : to->number };
    if (o->station == 0 && o->opener)
        last.number = o->plan->topology.n_stations;
    while (o->station == 0 && last.number > 1 && !protocol_has(a->round, last))
        last.number--;
    return last;
}

/* Addresses a sum of keys in the clear to the next node of the chain. Without a plan, or if neither
 * station nor relay is given, the sum has neither sender nor addressee, unless it is sealed. */
static void forward_key(const struct aggregate *a, struct header *h)
{
    const struct aggregate_options *o = a->options;
    struct node from = { NODE_STATION, 0 }, to = NODE_THE_FEDERATOR;

    if (a->round)
        from = key_sender(a, &h->to);
    h->from = (struct header_node){ 0 };
    h->to = (struct header_node){ 0 };
    if (from.number == 0)
        return;
    if (from.tier == NODE_STATION)
        to = protocol_key_hop(a->round, from.number);
    if (to.tier == NODE_RELAY && o->via > 0)
        to.number = o->via;
    h->from = node_in_header(from);
    h->to = node_in_header(to);
}

/* Makes the header of the sum. */
static int sum_header(const struct aggregate *a, const struct aggregate_sum *g, struct header *h,
                      struct hagg_err *err)
{
    if (agree_copy_known(h, &g->header, err))
        return -1;
    h->has_id = g->has_id;
    memcpy(h->id, g->id, sizeof h->id);
    h->has_mix = g->has_mix;
    memcpy(h->mix, g->mix, sizeof h->mix);
    if (h->n_clients > 0) {
        free(h->clients);
        h->clients = NULL;
        h->n_clients = 0;
        if (contributors_ranges(&g->clients, &h->clients, &h->n_clients, err))
            return -1;
    }
    if (h->kind == HEADER_SHARE)
        forward_share(a->options->plan, h);
    else
        forward_key(a, h);
    return 0;
}

/* One block of a sum. Each thread adds up some of the members. */
struct block_job {
    struct aggregate *a;
    struct aggregate_sum *g;
    unsigned char *sum; /* of the first thread */
    size_t n, n_threads;
    struct hagg_err *errs; /* one per thread */
};

static unsigned char *block_of(const struct aggregate *a, size_t thread)
{
    return a->block + 2 * thread * AGGREGATE_BLOCK_BYTES;
}

static unsigned char *sum_of(const struct block_job *j, size_t thread)
{
    return thread == 0 ? j->sum : block_of(j->a, thread);
}

static void add_some_members(void *job, size_t thread)
{
    struct block_job *j = job;
    unsigned char *block = block_of(j->a, thread) + AGGREGATE_BLOCK_BYTES;

    for (size_t i = thread; i < j->g->n_members; i += j->n_threads)
        if (stored_add(&j->g->members[i], &j->a->files, j->a->field, sum_of(j, thread), block, j->n,
                       &j->errs[thread]))
            return;
}

/* Adds the next elements of every member to the sum. */
static int add_members(struct block_job *j, struct hagg_err *err)
{
    const struct field *f = j->a->field;

    for (size_t t = 1; t < j->n_threads; t++)
        memset(sum_of(j, t), 0, j->n * field_elem_size(f));
    parallel_run(j->a->options->pool, add_some_members, j, j->n_threads);
    for (size_t t = 0; t < j->n_threads; t++) {
        if (j->errs[t].status) {
            *err = j->errs[t];
            return -1;
        }
        if (t > 0)
            field_add(f, j->sum, j->sum, sum_of(j, t), j->n);
    }
    return 0;
}

int aggregate_next(struct aggregate *a, struct aggregate_sum *g, uint64_t at, size_t n, void *sum,
                   struct hagg_err *err)
{
    struct block_job job = { a, g, sum, n, parallel_threads(a->options->pool), NULL };
    size_t size = field_elem_size(a->field);
    int status;

    if (job.n_threads > g->n_members)
        job.n_threads = g->n_members > 0 ? g->n_members : 1;
    job.errs = calloc(job.n_threads, sizeof *job.errs);
    if (!job.errs)
        return err_errno(err, "no memory for a sum");
    if (g->from_pipes)
        memcpy(sum, g->from_pipes + at * size, n * size);
    else
        memset(sum, 0, n * size);
    status = add_members(&job, err);
    progress_add(a->options->progress, n * size * g->n_members);
    free(job.errs);
    return status;
}

int aggregate_copy(struct aggregate *a, struct aggregate_sum *g,
                   const struct selection_symbols *symbols, struct writer *w, struct hagg_err *err)
{
    size_t size = field_elem_size(a->field), max = AGGREGATE_BLOCK_BYTES / size;
    unsigned char *sum = block_of(a, 0);
    uint64_t at = 0;

    max -= max % symbols->n_symbols; /* whole columns */
    /* at least once, so that digests are verified even for empty vectors */
    do {
        size_t n = g->n_elems - at < max ? (size_t)(g->n_elems - at) : max;

        if (aggregate_next(a, g, at, n, sum, err) ||
            writer_elems(w, sum, selection_keep(symbols, sum, n, size), err))
            return -1;
        at += n;
    } while (at < g->n_elems);
    return writer_end(w, err);
}

static int write_sum(struct aggregate *a, struct aggregate_sum *g, struct outfiles *out,
                     struct hagg_err *err)
{
    struct selection_symbols symbols;
    struct hagg_err cause = { 0 };
    struct header h = { 0 };
    uint64_t n_elems;
    struct writer *w;
    int status = -1;

    if (selection_choose(a->selection, &g->header, &symbols, &cause))
        return cause.status == HAGG_E_TOO_FEW
                   ? err_set(err, cause.status, "%s", cause.text)
                   : err_set(err, cause.status, "%s: %s", filecache_name(&a->files, g->file),
                             cause.text);
    if (symbols.first >= symbols.end) {
        a->n_sent_before++;
        return 0;
    }
    if (g->n_elems % symbols.n_symbols)
        return err_set(err, HAGG_E_MALFORMED, "%s: has %llu elements, not a multiple of %u symbols",
                       filecache_name(&a->files, g->file), (unsigned long long)g->n_elems,
                       symbols.n_symbols);
    n_elems = g->n_elems / symbols.n_symbols * (symbols.end - symbols.first);
    if (sum_header(a, g, &h, err) == 0) {
        if (symbols.end - symbols.first < symbols.n_symbols)
            h.symbols = (struct header_symbols){ symbols.first, symbols.end };
        if ((w = outfiles_writer(out, h.to.number, err)) &&
            writer_begin(w, &h, field_elem_size(a->field), n_elems, err) == 0 &&
            aggregate_report_add(a, &h, err) == 0)
            status = aggregate_copy(a, g, &symbols, w, err);
    }
    header_clear(&h);
    return status;
}

/* Returns true for keys in the clear, which are sent along the chain. */
static bool is_whole_key(const struct aggregate_sum *g)
{
    return g->header.secret == HEADER_KEY && g->header.kind == HEADER_VECTOR;
}

/* Finds the clients whose keys must be in the sum: all that take part, or, for a station inside the
 * chain, those that send their keys to it or to a station before it. */
static int due_keys(const struct aggregate *a, struct rangeset *due, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    const struct topology *t = &o->plan->topology;
    uint32_t last = is_inside_chain(a) ? o->station : t->n_stations;

    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_client *c = &t->clients[i];

        if (protocol_has(a->round, (struct node){ NODE_CLIENT, c->number }) &&
            plan_key_station(&t->groups[c->group]) <= last &&
            rangeset_add(due, c->number, c->number, err))
            return -1;
    }
    return 0;
}

/* Checks that no key is missing from a sum of keys in the clear. With the sum of fewer keys, the
 * federator could decode a part of the sums. */
static int check_keys(const struct aggregate *a, const struct aggregate_sum *g,
                      struct hagg_err *err)
{
    struct rangeset due = { 0 };
    struct header_range *ranges = NULL, missing;
    bool is_due;
    size_t n = 0;
    int status;

    if (!a->options->plan)
        return 0;
    status = due_keys(a, &due, err);
    if (status == 0)
        status = contributors_ranges(&g->clients, &ranges, &n, err);
    if (status == 0 && rangeset_difference(due.ranges, due.n, ranges, n, &missing, &is_due))
        status =
            is_due
                ? err_set(err, HAGG_E_TOO_FEW,
                          "the key of client %u is missing: get it%s add the sum from the previous "
                          "station%s",
                          missing.first, a->options->has_roster ? " or" : ",",
                          a->options->has_roster ? ""
                                                 : ", or agree on the clients with hagg-roster "
                                                   "and use --roster")
                : err_set(err, HAGG_E_MISMATCH,
                          "the key of client %u is sent to a later station in the plan",
                          missing.first);
    rangeset_free(&due);
    free(ranges);
    return status;
}

/* A station sends keys to the next station and sums of shares elsewhere, where the keys must not be
 * seen, so they must not be in one file. The total of the keys is exempt, because it is sent to the
 * federator in the end. Sums for different relays must not be in one file either. */
static int check_apart(const struct aggregate *a, const struct outfiles *out, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    bool last = o->plan && !is_inside_chain(a);
    bool keys = false, shares = false, onward = false;
    uint32_t relay = 0; /* destination of the sums; UINT32_MAX if there are several */

    if (o->station == 0)
        return 0;
    for (const struct aggregate_sum *g = a->sums; g; g = g->next) {
        *(is_whole_key(g) ? &keys : &shares) = true;
        if (g->header.n_route > 1) {
            uint32_t to = g->header.route[1].numbers[g->header.scheme.index];

            relay = !onward || relay == to ? to : UINT32_MAX;
            onward = true;
        }
    }
    if (relay == UINT32_MAX && outfiles_is_single(out))
        return err_set(err, HAGG_E_PRIVACY,
                       "sums go to different relays: use {} in -o for the number of the relay");
    /* {} does not help if sums are sent to relays: relay and next station may have the same
     * number */
    if (!last && keys && shares && (onward || outfiles_is_single(out)))
        return err_set(
            err, HAGG_E_PRIVACY,
            "keys and shares have different destinations: use --only keys or --only shares%s",
            onward ? "" : ", or {} in -o");
    return 0;
}

size_t aggregate_n_skipped(const struct aggregate *a)
{
    size_t n = 0;

    for (const struct aggregate_sum *g = a->sums; g; g = g->next)
        n += g->skipped;
    return n;
}

size_t aggregate_n_sent_before(const struct aggregate *a)
{
    return a->n_sent_before;
}

size_t aggregate_n_standing_by(const struct aggregate *a)
{
    return a->n_standing_by;
}

/* Checks that the sums may be written and, if there are none, that none were expected. */
static int check(struct aggregate *a, const struct outfiles *out, struct hagg_err *err)
{
    if (check_apart(a, out, err) || aggregate_check_complete(a, a->round, err))
        return -1;
    if (!a->sums && aggregate_check_nothing(a, err))
        return -1;
    for (struct aggregate_sum *g = a->sums; g; g = g->next)
        if (is_whole_key(g) && check_keys(a, g, err))
            return -1;
    return 0;
}

int aggregate_write(struct aggregate *a, struct outfiles *out, struct hagg_err *err)
{
    if (a->options->plan && a->options->plan->topology.aligned)
        return aggregate_write_aligned(a, out, err);
    if (check(a, out, err) || aggregate_check_state(a, err))
        return -1;
    outfiles_set_gate(out, aggregate_remember, a);
    for (struct aggregate_sum *g = a->sums; g; g = g->next)
        if (!g->skipped)
            progress_expect(a->options->progress,
                            g->n_elems * field_elem_size(a->field) * g->n_members);
    for (struct aggregate_sum *g = a->sums; g; g = g->next)
        if (!g->skipped && write_sum(a, g, out, err))
            return -1;
    return 0;
}
