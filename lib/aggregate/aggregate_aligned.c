#include "aggregate/aggregate_aligned.h"

#include <stdlib.h>
#include <string.h>

#include "aggregate/aggregate_relay.h"
#include "aggregate/aggregate_rows.h"
#include "records/agree.h"

/* The sum of one station. */
struct job {
    struct aggregate *a;
    const struct plan *plan;
    uint32_t holder;
    struct aggregate_inputs inputs;
    struct rangeset clients, dealers;
    struct header header;
    bool sends; /* false if the sum is skipped, idle, standing by or was sent */
};

static uint32_t station_of(const struct job *j)
{
    return j->plan->aligned->stations.numbers[j->holder];
}

static bool is_at(const struct aggregate_sum *g, uint32_t holder)
{
    return g->header.scheme.index == holder && !aggregate_relay_has(g);
}

/* Lists the inputs of the station: first those of clients, then those of dealers. */
static int find_inputs(struct job *j, struct hagg_err *err)
{
    size_t n = 0;

    for (const struct aggregate_sum *g = j->a->sums; g; g = g->next)
        n += is_at(g, j->holder);
    j->inputs.inputs = calloc(n + 1, sizeof *j->inputs.inputs);
    if (!j->inputs.inputs)
        return err_errno(err, "no memory for a sum");
    for (int masks = 0; masks < 2; masks++) {
        for (struct aggregate_sum *g = j->a->sums; g; g = g->next) {
            struct aggregate_input *input = &j->inputs.inputs[j->inputs.n];

            if (!is_at(g, j->holder) || (g->header.secret == HEADER_MASK) != masks)
                continue;
            input->g = g;
            if (masks)
                input->dealer = plan_aligned_dealer(j->plan, g->header.dealers[0].first);
            else
                input->parts = g->header.blocks[0];
            j->inputs.n++;
        }
        if (!masks)
            j->inputs.n_clients = j->inputs.n;
    }
    return 0;
}

static bool has_client(const struct job *j, uint32_t number)
{
    for (size_t i = 0; i < j->inputs.n_clients; i++)
        if (contributors_has(&j->inputs.inputs[i].g->clients, number))
            return true;
    return false;
}

/* Checks that all clients that take part and use the station have arrived. Returns the number of
 * the first one that has not, or 0. */
static uint32_t missing_client(const struct job *j)
{
    const struct topology *t = &j->plan->topology;
    const struct plan_patterns *classes = &j->plan->aligned->classes;

    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_client *c = &t->clients[i];

        if (protocol_has(j->a->round, (struct node){ NODE_CLIENT, c->number }) &&
            topology_list_has(classes->routes[classes->of_group[c->group]].lists[0],
                              station_of(j)) &&
            !has_client(j, c->number))
            return c->number;
    }
    return 0;
}

/* The same for the dealers whose masks are to be added. */
static uint32_t missing_dealer(const struct job *j)
{
    for (size_t i = 0; i < j->dealers.n; i++)
        for (uint64_t u = j->dealers.ranges[i].first; u <= j->dealers.ranges[i].last; u++) {
            size_t k = j->inputs.n_clients;

            while (k < j->inputs.n && j->inputs.inputs[k].g->header.dealers[0].first != u)
                k++;
            if (k == j->inputs.n)
                return (uint32_t)u;
        }
    return 0;
}

/* Returns the station that passes on the share of a client to this one, or 0. */
static uint32_t courier_of(const struct job *j, uint32_t client)
{
    const struct topology *t = &j->plan->topology;

    return topology_courier(&t->groups[topology_client(t, client)->group], station_of(j), NULL);
}

/* Returns 1 if the sum is complete, 0 if it is to be left out, -1 on failure. */
static int check_complete(const struct job *j, struct hagg_err *err)
{
    uint32_t client = missing_client(j), dealer;

    dealer = client || j->plan->aligned->bare[j->holder] ? 0 : missing_dealer(j);
    if (client == 0 && dealer == 0)
        return 1;
    if (j->a->options->skip_incomplete)
        return 0;
    if (client > 0 && courier_of(j, client) > 0)
        return err_set(
            err, HAGG_E_TOO_FEW,
            "station %u: the share of client %u, which station %u passes on, is missing: "
            "let that station use --pass-on, or send no sum before all stations agree "
            "to leave the client out",
            station_of(j), client, courier_of(j, client));
    if (client > 0 && j->a->options->has_roster)
        return err_set(err, HAGG_E_TOO_FEW,
                       "station %u: the share of client %u, who is in the roster, is missing: get "
                       "it from the client again, or send no sum",
                       station_of(j), client);
    if (client > 0)
        return err_set(err, HAGG_E_TOO_FEW,
                       "station %u: the share of client %u is missing: if no sum of this round was "
                       "sent yet, agree on the remaining clients with hagg-roster and use --roster "
                       "at every station, otherwise send no sum",
                       station_of(j), client);
    return err_set(err, HAGG_E_TOO_FEW,
                   "station %u: the mask of dealer %u is missing: get it, or, if no sum of this "
                   "round was sent yet, agree on the remaining dealers and use --dealers at every "
                   "station",
                   station_of(j), dealer);
}

/* Sets the clients and dealers of the round, which are the same at all stations. */
static int agree_on_sets(struct job *j, struct hagg_err *err)
{
    const struct aggregate_options *o = j->a->options;
    const struct topology_list *dealers = &j->plan->topology.dealers;
    uint64_t fewest = plan_aligned_fewest_dealers(j->plan);

    if (plan_clients(j->plan, o->clients, &j->clients, err) ||
        plan_check_total(j->plan, rangeset_count(&j->clients), err))
        return -1;
    for (size_t i = 0; i < dealers->n; i++)
        if ((!o->dealers ||
             rangeset_overlap(o->dealers, dealers->numbers[i], dealers->numbers[i]) > 0) &&
            rangeset_add(&j->dealers, dealers->numbers[i], dealers->numbers[i], err))
            return -1;
    if (o->dealers && rangeset_count(&j->dealers) < rangeset_count(o->dealers))
        return err_set(err, HAGG_E_USAGE,
                       "%s: --dealers names stations that are not dealers in the plan",
                       j->plan->name);
    if (rangeset_count(&j->dealers) < fewest)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: the masks of %llu dealers do not hide the sums: at least %llu are "
                       "needed",
                       j->plan->name, (unsigned long long)rangeset_count(&j->dealers),
                       (unsigned long long)fewest);
    return 0;
}

static int copy_ranges(const struct rangeset *set, struct header_range **ranges, size_t *n,
                       struct hagg_err *err)
{
    free(*ranges);
    *n = 0;
    *ranges = calloc(set->n + 1, sizeof **ranges);
    if (!*ranges)
        return err_errno(err, "no memory for a sum");
    if (set->n > 0)
        memcpy(*ranges, set->ranges, set->n * sizeof **ranges);
    *n = set->n;
    return 0;
}

/* Returns the federator or, with relays, the one named by the user or stated by the protocol. */
static struct node next_hop(const struct job *j)
{
    struct node hop = protocol_sum_hop(j->a->round, station_of(j));

    if (hop.tier == NODE_RELAY && j->a->options->via > 0)
        hop.number = j->a->options->via;
    return hop;
}

/* The header is that of a client's share; without clients, that of a mask. */
static int make_header(struct job *j, struct hagg_err *err)
{
    const struct blocks *b = &j->plan->aligned->blocks[j->holder];
    struct header *h = &j->header;

    if (agree_copy_known(h, &j->inputs.inputs[0].g->header, err))
        return -1;
    h->secret = HEADER_PLAIN;
    h->chunks = 0;
    h->has_id = false; /* each station adds other shares */
    memset(h->id, 0, sizeof h->id);
    memset(h->mix, 0, sizeof h->mix);
    if (j->inputs.n_clients == 0) /* a mask describes no vectors, whatever is in its header */
        header_forget_vector(h);
    h->has_mix = j->inputs.n > j->inputs.n_clients;
    for (size_t i = j->inputs.n_clients; i < j->inputs.n; i++) {
        h->has_mix = h->has_mix && j->inputs.inputs[i].g->has_id;
        for (size_t k = 0; k < sizeof h->mix; k++)
            h->mix[k] ^= j->inputs.inputs[i].g->id[k];
    }
    free(h->blocks);
    h->n_blocks = 0;
    h->blocks = calloc(b->n_counts, sizeof *h->blocks);
    if (!h->blocks)
        return err_errno(err, "no memory for a sum");
    memcpy(h->blocks, b->counts, b->n_counts * sizeof *h->blocks);
    h->n_blocks = b->n_counts;
    h->from = node_in_header((struct node){ NODE_STATION, station_of(j) });
    h->to = node_in_header(next_hop(j));
    return copy_ranges(&j->clients, &h->clients, &h->n_clients, err) ||
                   copy_ranges(&j->dealers, &h->dealers, &h->n_dealers, err)
               ? -1
               : 0;
}

/* Describes the clients and dealers of the sum, and the runs that shares and masks are from. */
static int describe(const struct job *j, struct mac *mac, struct state_sum *sum,
                    struct hagg_err *err)
{
    struct state_parts parts = { 0 };

    for (size_t i = 0; i < j->inputs.n_clients; i++)
        state_parts_join(&parts, &j->inputs.inputs[i].g->parts);
    for (size_t i = j->inputs.n_clients; i < j->inputs.n; i++) {
        const struct aggregate_sum *g = j->inputs.inputs[i].g;

        if (state_parts_add(&parts, mac, true, g->header.dealers[0], g->id, err))
            return -1;
    }
    return state_sum_describe(mac, &j->header, &parts, sum, err);
}

static int claim(const struct aggregate *a, const struct aggregate_claim *c,
                 const struct header *any, const struct rangeset *clients, struct hagg_err *err)
{
    struct state_key key = state_sum_key(any, c->node);

    return c->skipped ? state_claim_clients(a->options->state, any->plan, any->round, clients, err)
                      : state_claim_sum(a->options->state, &key, clients, &c->sum, err);
}

/* Notes what the station sends, and checks that it has sent nothing else in this round. */
static int note(struct job *j, bool skipped, struct hagg_err *err)
{
    struct state *state = j->a->options->state;
    const struct header *any = j->inputs.n > 0 ? &j->inputs.inputs[0].g->header : NULL;
    struct aggregate_claim *c, **end = &j->a->claims;
    struct mac *mac;
    int status = 0;

    if (!any || !state_sum_counts(any) || !state_remembers(state))
        return 0;
    c = calloc(1, sizeof *c);
    if (!c)
        return err_errno(err, "no memory for a sum");
    *c = (struct aggregate_claim){
        .node = node_in_header((struct node){ NODE_STATION, station_of(j) }),
        .skipped = skipped,
    };
    while (*end)
        end = &(*end)->next;
    *end = c;
    mac = state_mac(state, err);
    if (!mac || (!skipped && describe(j, mac, &c->sum, err)))
        status = -1;
    mac_free(mac);
    if (status == 0)
        status = claim(j->a, c, any, &j->clients, err);
    state_drop(state);
    return status;
}

/* Enters everything into the state. A gate of outfiles. */
static int remember(void *aggregate, struct hagg_err *err)
{
    struct aggregate *a = aggregate;
    struct rangeset clients = { 0 };
    int status = plan_clients(a->options->plan, a->options->clients, &clients, err);

    for (const struct aggregate_claim *c = a->claims; c && status == 0; c = c->next)
        status = claim(a, c, &a->sums->header, &clients, err);
    if (status == 0)
        status = aggregate_relay_claim(a, err);
    if (status == 0)
        status = state_commit(a->options->state, err);
    rangeset_free(&clients);
    return status;
}

static int write_record(struct job *j, struct outfiles *out, struct hagg_err *err)
{
    uint64_t n_elems = aggregate_rows_elems(j->plan->aligned, j->holder, j->header.length);
    struct writer *w = outfiles_writer(out, j->header.to.number, err);

    if (!w || writer_begin(w, &j->header, field_elem_size(j->plan->field), n_elems, err) ||
        aggregate_report_add(j->a, &j->header, err))
        return -1;
    return aggregate_rows_write(j->a, j->holder, j->header.length, &j->inputs, w, err);
}

static void job_free(struct job *j)
{
    free(j->inputs.inputs);
    rangeset_free(&j->clients);
    rangeset_free(&j->dealers);
    header_clear(&j->header);
}

/* Returns true if the station is given, or records for it arrived and it is not named as missing.
 */
static bool is_here(const struct aggregate *a, uint32_t holder)
{
    const struct plan_aligned *p = a->options->plan->aligned;
    const struct rangeset *present = a->options->present;
    uint32_t station = p->stations.numbers[holder];

    if (a->options->station > 0)
        return station == a->options->station;
    if (present && rangeset_overlap(present, station, station) == 0)
        return false;
    for (const struct aggregate_sum *g = a->sums; g; g = g->next)
        if (is_at(g, holder))
            return true;
    return false;
}

static void skip(struct aggregate *a, uint32_t holder)
{
    for (struct aggregate_sum *g = a->sums; g; g = g->next)
        g->skipped = g->skipped || is_at(g, holder);
}

/* Decides whether the sum is sent. If not, it is complete nevertheless and goes into the state, so
 * that the station sends no other sum of this round later. */
static void choose(struct job *j)
{
    enum selection_sum what = selection_of_sum(j->a->selection, station_of(j));

    j->sends = what == SELECTION_SEND;
    j->a->n_standing_by += what == SELECTION_STANDS_BY;
    j->a->n_sent_before += what == SELECTION_SENT_BEFORE;
}

/* Finds the inputs of a station, and notes what it sends. */
static int prepare(struct job *j, struct hagg_err *err)
{
    int status = agree_on_sets(j, err) || find_inputs(j, err) ? -1 : check_complete(j, err);

    if (status == 0) {
        skip(j->a, j->holder);
        return note(j, true, err);
    }
    /* an idle station: see protocol_is_idle */
    if (status > 0 && j->inputs.n == 0)
        return 0;
    if (status > 0)
        choose(j);
    return status < 0 || make_header(j, err) || note(j, false, err) ? -1 : 0;
}

/* Everything is noted before the first byte is written, because the state is written then. */
static int write_all(struct aggregate *a, struct job *jobs, size_t n, struct outfiles *out,
                     struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (prepare(&jobs[i], err))
            return -1;
    if (aggregate_relay_write(a, out, err))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].sends && write_record(&jobs[i], out, err))
            return -1;
    return 0;
}

int aggregate_write_aligned(struct aggregate *a, struct outfiles *out, struct hagg_err *err)
{
    const struct plan_aligned *p = a->options->plan->aligned;
    bool any = a->options->relay > 0; /* the stations that send to it may be missing */
    struct job *jobs = calloc(p->sharing.n + (size_t)1, sizeof *jobs);
    size_t n = 0;
    int status;

    if (!jobs)
        return err_errno(err, "no memory for %u sums", p->sharing.n);
    outfiles_set_gate(out, remember, a);
    for (const struct aggregate_sum *g = a->sums; g; g = g->next) {
        progress_expect(a->options->progress,
                        g->n_elems * field_elem_size(a->field) * g->n_members);
        any = any || aggregate_relay_has(g);
    }
    for (uint32_t i = 0; i < p->sharing.n && a->options->relay == 0; i++)
        if (is_here(a, i))
            jobs[n++] = (struct job){ .a = a, .plan = a->options->plan, .holder = i };
    status = write_all(a, jobs, n, out, err);
    for (size_t i = 0; i < n; i++)
        job_free(&jobs[i]);
    free(jobs);
    if (status || any || n > 0)
        return status;
    return a->options->station > 0
               ? err_set(err, HAGG_E_USAGE, "%s: no client uses station %u", a->options->plan->name,
                         a->options->station)
               : err_set(err, HAGG_E_TOO_FEW, "nothing to add up: the input has no records");
}
