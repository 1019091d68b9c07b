#include "identity/sealing.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "crypto/random.h"
#include "nodes.h"
#include "sample.h"
#include "scratch.h"
#include "writer.h"

#define CLIENT(n)  ((struct node){ NODE_CLIENT, n })
#define STATION(n) ((struct node){ NODE_STATION, n })

static struct plan plan;
static bool quick;
static const uint8_t seed[SEAL_SEED_BYTES] = { 7, 1, 2, 3 };

/* A share of client 1 for station 2, with every field that a share can have. */
static void fill(struct header *h)
{
    sample_share_header(h);
    h->from.number = 1;
    memcpy(h->plan, plan.digest, sizeof h->plan);
}

/* Asks the sealer about a record and drops its seal. Returns its answer. */
static int seal(struct sealing *s, const struct header *h, const uint8_t *with, size_t width,
                uint64_t n_bytes, struct seal_head *head, struct hagg_err *err)
{
    struct seal *made = NULL;
    int status;

    *err = (struct hagg_err){ 0 };
    *head = (struct seal_head){ .width = width, .n_bytes = n_bytes };
    status = s->base.begin(&s->base, h, with, head, &made, err);
    CHECK((made != NULL) == (status == 1));
    seal_free(made);
    return status;
}

static struct keyring *marked;
static struct sealing sealing;

static void names_both_keys(void)
{
    struct hagg_err err;
    struct seal_head head;
    uint8_t key[X25519_BYTES], id[SEAL_KEY_ID_BYTES];
    struct header h = { 0 };

    fill(&h);
    CHECK(seal(&sealing, &h, NULL, 4, 20, &head, &err) == 1);
    nodes_public(key, CLIENT(1), false);
    CHECK(identities_key_id(id, key, &err) == 0 && memcmp(head.from_key, id, sizeof id) == 0);
    /* the first key of the receiver */
    nodes_public(key, STATION(2), false);
    CHECK(identities_key_id(id, key, &err) == 0 && memcmp(head.to_key, id, sizeof id) == 0);
    header_clear(&h);
}

static void refuses(struct sealing *s, struct header *h, enum hagg_status status,
                    const char *message)
{
    struct hagg_err err;
    struct seal_head head;

    CHECK(seal(s, h, NULL, 4, 20, &head, &err) == -1);
    CHECK(err.status == status);
    CHECK_STR(err.text, message);
    header_clear(h);
}

static void refuses_what_cannot_be_sealed(void)
{
    struct keyring *one = nodes_keyring(&plan, "station-2.pem");
    struct sealing s;
    struct header h = { 0 };
    char want[600];

    fill(&h);
    h.has_plan = false;
    refuses(&sealing, &h, HAGG_E_MALFORMED, "a sealed record needs 'from', 'to' and 'plan'");
    for (int i = 0; i < 2; i++) {
        fill(&h);
        (i == 0 ? &h.from : &h.to)->tier[0] = 0;
        refuses(&sealing, &h, HAGG_E_PRIVACY,
                "cannot be sealed, because it is not from one node to another: act as one node, "
                "with --station or --relay");
    }
    fill(&h);
    h.to.number = 9;
    snprintf(want, sizeof want, "cannot be sealed: %s has no key of station 9",
             scratch_path(NODES_IDENTITIES));
    refuses(&sealing, &h, HAGG_E_PRIVACY, want);
    fill(&h);
    strcpy(h.to.tier, "holder");
    snprintf(want, sizeof want, "cannot be sealed: %s has no key of holder 2",
             scratch_path(NODES_IDENTITIES));
    refuses(&sealing, &h, HAGG_E_PRIVACY, want);
    fill(&h);
    strcpy(h.from.tier, "holder");
    snprintf(want, sizeof want, "cannot be sealed: %s has no key of holder 1",
             scratch_path(NODES_IDENTITIES));
    refuses(&sealing, &h, HAGG_E_PRIVACY, want);
    fill(&h);
    h.from.number = 9;
    snprintf(want, sizeof want, "%s: No such file or directory", scratch_path("client-9.pem"));
    refuses(&sealing, &h, HAGG_E_SYSTEM, want);
    sealing_init(&s, one);
    fill(&h);
    snprintf(want, sizeof want, "%s is the private key of station 2, not of client 1",
             scratch_path("station-2.pem"));
    refuses(&s, &h, HAGG_E_PRIVACY, want);
    keyring_free(one);
}

/* All ephemeral public keys that were seen, which must differ. */
static uint8_t (*encs)[SEAL_ENC_BYTES];
static const char **names;
static size_t n_encs;

static void is_new(const uint8_t enc[SEAL_ENC_BYTES], const char *name)
{
    for (size_t i = 0; i < n_encs; i++)
        if (memcmp(encs[i], enc, SEAL_ENC_BYTES) == 0) {
            fprintf(stderr, "'%s' gives the same ephemeral key as '%s'\n", name, names[i]);
            CHECK(!"the same ephemeral key for another record");
            return;
        }
    CHECK(true);
    encs = realloc(encs, (n_encs + 1) * sizeof *encs);
    names = realloc(names, (n_encs + 1) * sizeof *names);
    memcpy(encs[n_encs], enc, SEAL_ENC_BYTES);
    names[n_encs++] = name;
}

static void add(struct header *h, const char *name)
{
    struct hagg_err err;
    struct seal_head head, again;

    if (CHECK(seal(&sealing, h, seed, 4, 20, &head, &err) == 1))
        is_new(head.enc, name);
    else
        fprintf(stderr, "%s: %s\n", name, err.text);
    /* the same again */
    CHECK(seal(&sealing, h, seed, 4, 20, &again, &err) == 1);
    CHECK(memcmp(&head, &again, sizeof head) == 0);
}

/* Changes one thing in a copy of the header and adds it. */
#define CHANGE(filler, name, change)                                                               \
    do {                                                                                           \
        struct header h = { 0 };                                                                   \
        filler(&h);                                                                                \
        change;                                                                                    \
        add(&h, name);                                                                             \
        header_clear(&h);                                                                          \
    } while (0)

static void fill_transfer(struct header *h)
{
    sample_transfer_header(h);
    h->from.number = 1;
    h->has_plan = true;
    memcpy(h->plan, plan.digest, sizeof h->plan);
}

static void *copy(const void *bytes, size_t n)
{
    return memcpy(malloc(n), bytes, n);
}

/* A mask of station 1 for station 2. */
static void fill_mask(struct header *h)
{
    static const struct header_range one = { 1, 1 };
    static const uint32_t blocks[] = { 1, 2 };

    *h = (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_MASK,
        .field = "m31",
        .scheme = { "ramp", .n = 2, .k = 2, .z = 1, .index = 1, .has_point = true, .point = 2 },
        .n_route = 1,
        .n_segments = 4,
        .n_blocks = 2,
        .chunks = 2,
        .n_dealers = 1,
        .from = { "station", 1 },
        .to = { "station", 2 },
        .has_plan = true,
        .length = 5,
    };
    memcpy(h->plan, plan.digest, sizeof h->plan);
    h->route = calloc(1, sizeof *h->route);
    strcpy(h->route->name, "station");
    h->route->numbers = copy(blocks, sizeof blocks);
    h->route->n_numbers = 2;
    h->blocks = copy(blocks, sizeof blocks);
    h->dealers = copy(&one, sizeof one);
}

static void fill_summand(struct header *h)
{
    static const struct header_range stations = { 1, 2 }, basis = { 1, 3 }, clients = { 1, 3 };

    *h = (struct header){
        .kind = HEADER_SUMMAND,
        .secret = HEADER_PLAIN,
        .field = "m31",
        .n_stations = 1,
        .n_basis = 1,
        .n_clients = 1,
        .from = { "relay", 1 },
        .to = { "federator", 1 },
        .has_plan = true,
        .has_round = true,
        .length = 5,
    };
    memcpy(h->plan, plan.digest, sizeof h->plan);
    h->stations = copy(&stations, sizeof stations);
    h->basis = copy(&basis, sizeof basis);
    h->clients = copy(&clients, sizeof clients);
}

static void fill_data(struct header *h)
{
    *h = (struct header){
        .kind = HEADER_DATA,
        .from = { "client", 1 },
        .to = { "station", 2 },
        .has_plan = true,
        .has_id = true,
        .has_part = true,
    };
    memcpy(h->plan, plan.digest, sizeof h->plan);
}

static void fill_roster(struct header *h)
{
    static const struct header_range clients = { 1, 2 };

    *h = (struct header){
        .kind = HEADER_ROSTER,
        .from = { "federator", 1 },
        .to = { "station", 2 },
        .has_plan = true,
        .has_round = true,
        .round = 12,
        .n_clients = 1,
    };
    memcpy(h->plan, plan.digest, sizeof h->plan);
    h->clients = copy(&clients, sizeof clients);
}

/* With one seed, a change of anything in the header gives another ephemeral key. */
static void depends_on_the_whole_header(void)
{
    CHANGE(fill, "share", );
    CHANGE(fill, "of", h.secret = HEADER_KEY);
    CHANGE(fill, "field", strcpy(h.field, "m61"));
    CHANGE(fill, "scheme", strcpy(h.scheme.name, "other"));
    CHANGE(fill, "k", h.scheme.k = 3);
    CHANGE(fill, "z", h.scheme.z = 0);
    CHANGE(fill, "index", h.scheme.index = 2);
    CHANGE(fill, "no point", h.scheme.has_point = false);
    CHANGE(fill, "point", h.scheme.point = 3);
    CHANGE(fill, "route", h.route[0].numbers[2] = 6);
    CHANGE(fill, "name of a tier", strcpy(h.route[1].name, "rely"));
    CHANGE(fill, "length of the route", (h.n_route = 1, free(h.route[1].numbers)));
    CHANGE(fill, "layout", (h.layout = copy(&(uint32_t){ 2 }, sizeof(uint32_t)), h.n_layout = 1));
    CHANGE(fill, "from", h.from.number = 2);
    CHANGE(fill, "tier of from", strcpy(h.from.tier, "station"));
    CHANGE(fill, "to", h.to.number = 3);
    CHANGE(fill, "tier of to", strcpy(h.to.tier, "relay"));
    CHANGE(fill, "no round", h.has_round = false);
    CHANGE(fill, "round", h.round = 13);
    CHANGE(fill, "round 0", h.round = 0);
    CHANGE(fill, "no shape", (free(h.shape), h.shape = NULL, h.n_shape = 0, h.has_shape = false));
    CHANGE(fill, "shape", (h.shape[0] = 1, h.shape[1] = 4));
    CHANGE(fill, "length", (h.length = 7, h.shape[0] = 3));
    CHANGE(fill, "samples", (h.samples = false, h.shape[0] = 5, h.shape[1] = 1));
    CHANGE(fill, "type", strcpy(h.type, "f8"));
    CHANGE(fill, "bits", h.quant.bits = 15);
    CHANGE(fill, "clip", h.quant.clip = 1.25);
    CHANGE(fill, "rounding", h.quant.rounding = HEADER_NEAREST);
    CHANGE(fill, "clients", h.clients[1] = ((struct header_range){ 8, 8 }));
    CHANGE(fill, "fewer clients", h.n_clients = 1);
    CHANGE(fill, "first byte of the plan", h.plan[0] ^= 1);
    CHANGE(fill, "last byte of the plan", h.plan[31] ^= 0x80);
    CHANGE(fill, "no id", h.has_id = false);
    CHANGE(fill, "first byte of the id", h.id[0] ^= 0x80);
    CHANGE(fill, "last byte of the id", h.id[15] ^= 1);
    CHANGE(fill, "mix", h.has_mix = true);
    CHANGE(fill, "value of the mix", (h.has_mix = true, h.mix[15] = 1));
    CHANGE(fill, "extension", h.extensions[0].value[1] = 'H');
    CHANGE(fill, "name of an extension", h.extensions[0].name[2] = 'm');
    CHANGE(fill, "fewer extensions", (h.n_extensions = 1, free(h.extensions[1].value)));
    CHANGE(fill_transfer, "transfer", );
    CHANGE(fill_transfer, "source", h.source.point = 5);
    CHANGE(fill_transfer, "k of the source", h.source.k = 3);
    CHANGE(fill_transfer, "index of the source", h.source.index = 2);
    CHANGE(fill_transfer, "carrier", h.carrier = 2);
    CHANGE(fill_transfer, "no carrier", h.has_carrier = false);
    CHANGE(fill_transfer, "layout of a transfer", h.layout[1] = 299);
    CHANGE(fill_mask, "mask", );
    CHANGE(fill_mask, "segments", h.n_segments = 5);
    CHANGE(fill_mask, "blocks", h.blocks[1] = 3);
    CHANGE(fill_mask, "chunks", h.chunks = 1);
    CHANGE(fill_mask, "dealer", (h.dealers[0].first = 2, h.dealers[0].last = 2));
    CHANGE(fill_summand, "summand", );
    CHANGE(fill_summand, "stations", h.stations[0].last = 1);
    CHANGE(fill_summand, "basis", h.basis[0].last = 4);
    CHANGE(fill_data, "data", );
    CHANGE(fill_data, "part", h.part = 1);
    CHANGE(fill_data, "last", h.last = true);
    CHANGE(fill_data, "id of data", h.id[3] = 1);
    CHANGE(fill_roster, "roster", );
    CHANGE(fill_roster, "round of a roster", h.round = 11);
    CHANGE(fill_roster, "clients of a roster", h.clients[0].last = 3);
}

/* With one header, a change of anything else does so too. */
static void depends_on_everything_else(void)
{
    static const uint64_t lengths[] = { 0, 24, 65536, 65540, UINT64_C(1) << 40 };
    struct hagg_err err;
    struct seal_head head;
    struct header h = { 0 };

    fill(&h);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        CHECK(seal(&sealing, &h, seed, 4, lengths[i], &head, &err) == 1);
        is_new(head.enc, "length of the payload");
    }
    for (size_t width = 1; width <= 8; width *= 2)
        if (width != 4) {
            CHECK(seal(&sealing, &h, seed, width, 20, &head, &err) == 1);
            is_new(head.enc, "width");
        }
    for (size_t bit = 0; bit < 8 * sizeof seed; bit += quick ? 37 : 1) {
        uint8_t other[SEAL_SEED_BYTES];

        memcpy(other, seed, sizeof other);
        other[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(seal(&sealing, &h, other, 4, 20, &head, &err) == 1);
        is_new(head.enc, "seed");
    }
    header_clear(&h);
}

/* Another key of the sender, and of the receiver, under the same header. */
static void depends_on_both_keys(void)
{
    struct keyring *second = nodes_keyring(&plan, NODES_OTHER_KEY), *k;
    struct hagg_err err = { 0 };
    struct text text = { 0 }, ids = { 0 };
    struct plan turned = { 0 };
    struct seal_head head, before;
    struct sealing s;
    struct header h = { 0 };
    uint8_t key[X25519_BYTES];
    char *line;

    fill(&h);
    strcpy(h.from.tier, "station");
    h.from.number = 2;
    h.to.number = 1;
    CHECK(seal(&sealing, &h, seed, 4, 20, &before, &err) == 1);
    is_new(before.enc, "first key of station 2");
    sealing_init(&s, second);
    CHECK(seal(&s, &h, seed, 4, 20, &head, &err) == 1);
    is_new(head.enc, "second key of station 2");
    CHECK(memcmp(head.from_key, before.from_key, sizeof head.from_key) != 0);
    CHECK(memcmp(head.to_key, before.to_key, sizeof head.to_key) == 0);
    keyring_free(second);
    /* the identities with the second key of station 2 before the first */
    nodes_public(key, STATION(2), true);
    text_printf(&ids, "%s", nodes_line(STATION(2), key));
    CHECK(topology_read(&text, scratch_path(NODES_IDENTITIES), &err) == 0);
    line = strstr(text.bytes, ids.bytes);
    text_printf(&ids, "%.*s", (int)(line - text.bytes), text.bytes);
    scratch_write(scratch_path("turned-"), ids.bytes, ids.len);
    text_free(&ids);
    text_free(&text);
    CHECK(topology_read(&text, scratch_path(NODES_PLAN), &err) == 0);
    memcpy(strstr(text.bytes, "ids.txt"), "turned-", 7);
    scratch_write(scratch_path("turned.topo"), text.bytes, text.len);
    text_free(&text);
    if (!CHECK(plan_load(&turned, scratch_path("turned.topo"), &err) == 0))
        return;
    k = nodes_keyring(&turned, NODES_KEYS);
    sealing_init(&s, k);
    header_clear(&h);
    fill(&h);
    CHECK(seal(&s, &h, seed, 4, 20, &head, &err) == 1);
    is_new(head.enc, "second key of the receiver");
    keyring_free(k);
    plan_free(&turned);
    header_clear(&h);
}

/* Without a seed every seal is a new one, of one record or of many. */
static void never_repeats_without_a_seed(void)
{
    size_t n = quick ? 20 : 1500;
    struct hagg_err err;
    struct seal_head head;
    struct header h = { 0 };

    fill(&h);
    for (size_t i = 0; i < n; i++) {
        h.round = i / 3;
        CHECK(seal(&sealing, &h, NULL, 4, 20, &head, &err) == 1);
        is_new(head.enc, "no seed");
    }
    header_clear(&h);
}

/* Whole records: the same bytes with one seed, others without. */
static void seals_the_same_bytes_with_a_seed(void)
{
    enum { N = 70000 };
    static uint8_t elems[N];
    static const uint8_t other[SEAL_SEED_BYTES] = { 8 };
    const uint8_t *const seeds[] = { seed, seed, other, NULL, NULL };
    char *content[5] = { 0 };
    size_t n[5];
    struct hagg_err err = { 0 };
    struct header h = { 0 };

    fill(&h);
    for (size_t i = 0; i < 5; i++) {
        struct writer *w;
        FILE *file = fopen(scratch_path("sealed"), "w+");

        w = writer_new(fileno(file), "sealed", &err);
        writer_set_sealer(w, &sealing.base, seeds[i]);
        CHECK(writer_begin(w, &h, 4, N / 4, &err) == 0);
        CHECK(writer_elems(w, elems, i == 1 ? 1000 : N / 4, &err) == 0);
        if (i == 1)
            CHECK(writer_elems(w, elems + 4000, N / 4 - 1000, &err) == 0);
        CHECK(writer_end(w, &err) == 0);
        writer_free(w);
        fseek(file, 0, SEEK_END);
        n[i] = (size_t)ftell(file);
        content[i] = malloc(n[i]);
        rewind(file);
        CHECK(n[i] > N && fread(content[i], 1, n[i], file) == n[i]);
        fclose(file);
    }
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < i; j++) {
            /* the tag, which depends on all of the chunk and on its key */
            bool same_tag = memcmp(content[i] + n[i] - 33, content[j] + n[j] - 33, 16) == 0;

            CHECK(n[i] == n[j]);
            CHECK((memcmp(content[i], content[j], n[i]) == 0) == (i == 1 && j == 0));
            CHECK(same_tag == (i == 1 && j == 0));
        }
    for (size_t i = 0; i < 5; i++)
        free(content[i]);
    header_clear(&h);
}

static void reports_missing_memory(void)
{
    struct header h = { 0 };
    unsigned long at = 0;

    fill(&h);
    for (bool refused = true; refused; at++) {
        struct hagg_err err = { 0 };
        struct seal_head head = { .width = 4, .n_bytes = 20 };
        struct seal *made = NULL;
        int status;

        alloc_refuse(at);
        status = sealing.base.begin(&sealing.base, &h, seed, &head, &made, &err);
        refused = alloc_refused();
        alloc_watch();
        CHECK(status == (refused ? -1 : 1) && (made == NULL) == refused);
        CHECK(refused ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
        seal_free(made);
    }
    CHECK(at > 5);
    header_clear(&h);
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    nodes_load(&plan);
    marked = nodes_keyring(&plan, NODES_KEYS);
    sealing_init(&sealing, marked);
    names_both_keys();
    refuses_what_cannot_be_sealed();
    depends_on_the_whole_header();
    depends_on_everything_else();
    depends_on_both_keys();
    never_repeats_without_a_seed();
    seals_the_same_bytes_with_a_seed();
    reports_missing_memory();
    keyring_free(marked);
    plan_free(&plan);
    free(encs);
    free(names);
    return check_end();
}
