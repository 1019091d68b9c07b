#include "secrets/keyfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "plan/plan_digest.h"
#include "plan/plan_seeds.h"
#include "reader.h"
#include "records/seed.h"
#include "sharing/uniform.h"

/* Bytes of the key that are drawn and written at once. */
#define BLOCK_BYTES (1024u * 1024)

/* Makes an entry in the state for a key from a random source. The generator never repeats an id. */
static int remember(const struct keyfile_need *need, const uint8_t id[16], struct hagg_err *err)
{
    static const char what[] = "identity of a key"; /* so that this is no multiple of 8 bytes */
    struct state_key entry = {
        .plan = need->plan->digest,
        .node = { .tier = "client", .number = need->client },
        .what = STATE_KEY,
        .round = need->round,
    };
    uint8_t digest[MAC_BYTES];
    struct mac *mac;
    int status;

    if (!need->random_source || !state_remembers(need->state))
        return 0;
    mac = state_mac(need->state, err);
    if (!mac)
        return -1;
    status = mac_add(mac, what, sizeof what - 1, err) || mac_add(mac, id, 16, err) ||
                     mac_end(mac, digest, err) ||
                     state_claim_key(need->state, &entry, digest, need->random_source, err)
                 ? -1
                 : state_commit(need->state, err);
    mac_free(mac);
    return status;
}

/* Draws the elements and writes them. */
static int write_elems(const struct keyfile_need *need, const struct header *h,
                       struct random *random, struct writer *w, struct hagg_err *err)
{
    const struct field *f = need->plan->field;
    size_t size = field_elem_size(f), max = BLOCK_BYTES / size;
    unsigned char *block;
    int status;

    /* the block is wiped in the end, so it is no larger than a short key needs */
    if (need->length < max)
        max = need->length > 0 ? (size_t)need->length : 1;
    block = malloc(max * size);
    if (!block)
        return err_errno(err, "no memory for random elements");
    status = writer_begin(w, h, size, need->length, err);
    progress_expect(need->progress, need->length * size);
    for (uint64_t at = 0; at < need->length && status == 0; at += max) {
        size_t now = need->length - at < max ? (size_t)(need->length - at) : max;

        status = uniform_elems(f, random, block, now, err);
        if (status == 0)
            status = writer_elems(w, block, now, err);
        progress_add(need->progress, now * size);
    }
    explicit_bzero(block, max * size);
    free(block);
    return status;
}

static int write_seed(const struct header *h, struct random *random, struct writer *w,
                      struct hagg_err *err)
{
    unsigned char seed[EXPAND_SEED_BYTES];
    int status = random_bytes(random, seed, sizeof seed, err) ||
                         writer_begin(w, h, 1, sizeof seed, err) ||
                         writer_elems(w, seed, sizeof seed, err)
                     ? -1
                     : 0;

    explicit_bzero(seed, sizeof seed);
    return status;
}

/* Returns true if the client sends its key as a seed. Under full collusion the key is shared, and
 * then it must be uniform: it hides the vector from those who have shares of the padded vector. */
static bool is_seed(const struct keyfile_need *need)
{
    const struct topology *t = &need->plan->topology;
    const struct topology_client *client = topology_client(t, need->client);

    return client && !t->full && t->groups[client->group].computational;
}

int keyfile_write(const struct keyfile_need *need, struct random *random, struct writer *w,
                  struct hagg_err *err)
{
    struct header_range client = { need->client, need->client };
    struct header h = {
        .kind = HEADER_VECTOR,
        .secret = HEADER_KEY,
        .length = need->length,
        .samples = need->plan->topology.samples,
        .has_round = true,
        .round = need->round,
        .clients = &client,
        .n_clients = 1,
        .has_plan = true,
        .has_id = true,
        .seed = is_seed(need),
    };

    if (h.seed && plan_seeds_check(need->plan, err))
        return -1;
    memcpy(h.field, need->plan->field->spec, sizeof h.field);
    memcpy(h.plan, need->plan->digest, sizeof h.plan);
    if (random_bytes(random, h.id, sizeof h.id, err) || remember(need, h.id, err) ||
        (h.seed ? write_seed(&h, random, w, err) : write_elems(need, &h, random, w, err)))
        return -1;
    return writer_end(w, err);
}

static int check(const struct reader *r, const struct keyfile_need *need, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (h->kind != HEADER_VECTOR || h->secret != HEADER_KEY || !h->has_id || h->n_clients == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is not a key: make one with hagg-keygen");
    if (!h->has_plan)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "key was made without a plan: make one with hagg-keygen");
    if (!plan_digest_is(need->plan, h))
        return plan_digest_fail(need->plan, r, "key ", err);
    if (header_count_clients(h) != 1)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a sum of keys, not the key of a client");
    if (h->clients[0].first != need->client)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "key belongs to client %u, but this is client %u", h->clients[0].first,
                           need->client);
    if (h->round != need->round)
        return reader_fail(r, err, HAGG_E_MISMATCH, "key is for round %llu, but this is round %llu",
                           (unsigned long long)h->round, (unsigned long long)need->round);
    if (h->length != need->length)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "key has %llu elements, but the vector has %llu",
                           (unsigned long long)h->length, (unsigned long long)need->length);
    if (h->seed != is_seed(need))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "key is %s seed, unlike those of this plan: make one with hagg-keygen",
                           h->seed ? "a" : "no");
    if (strcmp(h->field, need->plan->field->spec) ||
        (!h->seed && reader_elem_size(r) != field_elem_size(need->plan->field)))
        return reader_fail(r, err, HAGG_E_MALFORMED, "key is not over the plan's field");
    return 0;
}

/* Reads a seed, and expands it. */
static int load_seed(struct reader *r, const struct keyfile_need *need, struct keyfile_key *key,
                     struct hagg_err *err)
{
    struct expand *e;
    int status;

    if (seed_read(r, key->seed, err))
        return -1;
    e = expand_new(need->plan->field, key->seed, err);
    status = e ? expand_elems(e, 0, key->elems, (size_t)need->length, err) : -1;
    expand_free(e);
    return status;
}

static int load(struct reader *r, const struct keyfile_need *need, struct keyfile_key *key,
                struct hagg_err *err)
{
    const struct field *f = need->plan->field;
    size_t got;

    if (reader_header(r)->seed ? load_seed(r, need, key, err)
                               : reader_read(r, key->elems, (size_t)need->length + 1, &got, err))
        return -1;
    if (!reader_header(r)->seed && field_check(f, key->elems, got) < got)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "key has values that are not elements of field '%s'", f->spec);
    memcpy(key->id, reader_header(r)->id, sizeof key->id);
    return 0;
}

void keyfile_forget(struct keyfile_key *key)
{
    if (key->elems)
        explicit_bzero(key->elems, key->len_bytes);
    free(key->elems);
    explicit_bzero(key, sizeof *key);
}

int keyfile_next(struct reader *r, const struct keyfile_need *need, struct keyfile_key *key,
                 struct hagg_err *err)
{
    size_t size = field_elem_size(need->plan->field);
    size_t n = (size_t)(need->room > need->length ? need->room : need->length);
    int got = reader_next(r, err);

    *key = (struct keyfile_key){ 0 };
    if (got == 0)
        return err_set(err, HAGG_E_MALFORMED,
                       reader_record(r) > 0 ? "%s: ends too early: the key is missing"
                                            : "%s: is empty: it contains no key",
                       reader_name(r));
    if (got < 0 || check(r, need, err) || reader_check_private(r, err))
        return -1;
    key->elems = calloc(n + 1, size);
    key->len_bytes = (size_t)need->length * size;
    large_hint(key->elems, n * size);
    if (!key->elems)
        return err_errno(err, "%s", reader_name(r));
    if (load(r, need, key, err) == 0)
        return 0;
    keyfile_forget(key);
    return -1;
}

int keyfile_end(struct reader *r, struct hagg_err *err)
{
    int next = reader_next(r, err);

    if (next > 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is an extra record: a key file contains one");
    return next;
}

int keyfile_load(const char *path, const struct keyfile_need *need, struct keyfile_key *key,
                 struct hagg_err *err)
{
    struct reader *r = reader_open(path, NULL, err);
    int status = r ? keyfile_next(r, need, key, err) : -1;

    if (!r)
        *key = (struct keyfile_key){ 0 };
    if (status == 0 && keyfile_end(r, err)) {
        keyfile_forget(key);
        status = -1;
    }
    reader_free(r);
    return status;
}
