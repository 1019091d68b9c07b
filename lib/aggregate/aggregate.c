#include "aggregate/aggregate.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "aggregate/aggregate_state.h"
#include "records/agree.h"
#include "protocol/record_check.h"
#include "records/record_field.h"
#include "records/stream.h"

struct aggregate *aggregate_new(const struct aggregate_options *options, struct hagg_err *err)
{
    struct protocol_presence presence = {
        .clients = options->clients,
        .missing = { options->missing },
    };
    struct aggregate *a = calloc(1, sizeof *a);

    if (!a || !(a->block = malloc(2 * parallel_threads(options->pool) * AGGREGATE_BLOCK_BYTES))) {
        err_errno(err, "cannot set up an aggregation");
        free(a);
        return NULL;
    }
    a->options = options;
    a->n_blocks = 2 * parallel_threads(options->pool);
    a->last = &a->sums;
    if ((options->plan && !(a->round = protocol_open(options->plan, &presence, err))) ||
        (options->present && !(a->selection = selection_new(options, err)))) {
        aggregate_free(a);
        return NULL;
    }
    return a;
}

static void ignore(void *node)
{
    (void)node;
}

static void sum_free(struct aggregate_sum *g, size_t elem_size)
{
    for (size_t i = 0; i < g->n_members; i++)
        stored_free(&g->members[i]);
    if (g->from_pipes)
        explicit_bzero(g->from_pipes, g->n_touched * elem_size);
    free(g->from_pipes);
    header_clear(&g->header);
    free(g->members);
    contributors_free(&g->clients);
    free(g);
}

void aggregate_free(struct aggregate *a)
{
    if (!a)
        return;
    tdestroy(a->tree, ignore);
    mac_free(a->mac);
    while (a->sums) {
        struct aggregate_sum *next = a->sums->next;

        sum_free(a->sums, field_elem_size(a->field));
        a->sums = next;
    }
    while (a->claims) {
        struct aggregate_claim *next = a->claims->next;

        free(a->claims);
        a->claims = next;
    }
    aggregate_report_free(&a->report);
    filecache_free(&a->files);
    protocol_free(a->round);
    selection_free(a->selection);
    explicit_bzero(a->block, a->n_blocks * AGGREGATE_BLOCK_BYTES);
    free(a->block);
    field_free(a->field);
    free(a);
}

static bool is_key(const struct header *h)
{
    return h->secret == HEADER_KEY;
}

static bool is_mask(const struct header *h)
{
    return h->secret == HEADER_MASK;
}

static bool is_wanted(const struct aggregate *a, const struct header *h)
{
    const struct rangeset *dealers = a->options->dealers;

    if (is_mask(h) && dealers &&
        rangeset_overlap(dealers, h->dealers[0].first, h->dealers[0].first) == 0)
        return false;
    switch (a->options->only) {
    case AGGREGATE_ALL:
        return true;
    case AGGREGATE_SHARES:
        return !is_key(h);
    default:
        return is_key(h);
    }
}

/* Checks the record against the plan, if there is one, and its destination, if a station or relay
 * is given. Returns 1 if it is only passed on. */
static int check_place(const struct aggregate *a, const struct reader *r, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;

    return record_check_here(a->round, r,
                             o->relay > 0 ? (struct node){ NODE_RELAY, o->relay }
                                          : (struct node){ NODE_STATION, o->station },
                             err);
}

/* Returns 1 if all clients of the record are in the set, 0 if none are, -1 if only some are. */
static int survivors(const struct rangeset *set, const struct header *h)
{
    uint64_t inside = 0;

    for (size_t i = 0; i < h->n_clients; i++)
        inside += rangeset_overlap(set, h->clients[i].first, h->clients[i].last);
    return inside == 0 ? 0 : inside == header_count_clients(h) ? 1 : -1;
}

static int compare_sums(const void *x, const void *y)
{
    const struct aggregate_sum *a = x, *b = y;

    return agree_compare(&a->header, &b->header);
}

/* Returns the number of elements of the record; of a seed, of its expansion. The record has passed
 * check_place. */
static uint64_t n_elems_of(const struct aggregate *a, const struct reader *r)
{
    const struct header *h = reader_header(r);
    struct message s;

    /* a seed is sealed, so there is a plan */
    return h->seed && a->round && protocol_find(a->round, h, &s) ? protocol_symbols(&s, h->length)
                                                                 : reader_n_elems(r);
}

static struct aggregate_sum *new_group(struct aggregate *a, const struct reader *r,
                                       struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct aggregate_sum *g = calloc(1, sizeof *g);

    if (!g) {
        err_errno(err, "%s", reader_name(r));
        return NULL;
    }
    if (agree_copy(&g->header, h, err)) {
        free(g);
        return NULL;
    }
    g->n_elems = n_elems_of(a, r);
    g->file = a->files.n - 1;
    g->has_id = h->has_id;
    g->has_mix = h->has_mix;
    if (!tsearch(g, &a->tree, compare_sums)) {
        err_errno(err, "%s", reader_name(r));
        sum_free(g, 0);
        return NULL;
    }
    *a->last = g;
    a->last = &g->next;
    return g;
}

/* Returns the sum that the record belongs to, which is created if necessary; NULL on failure. */
static struct aggregate_sum *find_group(struct aggregate *a, const struct reader *r,
                                        struct hagg_err *err)
{
    const struct aggregate_sum wanted = { .header = *reader_header(r) };
    struct aggregate_sum **found = tfind(&wanted, &a->tree, compare_sums);

    return found ? *found : new_group(a, r, err);
}

/* Notes the clients for the state. */
static int add_part(struct aggregate *a, struct aggregate_sum *g, const struct header *h,
                    struct header_range clients, struct hagg_err *err)
{
    if (!state_sum_counts(h) || !state_has_directory(a->options->state))
        return 0;
    if (!a->mac && !(a->mac = state_mac(a->options->state, err)))
        return -1;
    return state_parts_add(&g->parts, a->mac, false, clients, h->has_id ? h->id : NULL, err);
}

static int add_clients(struct aggregate *a, struct aggregate_sum *g, const struct reader *r,
                       struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    size_t source = a->files.n - 1, earlier;
    uint32_t client;

    for (size_t i = 0; i < h->n_clients; i++) {
        int added = contributors_add(&g->clients, h->clients[i], source, &client, &earlier, err);

        if (added < 0)
            return -1;
        if (added == 0)
            return err_set(err, HAGG_E_MISMATCH, "%s: client %u is already in the sum (from %s)",
                           reader_name(r), client, filecache_name(&a->files, earlier));
        if (add_part(a, g, h, h->clients[i], err))
            return -1;
    }
    return 0;
}

/* Adds a record from a pipe, which cannot be read again later. */
static int add_now(struct aggregate *a, struct aggregate_sum *g, struct reader *r,
                   struct hagg_err *err)
{
    size_t size = field_elem_size(a->field), n, bad;
    uint64_t at = 0;

    if (!g->from_pipes) {
        g->from_pipes = g->n_elems < SIZE_MAX ? calloc((size_t)g->n_elems + 1, size) : NULL;
        if (!g->from_pipes)
            return err_errno(err, "%s: cannot add up records from a pipe", reader_name(r));
    }
    do {
        unsigned char *sum = g->from_pipes + at * size;

        if (reader_read(r, a->block, AGGREGATE_BLOCK_BYTES / size, &n, err))
            return -1;
        if (at + n > g->n_touched)
            g->n_touched = at + n;
        bad = field_add_checked(a->field, sum, sum, a->block, n);
        if (bad < n)
            return reader_fail(r, err, HAGG_E_MALFORMED,
                               "element %llu is not an element of field '%s'",
                               (unsigned long long)(at + bad), a->field->spec);
        at += n;
    } while (n > 0);
    return 0;
}

/* Returns room for one more record; NULL on failure. */
static struct stored *new_member(struct aggregate_sum *g, struct hagg_err *err)
{
    if (ARRAY_RESERVE(g->members, g->n_members + 1, g->max_members)) {
        err_errno(err, "no memory for one more record");
        return NULL;
    }
    return &g->members[g->n_members];
}

/* Checks that a record of a client is from the run that the roster names. */
static int check_run(const struct aggregate *a, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const uint8_t *id = strcmp(h->from.tier, node_tier_name(NODE_CLIENT)) == 0
                            ? runs_of(a->options->runs, h->from.number)
                            : NULL;

    if (!id || (h->has_id && memcmp(id, h->id, sizeof h->id) == 0))
        return 0;
    return reader_fail(r, err, HAGG_E_MISMATCH,
                       "is from another run of hagg-share than the one in the roster: get the "
                       "record of that run from client %u",
                       h->from.number);
}

/* A seed of a few bytes may claim any length. The records of honest clients have the same one, so
 * it is trusted up to a limit, unless the plan or a record with as many elements confirms it. */
static int check_expansion(const struct aggregate *a, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (!h->seed || a->has_elems || h->length <= AGGREGATE_SEED_LENGTH ||
        a->options->plan->topology.length > 0)
        return 0;
    return reader_fail(r, err, HAGG_E_MISMATCH,
                       "is the seed of a vector of %llu elements, and no other record confirms "
                       "this length: add a line length N to the topology",
                       (unsigned long long)h->length);
}

static int add_record(void *aggregate, struct reader *r, struct hagg_err *err)
{
    struct aggregate *a = aggregate;
    const struct header *h = reader_header(r);
    struct aggregate_sum *g;
    struct stored *member;
    int wanted = is_wanted(a, h), placed, here;
    /* True for the sum of a station with protocol aligned, which only relays get. */
    bool is_sum = h->n_segments > 0 && !is_mask(h) && strcmp(h->from.tier, "client");

    a->has_records = true;
    if (record_check_round(a->options->asked_round, r, err))
        return -1;
    if (h->kind == HEADER_TRANSFER)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a transfer: finish it first with hagg-transform --step finish");
    here = check_place(a, r, err);
    if (here != 0)
        return here > 0 ? reader_skip(r, err) : -1;
    if (h->kind == HEADER_SUMMAND)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is the summand of relay %u already: decode it with hagg-decode",
                           h->from.number);
    if (is_sum && strcmp(h->to.tier, "relay"))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is the sum of station %u already: decode it with hagg-decode",
                           h->route[0].numbers[h->scheme.index]);
    if (is_sum && record_check_clients(a->round, a->options->clients, r, err))
        return -1;
    if (wanted && a->options->clients && !is_mask(h))
        wanted = survivors(a->options->clients, h);
    if (wanted < 0)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a sum that includes clients outside --clients: add up the records "
                           "of the remaining clients");
    if (wanted == 0)
        return reader_skip(r, err);
    if (check_run(a, r, err))
        return -1;
    for (int i = 0; i < 2; i++)
        if (a->anchors[i].header &&
            agree_on_round(a->anchors[i].header, filecache_name(&a->files, a->anchors[i].file), h,
                           reader_name(r), err))
            return -1;
    if (record_field(&a->field, r, err))
        return -1;
    g = find_group(a, r, err);
    if (!g)
        return -1;
    if (is_mask(h) && (g->n_members > 0 || g->from_pipes))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "dealer %u is already in the sum (from %s): a dealer deals once in a "
                           "round",
                           h->dealers[0].first, filecache_name(&a->files, g->file));
    if (!a->anchors[is_key(h) || is_mask(h)].header) {
        a->anchors[is_key(h) || is_mask(h)].header = &g->header;
        a->anchors[is_key(h) || is_mask(h)].file = a->files.n - 1;
    }
    if ((g->header.n_clients == 0) != (h->n_clients == 0))
        return reader_fail(
            r, err, HAGG_E_MISMATCH, "%s its clients, but other records of this sum %s",
            h->n_clients > 0 ? "lists" : "does not list", h->n_clients > 0 ? "do not" : "do");
    if (g->n_elems != n_elems_of(a, r))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "payload has %llu elements, but others have %llu",
                           (unsigned long long)n_elems_of(a, r), (unsigned long long)g->n_elems);
    if (add_clients(a, g, r, err))
        return -1;
    g->has_id = g->has_id && h->has_id;
    g->has_mix = g->has_mix && h->has_mix;
    for (size_t i = 0; i < sizeof g->id; i++) {
        g->id[i] ^= h->id[i];
        g->mix[i] ^= h->mix[i];
    }
    member = new_member(g, err);
    if (!member)
        return -1;
    a->has_elems = a->has_elems || !h->seed;
    if (check_expansion(a, r, err))
        return -1;
    placed = !h->seed ? stored_place(member, a->files.n - 1, r, err)
             : stored_seed(member, a->files.n - 1, r, field_elem_size(a->field), g->n_elems, err)
                 ? -1
                 : 1;
    if (placed == 0)
        return add_now(a, g, r, err);
    g->n_members += placed > 0;
    return placed > 0 ? 0 : -1;
}

int aggregate_add(struct aggregate *a, const char *path, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    bool from_client;
    size_t file;

    if (filecache_add(&a->files, path, &file, err))
        return -1;
    /* a file from a client is never empty unless it is damaged */
    from_client = strcmp(path, "-") && o->relay == 0 && o->only != AGGREGATE_KEYS;
    return stream_each(path, from_client ? 0 : STREAM_EMPTY, o->opener, add_record, a, err);
}
