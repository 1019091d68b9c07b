#include "identity/identities.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pairs.h"
#include "crypto/sha256.h"
#include "plan/plan_identities.h"
#include "topology/words.h"

struct identities {
    char *name;
    struct identity *list; /* by node, then by line */
    size_t n, capacity;
    const struct identity **by_key; /* by key */
};

int identities_key_id(uint8_t id[SEAL_KEY_ID_BYTES], const uint8_t key[X25519_BYTES],
                      struct hagg_err *err)
{
    uint8_t digest[SHA256_BYTES];

    if (sha256_bytes(digest, key, X25519_BYTES, err))
        return -1;
    memcpy(id, digest, SEAL_KEY_ID_BYTES);
    return 0;
}

int identities_print(struct text *t, struct node node, const uint8_t key[X25519_BYTES],
                     struct hagg_err *err)
{
    char text[X25519_TEXT_ROOM];
    uint8_t id[SEAL_KEY_ID_BYTES];

    if (identities_key_id(id, key, err))
        return -1;
    x25519_print(text, key);
    text_printf(t, "%s ", node_tier_name(node.tier));
    if (node.tier != NODE_FEDERATOR)
        text_printf(t, "%u ", node.number);
    text_printf(t, "%s # ", text);
    text_hex(t, id, sizeof id);
    text_printf(t, "\n");
    return text_ok(t) ? 0 : err_errno(err, "no memory for an identity");
}

/* TIER NUMBER KEY, or federator KEY */
static int parse_line(struct identities *ids, struct words *w)
{
    const char *tiers[N_NODE_TIERS + 1] = { NULL };
    struct identity entry = { .node = { .number = 1 }, .line = w->line };
    const char *tier = w->word[0], *nearest;
    uint64_t number = 1;
    size_t at = 1;

    for (int i = 0; i < N_NODE_TIERS; i++)
        tiers[i] = node_tier_name((enum node_tier)i);
    while (entry.node.tier < N_NODE_TIERS && strcmp(tier, tiers[entry.node.tier]))
        entry.node.tier++;
    if (entry.node.tier == N_NODE_TIERS) {
        nearest = pairs_nearest(tier, strlen(tier), tiers);
        return words_fail(w, tier, "must be client, station, relay or federator%s%s%s",
                          nearest ? ": did you mean '" : "", nearest ? nearest : "",
                          nearest ? "'?" : "");
    }
    if (entry.node.tier != NODE_FEDERATOR) {
        if (words_number(w, w->word[1] ? w->word[1] : tier, w->word[1], 1, LIMIT_NUMBER, &number))
            return -1;
        at = 2;
    }
    entry.node.number = (uint32_t)number;
    if (!w->word[at] || x25519_parse(entry.key, w->word[at]))
        return words_fail(w, w->word[at] ? w->word[at] : tier,
                          "needs a public key of 44 characters, as hagg-keygen --identity prints "
                          "it");
    if (words_end(w, at + 1) || identities_key_id(entry.id, entry.key, w->err))
        return -1;
    if (ARRAY_RESERVE(ids->list, ids->n + 1, ids->capacity))
        return words_no_memory(w);
    ids->list[ids->n++] = entry;
    return 0;
}

static int parse_text(struct identities *ids, char *text, size_t n, struct words *w)
{
    char *rest = text, *line;

    if (strlen(text) != n)
        return err_set(w->err, HAGG_E_MALFORMED,
                       "%s: contains a NUL byte: this is not a file of identities", ids->name);
    while ((line = strsep(&rest, "\n"))) {
        size_t len = strlen(line);

        w->line++;
        if (len > 0 && line[len - 1] == '\r')
            line[len - 1] = 0;
        if (words_split(w, line) || (w->word[0] && parse_line(ids, w)))
            return -1;
    }
    return 0;
}

static int compare_nodes(struct node a, struct node b)
{
    return a.tier != b.tier ? (a.tier > b.tier) - (a.tier < b.tier)
                            : (a.number > b.number) - (a.number < b.number);
}

static int compare_entries(const void *a, const void *b)
{
    const struct identity *x = a, *y = b;
    int order = compare_nodes(x->node, y->node);

    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int compare_keys(const void *a, const void *b)
{
    const struct identity *x = *(const struct identity *const *)a;
    const struct identity *y = *(const struct identity *const *)b;

    return memcmp(x->key, y->key, sizeof x->key);
}

static int sort_keys(struct identities *ids, struct hagg_err *err)
{
    free(ids->by_key);
    ids->by_key = calloc(ids->n + 1, sizeof *ids->by_key);
    if (!ids->by_key)
        return err_errno(err, "%s", ids->name);
    for (size_t i = 0; i < ids->n; i++)
        ids->by_key[i] = &ids->list[i];
    qsort(ids->by_key, ids->n, sizeof *ids->by_key, compare_keys);
    return 0;
}

/* With the same key, two nodes could pretend to be each other. */
static int check_distinct(const struct identities *ids, struct hagg_err *err)
{
    for (size_t i = 1; i < ids->n; i++) {
        const struct identity *a = ids->by_key[i - 1], *b = ids->by_key[i];

        if (memcmp(a->key, b->key, sizeof a->key) == 0)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s: lines %zu and %zu have the same key: every node needs its own",
                           ids->name, a->line < b->line ? a->line : b->line,
                           a->line < b->line ? b->line : a->line);
    }
    return 0;
}

/* The id in a record must name one key of its node. */
static int check_ids(const struct identities *ids, struct hagg_err *err)
{
    for (size_t i = 0; i < ids->n; i++) {
        const struct identity *entry = &ids->list[i];
        const struct identity *first = identities_find(ids, entry->node, entry->id);

        if (first != entry)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s: lines %zu and %zu have keys with the same id: replace one of them",
                           ids->name, first->line, entry->line);
    }
    return 0;
}

static bool is_in_plan(const struct topology *t, struct node node)
{
    switch (node.tier) {
    case NODE_CLIENT:
        return topology_client(t, node.number) != NULL;
    case NODE_STATION:
        return node.number <= t->n_stations;
    case NODE_RELAY:
        return node.number <= t->n_relays;
    default:
        return true;
    }
}

/* Drops the nodes of other plans, which may have the same file, so that their keys are no keys
 * here.
 */
static void drop_others(struct identities *ids, const struct topology *t)
{
    size_t n = 0;

    for (size_t i = 0; i < ids->n; i++)
        if (is_in_plan(t, ids->list[i].node))
            ids->list[n++] = ids->list[i];
    ids->n = n;
}

static int need(const struct identities *ids, const struct plan *plan, struct node node,
                struct hagg_err *err)
{
    if (identities_of(ids, node))
        return 0;
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: has no key of %s %u, which is in %s: add the line that hagg-keygen "
                   "--identity prints there, and plan again",
                   ids->name, node_tier_name(node.tier), node.number, plan->name);
}

/* Checks that every node of the plan has a key. */
static int check_complete(const struct identities *ids, const struct plan *plan,
                          struct hagg_err *err)
{
    const struct topology *t = &plan->topology;
    int status = need(ids, plan, NODE_THE_FEDERATOR, err);

    for (size_t i = 0; i < t->n_clients && status == 0; i++)
        status = need(ids, plan, (struct node){ NODE_CLIENT, t->clients[i].number }, err);
    for (uint32_t u = 1; u <= t->n_stations && status == 0; u++)
        status = need(ids, plan, (struct node){ NODE_STATION, u }, err);
    for (uint32_t m = 1; m <= t->n_relays && status == 0; m++)
        status = need(ids, plan, (struct node){ NODE_RELAY, m }, err);
    return status;
}

struct identities *identities_parse(const struct plan *plan, const char *name, const char *text,
                                    size_t n, struct hagg_err *err)
{
    struct identities *ids = calloc(1, sizeof *ids);
    struct words w = { .name = name, .err = err };
    char *copy = malloc(n + 1);
    int status = -1;

    if (!ids || !copy || !(ids->name = strdup(name)))
        err_errno(err, "%s", name);
    else {
        if (n > 0)
            memcpy(copy, text, n);
        copy[n] = 0;
        status = parse_text(ids, copy, n, &w);
    }
    words_free(&w);
    free(copy);
    if (status == 0 && ids->n > 0)
        qsort(ids->list, ids->n, sizeof *ids->list, compare_entries);
    if (status == 0 && sort_keys(ids, err) == 0 && check_distinct(ids, err) == 0) {
        drop_others(ids, &plan->topology);
        if (sort_keys(ids, err) == 0 && check_ids(ids, err) == 0 &&
            check_complete(ids, plan, err) == 0)
            return ids;
    }
    identities_free(ids);
    return NULL;
}

struct identities *identities_load(const struct plan *plan, struct hagg_err *err)
{
    struct identities *ids = NULL;
    struct text text = { 0 };
    char *path = NULL;

    if (plan_identities_read(plan, &text, &path, err) == 0)
        ids = identities_parse(plan, path, text.bytes, text.len, err);
    text_free(&text);
    free(path);
    return ids;
}

void identities_free(struct identities *i)
{
    if (!i)
        return;
    free(i->by_key);
    free(i->list);
    free(i->name);
    free(i);
}

const char *identities_name(const struct identities *i)
{
    return i->name;
}

const struct identity *identities_of(const struct identities *i, struct node node)
{
    size_t low = 0, high = i->n;

    /* the first entry that is not before the node */
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_nodes(i->list[middle].node, node) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < i->n && node_equal(i->list[low].node, node) ? &i->list[low] : NULL;
}

const struct identity *identities_find(const struct identities *i, struct node node,
                                       const uint8_t id[SEAL_KEY_ID_BYTES])
{
    const struct identity *entry = identities_of(i, node), *end = i->list + i->n;

    for (; entry && entry < end && node_equal(entry->node, node); entry++)
        if (memcmp(entry->id, id, SEAL_KEY_ID_BYTES) == 0)
            return entry;
    return NULL;
}

const struct identity *identities_owner(const struct identities *i, const uint8_t key[X25519_BYTES])
{
    struct identity wanted;
    const struct identity *pointer = &wanted, *const * found;

    memcpy(wanted.key, key, sizeof wanted.key);
    found = bsearch(&pointer, i->by_key, i->n, sizeof *i->by_key, compare_keys);
    return found ? *found : NULL;
}
