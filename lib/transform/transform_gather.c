#include "transform/transform_gather.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "records/agree.h"
#include "transform/mix.h"
#include "protocol/record_check.h"
#include "records/record_field.h"
#include "records/stream.h"

const char *gather_file(const struct gather *g, const struct gather_member *m)
{
    return filecache_name(&g->files, m->stored.file);
}

static void member_free(struct gather_member *m)
{
    header_clear(&m->header);
    stored_free(&m->stored);
}

static void group_free(struct gather_sum *group)
{
    for (size_t i = 0; i < group->n; i++)
        member_free(&group->members[i]);
    free(group->members);
    free(group->key);
    free(group);
}

static void ignore(void *node)
{
    (void)node;
}

void gather_free(struct gather *g)
{
    tdestroy(g->tree, ignore);
    while (g->sums) {
        struct gather_sum *next = g->sums->next;

        group_free(g->sums);
        g->sums = next;
    }
    for (size_t i = 0; i < g->n_shares; i++)
        member_free(&g->shares[i]);
    free(g->shares);
    filecache_free(&g->files);
    field_free(g->field);
    rangeset_free(&g->missing);
    *g = (struct gather){ 0 };
}

static int compare_groups(const void *x, const void *y)
{
    const struct gather_sum *a = x, *b = y;

    if (a->len_key != b->len_key)
        return a->len_key < b->len_key ? -1 : 1;
    return memcmp(a->key, b->key, a->len_key);
}

/* Encodes the header fields that members of a group have in common: all except those of the sender,
 * and those in which it may differ. */
static int encode_key(const struct gather *g, const struct header *h, enum gather_differs differs,
                      struct gather_sum *group, struct hagg_err *err)
{
    struct header key = *h;

    if (differs != GATHER_SAME)
        key.has_id = false;
    if (differs == GATHER_ROUND)
        key.has_round = false;
    if (differs == GATHER_CLIENTS)
        key.n_clients = 0;
    key.from = (struct header_node){ 0 };
    key.to = (struct header_node){ 0 };
    key.has_mix = false;
    key.symbols = (struct header_symbols){ 0 };
    key.n_extensions = 0;
    key.source.index = 0;
    key.source.has_point = false;
    if (g->by_carrier && key.has_carrier)
        key.carrier = 0;
    return header_encode(&key, &group->key, &group->len_key, err);
}

static uint32_t rank(const struct gather *g, const struct header *h)
{
    return g->by_carrier && h->has_carrier ? h->carrier : h->source.index;
}

/* Returns true if a holder contributed to both groups, which then are different sums. */
static bool share_source(const struct gather *g, const struct gather_sum *x,
                         const struct gather_sum *y)
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            if (rank(g, &x->members[i].header) == rank(g, &y->members[j].header))
                return true;
    return false;
}

/* Returns true if a client is in both. Sums of other patterns are similar too, but have none of
 * these clients. */
static bool share_client(const struct gather_sum *x, const struct gather_sum *y)
{
    const struct header *a = &x->members[0].header, *b = &y->members[0].header;

    for (size_t i = 0; i < a->n_clients; i++)
        for (size_t j = 0; j < b->n_clients; j++)
            if (a->clients[i].first <= b->clients[j].last &&
                b->clients[j].first <= a->clients[i].last)
                return true;
    return false;
}

int gather_find_like(const struct gather *g, const struct gather_sum *group,
                     enum gather_differs differs, const struct gather_sum **found,
                     struct hagg_err *err)
{
    struct gather_sum key = { 0 }, other = { 0 };
    int status = encode_key(g, &group->members[0].header, differs, &key, err);

    *found = NULL;
    for (struct gather_sum *at = g->sums; at && status == 0 && !*found; at = at->next) {
        if (share_source(g, group, at) || (differs == GATHER_CLIENTS && !share_client(group, at)))
            continue;
        status = encode_key(g, &at->members[0].header, differs, &other, err);
        if (status == 0 && compare_groups(&key, &other) == 0)
            *found = at;
        free(other.key);
        other.key = NULL;
    }
    free(key.key);
    return status;
}

/* Returns the group of a transfer, which is created if necessary; NULL on failure. */
static struct gather_sum *find_group(struct gather *g, const struct header *h, struct hagg_err *err)
{
    struct gather_sum *fresh = calloc(1, sizeof *fresh), **found;

    if (!fresh) {
        err_errno(err, "no memory for one more transfer");
        return NULL;
    }
    if (encode_key(g, h, GATHER_SAME, fresh, err)) {
        free(fresh);
        return NULL;
    }
    found = tsearch(fresh, &g->tree, compare_groups);
    if (found && *found == fresh) {
        if (!g->last)
            g->last = &g->sums;
        *g->last = fresh;
        g->last = &fresh->next;
        return fresh;
    }
    group_free(fresh);
    if (!found)
        err_errno(err, "no memory for one more transfer");
    return found ? *found : NULL;
}

/* Orders transfers by source, and those of one source by symbols. Returns 0 if they have a symbol
 * in common. */
static int compare_members(const struct gather *g, const struct header *a, const struct header *b)
{
    uint32_t of_a = rank(g, a), of_b = rank(g, b);

    if (of_a != of_b)
        return of_a < of_b ? -1 : 1;
    if (a->symbols.end > 0 && b->symbols.end > 0 && a->symbols.end <= b->symbols.first)
        return -1;
    if (a->symbols.end > 0 && b->symbols.end > 0 && b->symbols.end <= a->symbols.first)
        return 1;
    return 0;
}

/* On success the group owns the member. */
static int insert(struct gather *g, struct gather_sum *group, struct gather_member *m,
                  struct hagg_err *err)
{
    struct gather_member *members;
    size_t at = 0;

    while (at < group->n && compare_members(g, &group->members[at].header, &m->header) < 0)
        at++;
    if (at < group->n && compare_members(g, &group->members[at].header, &m->header) == 0)
        return err_set(err, HAGG_E_MISMATCH, "%s: %s %u has already contributed (see %s)",
                       gather_file(g, m), m->header.from.tier[0] ? m->header.from.tier : "holder",
                       m->header.from.number, gather_file(g, &group->members[at]));
    if (group->n > 0 && group->members[0].stored.n_elems != m->stored.n_elems &&
        group->members[0].header.symbols.end == m->header.symbols.end)
        return err_set(err, HAGG_E_MISMATCH, "%s: has %llu elements, but %s has %llu",
                       gather_file(g, m), (unsigned long long)m->stored.n_elems,
                       gather_file(g, &group->members[0]),
                       (unsigned long long)group->members[0].stored.n_elems);
    if (group->n > 0 && m->header.source.name[0] &&
        !mix_same_origin(&group->members[0].header, &m->header))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: its share was made from different transfers than the share of %s: use "
                       "transfers from one run",
                       gather_file(g, m), gather_file(g, &group->members[0]));
    members = reallocarray(group->members, group->n + 1, sizeof *members);
    if (!members)
        return err_errno(err, "no memory for one more transfer");
    memmove(members + at + 1, members + at, (group->n - at) * sizeof *members);
    members[at] = *m;
    *m = (struct gather_member){ 0 };
    group->members = members;
    group->n++;
    return 0;
}

/* On success g owns the member. */
static int keep_share(struct gather *g, struct gather_member *m, struct hagg_err *err)
{
    struct gather_member *shares = reallocarray(g->shares, g->n_shares + 1, sizeof *shares);

    if (!shares)
        return err_errno(err, "no memory for one more share");
    shares[g->n_shares++] = *m;
    *m = (struct gather_member){ 0 };
    g->shares = shares;
    return 0;
}

static int check_transfer(const struct gather *g, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (h->kind != HEADER_TRANSFER)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is not a transfer: make transfers with --step contribute");
    if (!g->by_carrier && !h->has_carrier)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "does not need --step collect: its holder finishes it");
    if (!g->by_carrier && !h->source.name[0])
        return reader_fail(r, err, HAGG_E_MISMATCH, "is already collected");
    if (g->by_carrier && h->has_carrier && h->source.name[0])
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is not collected: its carrier must run --step collect first");
    return 0;
}

static int add_record(void *gather, struct reader *r, struct hagg_err *err)
{
    struct gather *g = gather;
    struct gather_member m = { 0 };
    struct gather_sum *group;
    int status;

    if (reader_header(r)->kind != HEADER_SHARE && check_transfer(g, r, err))
        return -1;
    if (record_check_here(g->round, r, (struct node){ NODE_RELAY, g->relay }, err) ||
        record_check_round(g->asked_round, r, err) ||
        (g->round && (record_check_clients(g->round, g->clients, r, err) ||
                      record_check_dropped(g->round, r, &g->missing, err))))
        return -1;
    if (record_field(&g->field, r, err))
        return -1;
    status = agree_copy(&m.header, reader_header(r), err);
    if (status == 0)
        status = stored_keep(&m.stored, g->files.n - 1, r, err);
    if (status == 0 && m.header.kind == HEADER_SHARE)
        status = keep_share(g, &m, err);
    else if (status == 0) {
        group = find_group(g, &m.header, err);
        status = group ? insert(g, group, &m, err) : -1;
    }
    member_free(&m);
    return status;
}

int gather_add(struct gather *g, const char *path, struct hagg_err *err)
{
    size_t file;

    if (filecache_add(&g->files, path, &file, err))
        return -1;
    return stream_each(path, STREAM_EMPTY, g->opener, add_record, g, err);
}
