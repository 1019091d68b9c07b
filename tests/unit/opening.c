#include "identity/opening.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "identity/sealing.h"
#include "nodes.h"
#include "reader.h"
#include "sample.h"
#include "scratch.h"
#include "writer.h"

#define NOT_AUTHENTIC                                                                              \
    "is not what its sender sealed: it was damaged or changed: get it again from its sender"

enum { MOST = 140000 };

static struct plan plan;
static struct keyring *marked; /* has the keys of all nodes */
static struct sealing sealing;
static uint8_t plain[MOST], out[MOST];
static bool quick;

/* A share of client 1 for station 2 in round 12. */
static void fill(struct header *h)
{
    sample_share_header(h);
    h->from.number = 1;
    memcpy(h->plan, plan.digest, sizeof h->plan);
}

/* Seals a record of n bytes with this sealer, or writes it unsealed; malloc'ed. */
static uint8_t *record(struct sealing *s, const struct header *h, size_t n, size_t *len)
{
    struct hagg_err err = { 0 };
    const char *path = scratch_path("record");
    FILE *file = fopen(path, "w+");
    struct writer *w = writer_new(fileno(file), "record", &err);
    size_t width = header_has_vector(h) ? 4 : 1;

    writer_set_sealer(w, s ? &s->base : NULL, NULL);
    if (!CHECK(writer_begin(w, h, width, n / width, &err) == 0 &&
               writer_elems(w, plain, n / width, &err) == 0 && writer_end(w, &err) == 0)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    writer_free(w);
    fclose(file);
    return feed_content(path, len);
}

/* Reads all of a file of records. Returns what the first failure returned, or the number of records
 * that were open. */
static int read_all(const uint8_t *bytes, size_t n, struct opening *o, struct hagg_err *err)
{
    struct reader *r = reader_open(feed_file(bytes, n), &o->base, err);
    int status, n_open = 0;

    memset(out, 0, sizeof out);
    while ((status = reader_next(r, err)) == 1) {
        size_t done = 0, now, width = reader_elem_size(r);

        if (reader_is_closed(r))
            continue;
        n_open++;
        do {
            status = reader_read(r, out + done * width, MOST / width - done, &now, err);
            done += now;
        } while (status == 0 && now > 0);
        if (status < 0)
            break;
        CHECK(memcmp(out, plain, done * width) == 0);
    }
    reader_free(r);
    return status < 0 ? -1 : n_open;
}

/* Reads one record in the name of a keyring, and in a round unless that is NULL. */
static int open_one(struct keyring *k, const uint64_t *round, const uint8_t *bytes, size_t n,
                    struct hagg_err *err)
{
    struct opening o;

    *err = (struct hagg_err){ 0 };
    opening_init(&o, k, round);
    return read_all(bytes, n, &o, err);
}

static void refuses(struct keyring *k, const uint64_t *round, const uint8_t *bytes, size_t n,
                    const char *message)
{
    struct hagg_err err;

    CHECK(open_one(k, round, bytes, n, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, ": record 1 (byte 0): ") != NULL);
    if (strstr(err.text, "): "))
        CHECK_STR(strstr(err.text, "): ") + 3, message);
    for (size_t i = 0; i < sizeof out; i++)
        if (out[i]) {
            CHECK(!"an element was returned");
            break;
        }
}

/* Only the receiver opens a record, with the key that it is sealed to. */
static void opens_for_the_receiver(void)
{
    static const size_t sizes[] = { 0, 20, 65536, 65540, MOST };
    struct keyring *self = nodes_keyring(&plan, "station-2.pem");
    uint64_t round = 12;
    struct hagg_err err;
    struct header h = { 0 };

    fill(&h);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n;
        uint8_t *bytes = record(&sealing, &h, sizes[i], &n);

        CHECK(open_one(self, NULL, bytes, n, &err) == 1);
        CHECK(open_one(self, &round, bytes, n, &err) == 1);
        CHECK(open_one(marked, NULL, bytes, n, &err) == 1);
        free(bytes);
    }
    header_clear(&h);
    keyring_free(self);
}

static void refuses_unsealed_records(void)
{
    struct header h = { 0 };
    size_t n;
    uint8_t *bytes;
    char want[400];

    fill(&h);
    bytes = record(NULL, &h, 20, &n);
    snprintf(want, sizeof want,
             "is not sealed, but the nodes of %s have identities: get it sealed from its sender",
             plan.name);
    refuses(marked, NULL, bytes, n, want);
    free(bytes);
    header_clear(&h);
}

static void refuses_other_plans(void)
{
    struct header h = { 0 };
    size_t n;
    uint8_t *bytes;
    char want[400];

    fill(&h);
    h.plan[31] ^= 1;
    bytes = record(&sealing, &h, 20, &n);
    snprintf(want, sizeof want,
             "was sealed under a different plan than %s: get the record of this plan", plan.name);
    refuses(marked, NULL, bytes, n, want);
    free(bytes);
    header_clear(&h);
}

/* The round is given, or is that of the first record with a vector. */
static void refuses_other_rounds(void)
{
    uint64_t eleven = 11;
    struct header h = { 0 };
    struct hagg_err err = { 0 };
    struct opening o;
    size_t n, n_other;
    uint8_t *bytes, *other;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    refuses(marked, &eleven, bytes, n,
            "was sealed in round 12, but this is round 11: get the record of this round");
    h.round = 13;
    other = record(&sealing, &h, 20, &n_other);
    opening_init(&o, marked, NULL);
    CHECK(read_all(bytes, n, &o, &err) == 1 && read_all(bytes, n, &o, &err) == 1);
    CHECK(read_all(other, n_other, &o, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "was sealed in round 13, but this is round 12: get the record of this "
                           "round"));
    free(bytes);
    free(other);
    header_clear(&h);
}

static void refuses_records_for_others(void)
{
    struct keyring *self = nodes_keyring(&plan, "station-1.pem");
    struct hagg_err err = { 0 };
    struct header h = { 0 };
    struct opening o;
    struct seal *seal = NULL;
    struct seal_head head = { .width = 4, .n_bytes = 20 };
    size_t n;
    uint8_t *bytes;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    refuses(self, NULL, bytes, n, "is sealed to station 2, but this is station 1");
    free(bytes);
    keyring_free(self);
    /* with the keys of all nodes, a node that the plan does not have */
    opening_init(&o, marked, NULL);
    h.to.number = 9;
    CHECK(o.base.begin(&o.base, &h, &head, &seal, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK_STR(err.text, "is sealed to station 9, which is not in the plan");
    strcpy(h.to.tier, "holder");
    CHECK(o.base.begin(&o.base, &h, &head, &seal, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK_STR(err.text, "is sealed to holder 9, which is not in the plan");
    CHECK(seal == NULL);
    header_clear(&h);
}

/* A roster has one record for each reader: those of others stay closed. */
static void leaves_rosters_of_others_closed(void)
{
    static const uint32_t stations[] = { 1, 2, 3 };
    struct keyring *self = nodes_keyring(&plan, "station-2.pem");
    struct header_range clients = { 1, 2 };
    struct hagg_err err = { 0 };
    uint8_t *all = NULL;
    size_t len = 0, n;
    struct opening o;

    for (size_t i = 0; i < 3; i++) {
        struct header h = {
            .kind = HEADER_ROSTER,
            .from = { "federator", 1 },
            .to = { "station", stations[i] },
            .has_plan = true,
            .has_round = true,
            .round = 12,
            .clients = &clients,
            .n_clients = 1,
        };
        uint8_t *bytes;

        memcpy(h.plan, plan.digest, sizeof h.plan);
        bytes = record(&sealing, &h, 32, &n);
        all = realloc(all, len + n);
        memcpy(all + len, bytes, n);
        len += n;
        free(bytes);
    }
    opening_init(&o, self, NULL);
    CHECK(read_all(all, len, &o, &err) == 1 && err.status == HAGG_OK);
    /* a roster does not set the round */
    CHECK(!o.has_round);
    opening_init(&o, marked, NULL);
    CHECK(read_all(all, len, &o, &err) == 3 && err.status == HAGG_OK);
    free(all);
    keyring_free(self);
}

/* The bytes of both key ids in a sealed record. */
static uint8_t *find_ids(uint8_t *bytes, size_t n)
{
    uint8_t key[X25519_BYTES], id[SEAL_KEY_ID_BYTES];
    struct hagg_err err = { 0 };

    nodes_public(key, (struct node){ NODE_CLIENT, 1 }, false);
    CHECK(identities_key_id(id, key, &err) == 0);
    return memmem(bytes, n, id, sizeof id);
}

static void refuses_unknown_keys(void)
{
    struct hagg_err err = { 0 };
    struct header h = { 0 };
    uint8_t *bytes, *ids, key[X25519_BYTES], id[SEAL_KEY_ID_BYTES];
    struct text digits = { 0 };
    char want[400];
    size_t n;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    ids = find_ids(bytes, n);
    memset(ids, 0xab, 8);
    snprintf(want, sizeof want,
             "is sealed with key abababababababab, which is not a key of client 1 in %s",
             scratch_path(NODES_IDENTITIES));
    refuses(marked, NULL, bytes, n, want);
    /* nor is the key of another node */
    nodes_public(key, (struct node){ NODE_CLIENT, 2 }, false);
    CHECK(identities_key_id(id, key, &err) == 0);
    memcpy(ids, id, sizeof id);
    text_hex(&digits, id, sizeof id);
    snprintf(want, sizeof want, "is sealed with key %s, which is not a key of client 1 in %s",
             digits.bytes, scratch_path(NODES_IDENTITIES));
    refuses(marked, NULL, bytes, n, want);
    text_free(&digits);
    free(bytes);
    bytes = record(&sealing, &h, 20, &n);
    ids = find_ids(bytes, n);
    memset(ids + 9, 0xcd, 8); /* a head is between them */
    snprintf(want, sizeof want,
             "is sealed to key cdcdcdcdcdcdcdcd, which is not a key of station 2 in %s",
             scratch_path(NODES_IDENTITIES));
    refuses(marked, NULL, bytes, n, want);
    free(bytes);
    header_clear(&h);
}

/* Station 2 has two keys. Others seal to the first; the second is accepted from it as a sender. */
static void knows_several_keys_of_a_node(void)
{
    struct keyring *second = nodes_keyring(&plan, NODES_OTHER_KEY);
    struct hagg_err err = { 0 };
    uint8_t key[X25519_BYTES], id[SEAL_KEY_ID_BYTES], *bytes, *ids;
    struct text digits = { 0 };
    struct header h = { 0 };
    struct sealing s;
    char want[400];
    size_t n;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    nodes_public(key, (struct node){ NODE_STATION, 2 }, false);
    CHECK(identities_key_id(id, key, &err) == 0);
    text_hex(&digits, id, sizeof id);
    snprintf(
        want, sizeof want,
        "is sealed to another key of station 2: give the private key with the id %s; if the node "
        "never had it, the list of identities is false: stop, and compare it with the others",
        digits.bytes);
    refuses(second, NULL, bytes, n, want);
    /* a record that claims to be sealed to the second key, but is not */
    nodes_public(key, (struct node){ NODE_STATION, 2 }, true);
    CHECK(identities_key_id(id, key, &err) == 0);
    ids = find_ids(bytes, n);
    memcpy(ids + 9, id, sizeof id);
    refuses(second, NULL, bytes, n, NOT_AUTHENTIC);
    free(bytes);
    text_free(&digits);
    /* from station 2 with its second key, to station 1 */
    sealing_init(&s, second);
    strcpy(h.from.tier, "station");
    h.from.number = 2;
    h.to.number = 1;
    bytes = record(&s, &h, 20, &n);
    CHECK(open_one(marked, NULL, bytes, n, &err) == 1);
    free(bytes);
    header_clear(&h);
    keyring_free(second);
}

/* Somebody else than the sender, who knows the receiver's public key and every header. */
static void refuses_forged_senders(void)
{
    struct hagg_err err = { 0 };
    struct header h = { 0 };
    uint8_t *bytes, *ids, key[X25519_BYTES], id[SEAL_KEY_ID_BYTES], *at;
    size_t n, n_honest;
    uint8_t *honest;

    /* client 2 seals, and then changes "client 2" and the id of its key to those of client 1; the
     * digest is not checked before the first chunk */
    fill(&h);
    honest = record(&sealing, &h, 20, &n_honest);
    h.from.number = 2;
    bytes = record(&sealing, &h, 20, &n);
    CHECK(n == n_honest);
    nodes_public(key, (struct node){ NODE_CLIENT, 2 }, false);
    CHECK(identities_key_id(id, key, &err) == 0);
    ids = memmem(bytes, n, id, sizeof id);
    at = find_ids(honest, n_honest);
    CHECK(ids && at && ids - bytes == at - honest);
    memcpy(bytes, honest, (size_t)(at - honest) + 17);
    refuses(marked, NULL, bytes, n, NOT_AUTHENTIC);
    free(bytes);
    free(honest);
    header_clear(&h);
}

/* Every bit of a small sealed record: it is refused, and not one element is returned. */
static void notices_every_flipped_bit(void)
{
    struct header h = { 0 };
    size_t n, n_privacy = 0, n_malformed = 0, accepted = 0, returned = 0, unnoticed = 0;
    uint8_t *bytes;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    for (size_t bit = 0; bit < 8 * n; bit += quick ? 59 : 1) {
        struct hagg_err err;
        int status;

        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        status = open_one(marked, NULL, bytes, n, &err);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        accepted += status != -1;
        n_privacy += err.status == HAGG_E_PRIVACY;
        n_malformed += err.status == HAGG_E_MALFORMED;
        /* in the only chunk, of 20 bytes and a tag, the seal notices it before the digest */
        unnoticed += bit / 8 >= n - 17 - 36 && bit / 8 < n - 17 && err.status != HAGG_E_PRIVACY;
        for (size_t i = 0; i < 20 && bit < 8 * (n - 17); i++)
            returned += out[i] != 0;
        if (status != -1 || (err.status != HAGG_E_PRIVACY && err.status != HAGG_E_MALFORMED))
            fprintf(stderr, "bit %zu: status %d, %s\n", bit, status, err.text);
    }
    CHECK(accepted == 0 && returned == 0);
    CHECK(n_privacy + n_malformed == (quick ? (8 * n + 58) / 59 : 8 * n));
    CHECK(unnoticed == 0 && n_malformed > 0);
    free(bytes);
    header_clear(&h);
}

/* enc is zero: the shared secret would be known to everybody. */
static void refuses_unusable_enc(void)
{
    struct header h = { 0 };
    uint8_t *bytes, *ids;
    size_t n;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    ids = find_ids(bytes, n);
    memset(ids + 8 + 1 + 8 + 2, 0, SEAL_ENC_BYTES);
    refuses(marked, NULL, bytes, n, NOT_AUTHENTIC);
    free(bytes);
    header_clear(&h);
}

static void needs_the_private_key(void)
{
    const char *file = scratch_path("station-2.pem");
    struct keyring *k = nodes_keyring(&plan, NODES_KEYS);
    struct header h = { 0 };
    uint8_t *bytes;
    char want[600];
    size_t n;

    fill(&h);
    bytes = record(&sealing, &h, 20, &n);
    chmod(file, 0640);
    snprintf(want, sizeof want,
             "%s: is secret, but others have permissions for it (mode 0640): if nobody has read "
             "it, use chmod 600 %s; otherwise make a new one",
             file, file);
    refuses(k, NULL, bytes, n, want);
    chmod(file, 0600);
    free(bytes);
    header_clear(&h);
    keyring_free(k);
}

static void reports_missing_memory(void)
{
    struct header h = { 0 };
    struct seal_head head = { .width = 4, .n_bytes = 20 };
    struct hagg_err err = { 0 };
    struct seal *made = NULL;
    unsigned long at = 0;

    fill(&h);
    CHECK(sealing.base.begin(&sealing.base, &h, NULL, &head, &made, &err) == 1);
    seal_free(made);
    for (bool refused = true; refused; at++) {
        struct opening o;
        int status;

        err = (struct hagg_err){ 0 };
        made = NULL;
        opening_init(&o, marked, NULL);
        alloc_refuse(at);
        status = o.base.begin(&o.base, &h, &head, &made, &err);
        refused = alloc_refused();
        alloc_watch();
        CHECK(status == (refused ? -1 : 0) && (made == NULL) == refused);
        CHECK(refused ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
        seal_free(made);
    }
    CHECK(at > 4);
    header_clear(&h);
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    for (size_t i = 0; i < MOST; i++)
        plain[i] = (uint8_t)(i * 31 + i / 255 + 1) | 1;
    nodes_load(&plan);
    marked = nodes_keyring(&plan, NODES_KEYS);
    sealing_init(&sealing, marked);
    opens_for_the_receiver();
    refuses_unsealed_records();
    refuses_other_plans();
    refuses_other_rounds();
    refuses_records_for_others();
    leaves_rosters_of_others_closed();
    refuses_unknown_keys();
    knows_several_keys_of_a_node();
    refuses_forged_senders();
    notices_every_flipped_bit();
    refuses_unusable_enc();
    needs_the_private_key();
    reports_missing_memory();
    keyring_free(marked);
    plan_free(&plan);
    return check_end();
}
