#include "decode/decode.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "reference.h"
#include "scratch.h"

static const struct reference m31 = { "m31", (1ull << 31) - 1 };
static uint64_t state = 23;

enum { N = 4, LENGTH = 10 };

/* One pattern: sums of shares at n stations with k = 2, z = 1 (so one part), and the total of the
 * keys. */
struct round {
    uint32_t first_client, last_client;
    uint64_t secret[LENGTH], key[LENGTH], noise[LENGTH];
};

static void fill_round(struct round *r, uint32_t first, uint32_t last)
{
    *r = (struct round){ .first_client = first, .last_client = last };
    for (size_t i = 0; i < LENGTH; i++) {
        r->secret[i] = reference_elem(&m31, &state);
        r->key[i] = reference_elem(&m31, &state);
        r->noise[i] = reference_elem(&m31, &state);
    }
}

static void base_header(struct header *h, struct header_range *clients, const struct round *r)
{
    *clients = (struct header_range){ r->first_client, r->last_client };
    *h = (struct header){
        .field = "m31",
        .to = { "federator", 1 },
        .has_round = true,
        .round = 1,
        .length = LENGTH,
        .clients = clients,
        .n_clients = r->first_client > 0,
    };
}

/* Writes the sum of station u, counted from 0, with n elements. If spoilt, the third is wrong by
 * one. */
static void add_elems(const char *path, const struct round *r, const uint32_t *stations, uint32_t u,
                      bool spoilt, size_t n)
{
    uint32_t numbers[N];
    struct header_tier tier = { .name = "station", .numbers = numbers, .n_numbers = N };
    struct header_range clients;
    uint64_t elems[LENGTH];
    struct header h;

    memcpy(numbers, stations, sizeof numbers);
    base_header(&h, &clients, r);
    h.kind = HEADER_SHARE;
    h.secret = HEADER_PADDED;
    h.scheme = (struct header_scheme){ .name = "ramp", .n = N, .k = 2, .z = 1, .index = u };
    h.scheme.has_point = true;
    h.scheme.point = u + 1;
    h.route = &tier;
    h.n_route = 1;
    for (size_t i = 0; i < LENGTH; i++)
        elems[i] = reference_add(&m31, reference_add(&m31, r->secret[i], r->key[i]),
                                 reference_mul(&m31, r->noise[i], u + 1));
    if (spoilt)
        elems[2] = reference_add(&m31, elems[2], 1);
    scratch_record(path, &h, 4, elems, n);
}

static void add_share(const char *path, const struct round *r, const uint32_t *stations, uint32_t u,
                      bool spoilt)
{
    add_elems(path, r, stations, u, spoilt, LENGTH);
}

static void add_key(const char *path, const struct round *a, const struct round *b,
                    const char *tier, uint32_t number)
{
    struct header_range clients[2];
    uint64_t elems[LENGTH];
    struct header h;

    base_header(&h, clients, a);
    if (b) {
        clients[1] = (struct header_range){ b->first_client, b->last_client };
        h.n_clients = 2;
    }
    h.secret = HEADER_KEY;
    h.to = (struct header_node){ .number = number };
    strcpy(h.to.tier, tier);
    for (size_t i = 0; i < LENGTH; i++)
        elems[i] = b ? reference_add(&m31, a->key[i], b->key[i]) : a->key[i];
    scratch_record(path, &h, 4, elems, LENGTH);
}

static const uint32_t near[N] = { 1, 2, 3, 4 }, far[N] = { 5, 6, 7, 8 };

static struct decode *add_all(const struct decode_options *o, struct hagg_err *err)
{
    struct decode *d = decode_new(o, err);

    *err = (struct hagg_err){ 0 };
    if (decode_add(d, scratch_path("in"), err) == 0 && decode_run(d, err) == 0)
        return d;
    decode_free(d);
    return NULL;
}

static void begin(void)
{
    unlink(scratch_path("in"));
}

/* Two patterns, with any two stations of each. */
static void decodes(void)
{
    const struct decode_options o = { .minimum = 2 };
    struct round a, b;
    struct hagg_err err;

    fill_round(&a, 1, 3);
    fill_round(&b, 7, 7);
    for (unsigned set = 0; set < 1u << N; set++) {
        size_t wrong = 0, at = 0;
        struct decode_blame blame;
        struct decode *d;

        if (__builtin_popcount(set) < 2)
            continue;
        begin();
        add_key(scratch_path("in"), &a, &b, "federator", 1);
        for (uint32_t u = 0; u < N; u++)
            if (set >> u & 1) {
                add_share(scratch_path("in"), &a, near, u, false);
                add_share(scratch_path("in"), &b, far, N - 1 - u, false);
            }
        d = add_all(&o, &err);
        CHECK_STR(err.text, "");
        if (!CHECK(d != NULL))
            continue;
        for (size_t i = 0; i < LENGTH; i++)
            wrong +=
                hagg_load(decode_total(d), i, 4) != reference_add(&m31, a.secret[i], b.secret[i]);
        CHECK(wrong == 0);
        CHECK(rangeset_count(decode_clients(d)) == 4 && decode_header(d)->length == LENGTH);
        CHECK(strcmp(decode_field(d)->spec, "m31") == 0);
        CHECK(!decode_next_blame(d, &at, &blame));
        decode_free(d);
    }
}

static void blames(void)
{
    const struct decode_options o = { .minimum = 2, .correct = true };
    struct round a;
    struct hagg_err err;

    fill_round(&a, 1, 3);
    for (uint32_t bad = 0; bad < N; bad++) {
        struct decode_blame blame = { 0 };
        size_t wrong = 0, at = 0;
        struct decode *d;

        begin();
        for (uint32_t u = 0; u < N; u++)
            add_share(scratch_path("in"), &a, far, u, u == bad);
        add_key(scratch_path("in"), &a, NULL, "federator", 1);
        d = add_all(&o, &err);
        CHECK_STR(err.text, "");
        for (size_t i = 0; i < LENGTH; i++)
            wrong += hagg_load(decode_total(d), i, 4) != a.secret[i];
        CHECK(wrong == 0);
        CHECK(decode_next_blame(d, &at, &blame) && blame.holder.number == far[bad]);
        CHECK_STR(blame.holder.tier, "station");
        CHECK_STR(blame.file, scratch_path("in"));
        CHECK(!decode_next_blame(d, &at, &blame));
        decode_free(d);
    }
}

static void refuses(const struct decode_options *o, enum hagg_status status, const char *want)
{
    struct hagg_err err;

    CHECK(add_all(o, &err) == NULL && err.status == status);
    if (!CHECK(strstr(err.text, want) != NULL))
        fprintf(stderr, "%s\n", err.text);
    begin();
}

/* Sums over different sets of clients are not decoded: all ways for up to two of four to lack a
 * client, each the same one or another, although the two others would be enough. */
static void refuses_different_clients(void)
{
    const struct decode_options o = { .minimum = 2 };
    struct round whole, lacks[2];

    fill_round(&whole, 1, 4);
    fill_round(&lacks[0], 1, 3);
    fill_round(&lacks[1], 2, 4);
    for (unsigned set = 1; set < 1u << N; set++)
        for (unsigned which = 0; which < 4 && __builtin_popcount(set) <= 2; which++) {
            unsigned n = 0;

            begin();
            for (uint32_t u = 0; u < N; u++)
                add_share(scratch_path("in"), set >> u & 1 ? &lacks[which >> n++ & 1] : &whole,
                          near, u, false);
            add_key(scratch_path("in"), &whole, NULL, "federator", 1);
            refuses(&o, HAGG_E_MISMATCH, "all sums of a round must be over the same clients");
        }
}

static void refuses_what_does_not_add_up(void)
{
    struct decode_options o = { .minimum = 2 };
    struct round a, b, other;
    const char *in = scratch_path("in");

    fill_round(&a, 1, 3);
    b = a;
    b.last_client = 4;
    fill_round(&other, 3, 5);
    begin();
    add_share(in, &a, near, 0, false);
    add_share(in, &b, near, 1, false);
    refuses(&o, HAGG_E_MISMATCH, "contains client 4, but ");
    /* no two of three sums agree, and two are needed */
    add_share(in, &a, near, 0, false);
    add_share(in, &b, near, 1, false);
    add_share(in, &other, near, 2, false);
    refuses(&o, HAGG_E_MISMATCH, "contains client 4, but ");
    add_share(in, &a, near, 0, false);
    add_share(in, &a, near, 1, false);
    refuses(&o, HAGG_E_TOO_FEW,
            "the keys are missing: the last station of the chain sends their total");
    add_share(in, &a, near, 0, false);
    add_share(in, &a, near, 1, false);
    add_key(in, &b, NULL, "federator", 1);
    refuses(&o, HAGG_E_MISMATCH, "client 4 is in the keys but not in the shares");
    add_share(in, &b, near, 0, false);
    add_share(in, &b, near, 1, false);
    add_key(in, &a, NULL, "federator", 1);
    refuses(&o, HAGG_E_MISMATCH, "client 4 is in the shares but not in the keys");
    add_share(in, &a, near, 2, false);
    add_key(in, &a, NULL, "federator", 1);
    refuses(&o, HAGG_E_TOO_FEW,
            "only 1 of the shares of station 1-4 arrived, but 2 are needed: for example, the share "
            "of station 1 is missing");
    add_share(in, &a, near, 0, false);
    add_share(in, &a, near, 0, false);
    refuses(&o, HAGG_E_MISMATCH, "contains share 1 of the same sharing as ");
    add_share(in, &a, near, 0, false);
    add_share(in, &a, near, 1, false);
    add_share(in, &other, far, 0, false);
    add_share(in, &other, far, 1, false);
    add_key(in, &b, NULL, "federator", 1);
    refuses(&o, HAGG_E_MISMATCH, "is in two sharings");
    add_key(in, &a, NULL, "federator", 1);
    refuses(&o, HAGG_E_TOO_FEW, "there are no shares to decode");
    add_share(in, &a, near, 0, false);
    add_elems(in, &a, near, 1, false, LENGTH - 1);
    add_key(in, &a, NULL, "federator", 1);
    refuses(&o, HAGG_E_MALFORMED, "share has 9 elements, but its scheme requires 10");
    o.minimum = 4;
    add_share(in, &a, near, 0, false);
    add_share(in, &a, near, 1, false);
    add_key(in, &a, NULL, "federator", 1);
    refuses(&o, HAGG_E_PRIVACY,
            "a total of 3 clients would reveal too much: at least 4 are needed");
}

/* Decodes the total of clients 1-4, and refuses if another set is requested. */
static void refuses_other_clients(void)
{
    struct rangeset asked = { 0 };
    const struct decode_options o = { .minimum = 2, .clients = &asked };
    const char *in = scratch_path("in");
    struct round a, unnamed;
    struct hagg_err err;
    struct decode *d;

    fill_round(&a, 1, 4);
    fill_round(&unnamed, 0, 0);
    begin();
    for (uint32_t last = 1; last <= 6; last++) {
        CHECK(rangeset_add(&asked, last, last, &err) == 0);
        add_share(in, &a, near, 0, false);
        add_share(in, &a, near, 1, false);
        add_key(in, &a, NULL, "federator", 1);
        if (last == 4) {
            d = add_all(&o, &err);
            CHECK(d != NULL);
            decode_free(d);
            begin();
        } else
            refuses(&o, HAGG_E_MISMATCH,
                    last == 1   ? "the sums are over clients 1-4, but --clients is 1: "
                    : last == 6 ? "the sums are over clients 1-4, but --clients is 1-6: "
                                : "a round has one set of clients, so use the set of the "
                                  "sums, or start a new round with new vectors");
    }
    add_share(in, &unnamed, near, 0, false);
    add_share(in, &unnamed, near, 1, false);
    refuses(&o, HAGG_E_MISMATCH, "does not record its clients: omit --clients to decode it");
    /* a list that is too long is truncated, so that the message still says what to do */
    for (uint32_t i = 10; i < 1000; i += 2)
        CHECK(rangeset_add(&asked, i, i, &err) == 0);
    add_share(in, &a, near, 0, false);
    add_share(in, &a, near, 1, false);
    add_key(in, &a, NULL, "federator", 1);
    refuses(&o, HAGG_E_MISMATCH,
            " 72 ...: a round has one set of clients, so use the set of the sums");
    rangeset_free(&asked);
}

/* With single keys the federator could remove the padding of single clients. */
static void refuses_single_keys(void)
{
    struct decode_options o = { .minimum = 2 };
    struct round a, b;
    const char *in = scratch_path("in");

    fill_round(&a, 1, 3);
    fill_round(&b, 7, 9);
    begin();
    add_key(in, &a, NULL, "station", 2);
    refuses(&o, HAGG_E_PRIVACY, "contains keys addressed to station 2");
    add_key(in, &a, NULL, "federator", 1);
    add_key(in, &b, NULL, "federator", 1);
    refuses(&o, HAGG_E_PRIVACY, "contains a second sum of keys");
}

int main(void)
{
    decodes();
    blames();
    refuses_different_clients();
    refuses_what_does_not_add_up();
    refuses_other_clients();
    refuses_single_keys();
    decode_free(NULL);
    return check_end();
}
