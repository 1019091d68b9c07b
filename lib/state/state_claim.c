#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/state_store.h"

/* Longest list of clients in a message, so that there is room for the rest of it. */
#define MAX_LIST 80

/* Digits of a digest that name the file of a vector. There are 256 files: so many that each is
 * small, and so few that the vectors of many clients are entered quickly. */
#define VECTOR_FILE_DIGITS 2

static const char remedy[] =
    "use the roster of the round if there is one, or start a new round, with new vectors or with "
    "the clients of the old round";

static void put_hex(char *to, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sprintf(to + 2 * i, "%02x", bytes[i]);
}

/* The node of entries about the clients of a round, which are the same for all nodes. */
#define ANY_NODE "any"

static bool is_any(const struct header_node *node)
{
    return strcmp(node->tier, ANY_NODE) == 0;
}

/* "station 2" */
static void put_node(char *to, size_t size, const struct header_node *node)
{
    if (node->number > 0)
        snprintf(to, size, "%s %" PRIu32, node->tier, node->number);
    else
        snprintf(to, size, "all %ss", node->tier);
}

/* "1-5,7" */
static void put_clients(struct text *t, const struct rangeset *set)
{
    for (size_t i = 0; i < set->n; i++) {
        const struct header_range *r = &set->ranges[i];

        text_printf(t, "%s%" PRIu32, i > 0 ? "," : "", r->first);
        if (r->last > r->first)
            text_printf(t, "-%" PRIu32, r->last);
    }
}

/* Finds the sheet of an entry, and its line, which may not be there yet. NULL on failure. */
static struct sheet *find(struct state *s, const struct state_key *key, size_t *line,
                          struct hagg_err *err)
{
    char name[LIMIT_TIER + 80], words[48];
    bool is_vector = strcmp(key->what, STATE_VECTOR) == 0;
    struct state_plan plan;
    struct sheet *sheet;

    if (state_lock(s, true, err) || state_find_plan(s, key->plan, &plan, err))
        return NULL;
    if (key->round < plan.first) {
        err_set(err, HAGG_E_PRIVACY,
                "round %" PRIu64 " of this plan was removed from the state, so it is unknown what "
                "was done in it: use round %" PRIu64 " or later",
                key->round, plan.first);
        return NULL;
    }
    if (is_any(&key->node))
        snprintf(name, sizeof name, ANY_NODE ".%s.%" PRIu64, key->what, key->round / STATE_ROUNDS);
    else if (is_vector)
        snprintf(name, sizeof name, "%ss-%" PRIu32 ".%s.%" PRIu64, key->node.tier,
                 key->node.number / STATE_CLIENTS_OF_FILE, key->what,
                 key->round / STATE_VECTOR_ROUNDS);
    else
        snprintf(name, sizeof name, "%s-%" PRIu32 ".%s.%" PRIu64, key->node.tier, key->node.number,
                 key->what, key->round / STATE_ROUNDS);
    snprintf(words, sizeof words, "%" PRIu64, key->round);
    if (is_vector)
        snprintf(words, sizeof words, "%" PRIu64 " %" PRIu32, key->round, key->node.number);
    sheet = state_sheet(s, plan.digest, name, err);
    if (sheet)
        *line = sheet_find(sheet, words, 0);
    return sheet;
}

/* What the node did, for messages. */
static const char *done(const char *what)
{
    return strcmp(what, STATE_TOTAL) == 0    ? "decoded the total"
           : strcmp(what, STATE_ROSTER) == 0 ? "issued the roster"
                                             : "sent sums";
}

static int refuse_set(const struct state *s, const struct state_key *key, const char *before,
                      size_t n_before, const struct text *now, struct hagg_err *err)
{
    char node[LIMIT_TIER + 16], what[LIMIT_TIER + 80];

    put_node(node, sizeof node, &key->node);
    if (is_any(&key->node))
        snprintf(what, sizeof what, "round %" PRIu64 " already has", key->round);
    else
        snprintf(what, sizeof what, "%s already %s of round %" PRIu64 " over", node,
                 done(key->what), key->round);
    return err_set(err, HAGG_E_PRIVACY,
                   "%s clients %.*s%s, and this is over %.*s%s: two totals reveal their "
                   "difference, so %s (state in %s)",
                   what, n_before < MAX_LIST ? (int)n_before : MAX_LIST, before,
                   n_before > MAX_LIST ? "..." : "", MAX_LIST, now->bytes,
                   now->len > MAX_LIST ? "..." : "", remedy, s->directory);
}

static int refuse_content(const struct state *s, const struct state_key *key, struct hagg_err *err)
{
    char node[LIMIT_TIER + 16];

    put_node(node, sizeof node, &key->node);
    return err_set(err, HAGG_E_PRIVACY,
                   "%s already sent a sum of round %" PRIu64 " with other records: a share or "
                   "mask is missing or was made again, so use the records of the first time, or %s "
                   "(state in %s)",
                   node, key->round, remedy, s->directory);
}

/* Compares a sum with the line, or extends the line by it. */
static int claim_in_line(struct state *s, const struct state_key *key, struct sheet *sheet,
                         size_t at, const struct state_sum *sum, struct hagg_err *err)
{
    char id[2 * STATE_ID_BYTES + 3] = " ", digest[2 * STATE_DIGEST_BYTES + 1], *line;
    const char *found;
    int status;

    put_hex(id + 1, sum->id, sizeof sum->id);
    strcat(id, "=");
    put_hex(digest, sum->digest, sizeof sum->digest);
    found = strstr(sheet->lines[at], id);
    if (found)
        return strncmp(found + strlen(id), digest, strlen(digest)) == 0
                   ? 0
                   : refuse_content(s, key, err);
    if (asprintf(&line, "%s%s%s", sheet->lines[at], id, digest) < 0)
        return err_errno(err, "%s", sheet->path);
    status = sheet_set(sheet, at, line, err);
    free(line);
    return status;
}

/* Claims the set of clients, or "-" if clients is NULL, and the sum unless it is NULL. */
static int claim_line(struct state *s, const struct state_key *key, const struct rangeset *clients,
                      const struct state_sum *sum, struct hagg_err *err)
{
    struct text now = { 0 }, line = { 0 };
    struct sheet *sheet;
    size_t at;
    int status = -1;

    sheet = find(s, key, &at, err);
    if (!sheet)
        return -1;
    if (clients)
        put_clients(&now, clients);
    else
        text_printf(&now, "-");
    text_printf(&line, "%" PRIu64 " %s", key->round, text_ok(&now) ? now.bytes : "");
    if (!text_ok(&now) || !text_ok(&line))
        err_errno(err, "%s", s->directory);
    else if (at == sheet->n)
        status = sheet_set(sheet, at, line.bytes, err);
    else {
        const char *before = strchr(sheet->lines[at], ' ');
        size_t n = before ? strcspn(++before, " ") : 0;

        if (!before)
            err_set(err, HAGG_E_MALFORMED, "%s: is damaged", sheet->path);
        else if (n != now.len || strncmp(before, now.bytes, n))
            refuse_set(s, key, before, n, &now, err);
        else
            status = 0;
    }
    if (status == 0 && sum)
        status = claim_in_line(s, key, sheet, at, sum, err);
    text_free(&now);
    text_free(&line);
    return status;
}

int state_claim_clients(struct state *s, const uint8_t *plan, uint64_t round,
                        const struct rangeset *clients, struct hagg_err *err)
{
    struct state_key any = {
        .plan = plan,
        .node = { .tier = ANY_NODE },
        .what = STATE_CLIENTS,
        .round = round,
    };

    return state_remembers(s) ? claim_line(s, &any, clients, NULL, err) : 0;
}

int state_claim_sum(struct state *s, const struct state_key *key, const struct rangeset *clients,
                    const struct state_sum *sum, struct hagg_err *err)
{
    if (!state_remembers(s))
        return 0;
    return claim_line(s, key, clients, sum, err) ||
                   (clients && state_claim_clients(s, key->plan, key->round, clients, err))
               ? -1
               : 0;
}

/* number is that of the client, or of the dealer of masks. */
static int refuse_use(const struct state *s, const struct state_key *key, bool is_key,
                      const char *name, uint32_t number, uint64_t round, bool same_plan,
                      struct hagg_err *err)
{
    const char *plan = same_plan ? "this" : "another";
    bool is_mask = strcmp(key->node.tier, "station") == 0;

    if (is_key)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: its bytes were already used, for the %s %" PRIu32 " in round %" PRIu64
                       " of %s plan: two %s reveal their difference, so give other random bytes "
                       "(state in %s)",
                       name, is_mask ? "masks of dealer" : "key of client", number, round, plan,
                       is_mask ? "sums under one mask" : "vectors under one key", s->directory);
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: this vector was already shared, in round %" PRIu64 " of %s plan: two "
                   "totals of the same vectors over different clients reveal vectors; share a "
                   "new vector, or use --again if hagg-share(1) allows it, in 'One vector per "
                   "round'; in a simulation, use another --state (state in %s)",
                   name, round, plan, s->directory);
}

/* Checks that the client has not shared this vector in another round, or that the key was made for
 * this client and round only. A vector of another client of the same plan is the vector of somebody
 * else. */
static int check_use(struct state *s, const struct state_key *key, bool is_key,
                     const struct sheet *sheet, const char *digest, const struct state_plan *plan,
                     const char *name, struct hagg_err *err)
{
    for (size_t at = 0; (at = sheet_find(sheet, digest, at)) < sheet->n; at++) {
        unsigned number;
        uint64_t round;
        uint32_t client;

        if (sscanf(sheet->lines[at], "%*s %u %" SCNu64 " %" SCNu32, &number, &round, &client) != 3)
            return err_set(err, HAGG_E_MALFORMED, "%s: is damaged", sheet->path);
        if (number == plan->number && (is_key ? client == key->node.number && round == key->round
                                              : client != key->node.number || round == key->round))
            continue;
        return refuse_use(s, key, is_key, name, client, round, number == plan->number, err);
    }
    return 0;
}

/* Makes the entry of a vector or a key. */
static int claim_once(struct state *s, const struct state_key *key, const uint8_t bytes[MAC_BYTES],
                      bool again, const char *name, struct hagg_err *err)
{
    bool is_key = strcmp(key->what, STATE_KEY) == 0;
    char digest[2 * STATE_DIGEST_BYTES + 1], file[VECTOR_FILE_DIGITS + 1], *line;
    struct state_plan plan;
    struct sheet *sheet;
    int status;

    put_hex(digest, bytes, STATE_DIGEST_BYTES);
    snprintf(file, sizeof file, "%.*s", VECTOR_FILE_DIGITS, digest);
    if (state_find_plan(s, key->plan, &plan, err) ||
        !(sheet = state_sheet(s, STATE_VECTORS, file, err)))
        return -1;
    if (asprintf(&line, "%s %u %" PRIu64 " %" PRIu32, digest, plan.number, key->round,
                 key->node.number) < 0)
        return err_errno(err, "%s", sheet->path);
    if (sheet_find(sheet, line, 0) < sheet->n)
        status = 0; /* the same as before, which was accepted */
    else if (!again && check_use(s, key, is_key, sheet, digest, &plan, name, err))
        status = -1;
    else
        status = sheet_set(sheet, sheet->n, line, err);
    free(line);
    return status;
}

int state_claim_vector(struct state *s, const struct state_key *key,
                       const uint8_t vector[MAC_BYTES], const uint8_t use[MAC_BYTES], bool again,
                       const char *name, struct hagg_err *err)
{
    char digest[2 * STATE_DIGEST_BYTES + 1], *line;
    struct sheet *sheet;
    size_t at;
    int status;

    if (!state_remembers(s))
        return 0;
    sheet = find(s, key, &at, err);
    if (!sheet)
        return -1;
    put_hex(digest, use, STATE_DIGEST_BYTES);
    if (asprintf(&line, "%" PRIu64 " %" PRIu32 " %s", key->round, key->node.number, digest) < 0)
        return err_errno(err, "%s", sheet->path);
    if (at == sheet->n)
        status = sheet_set(sheet, at, line, err);
    else if (strcmp(sheet->lines[at], line))
        status =
            err_set(err, HAGG_E_PRIVACY,
                    "%s: client %" PRIu32 " has already shared another vector, type or sample "
                    "count, or used another key, in round %" PRIu64 ": repeat it with those of the "
                    "first time, or use a new round for a new vector (state in %s)",
                    name, key->node.number, key->round, s->directory);
    else
        status = 0;
    free(line);
    return status ? -1 : claim_once(s, key, vector, again, name, err);
}

int state_claim_key(struct state *s, const struct state_key *key, const uint8_t digest[MAC_BYTES],
                    const char *name, struct hagg_err *err)
{
    if (!state_remembers(s))
        return 0;
    return state_lock(s, true, err) ? -1 : claim_once(s, key, digest, false, name, err);
}
