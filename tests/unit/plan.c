#include "plan/plan.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"

static const char *path_of(const char *text)
{
    return feed_file(text, strlen(text));
}

/* want is the message after the name of the file. */
static void refuses(const char *path, enum hagg_status status, const char *want)
{
    struct hagg_err err = { 0 };
    struct plan p;

    CHECK(plan_load(&p, path, &err) == -1 && err.status == status);
    CHECK(strncmp(err.text, path, strlen(path)) == 0);
    CHECK_STR(err.text + strlen(path), want);
    CHECK(p.field == NULL && p.scheme == NULL && p.name == NULL && p.topology.n_clients == 0);
}

static void loads(struct plan *p, const char *path)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, path, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(err.status == HAGG_OK);
}

/* Of a plan that declares no integers, whose range is symmetric. */
static int64_t max_int(const struct plan *p)
{
    int64_t lo, hi;

    plan_integers(p, &lo, &hi);
    CHECK(lo == -hi && plan_most_samples(p) == hi);
    return hi;
}

/* The largest number of clients and bits that fit, and one more. */
static void knows_when_sums_fit(void)
{
    struct plan p;

    /* m31 holds -(2^30 - 1) .. 2^30 - 1: 2^15 + 1 times 2^15 - 1 */
    loads(&p, path_of("field m31\nstations 2\nclient 1-32769 via 1 2\nquantize bits=16 clip=1"));
    CHECK(max_int(&p) == 32767);
    plan_free(&p);
    refuses(path_of("field m31\nstations 2\nclient 1-32770 via 1 2\nquantize bits=16 clip=1"),
            HAGG_E_MALFORMED,
            ": a sum over 32770 clients of 16 bits overflows field 'm31': use bits=max, which is "
            "15 here, or a larger field");
    loads(&p, path_of("field m61\nstations 2\nclient 1-2 via 1 2\nquantize bits=60 clip=1"));
    plan_free(&p);
    refuses(path_of("field m61\nstations 2\nclient 1-3 via 1 2\nquantize bits=60 clip=1"),
            HAGG_E_MALFORMED,
            ": a sum over 3 clients of 60 bits overflows field 'm61': use bits=max, which is 53 "
            "here, or a larger field");
    /* prime:p=31 holds -15 .. 15 */
    loads(&p, path_of("field prime:p=31\nstations 2\nclient 1-15 via 1 2"));
    CHECK(max_int(&p) == 1);
    plan_free(&p);
    refuses(path_of("field prime:p=31\nstations 2\nclient 1-16 via 1 2"), HAGG_E_MALFORMED,
            ": field 'prime:p=31' is too small for a sum over 16 clients: use a larger one");
    loads(&p, path_of("field gf256\nstations 2\nclient 1-16 via 1 2"));
    CHECK(max_int(&p) == 0);
    plan_free(&p);
    refuses(path_of("field gf256\nstations 2\nclient 1-16 via 1 2\nquantize bits=2 clip=1"),
            HAGG_E_MALFORMED,
            ": addition in field 'gf256' is not integer addition: use a prime field or remove "
            "quantize");
    refuses(path_of("field gf256\nstations 2\nclient 1-16 via 1 2\nsamples"), HAGG_E_MALFORMED,
            ": samples cannot be counted in field 'gf256', because its addition is not integer "
            "addition: use a prime field or remove samples");
}

/* Adds up the largest integer of this many bits n times in the field, and its negative. */
static void sums_exactly(const struct plan *p, uint32_t bits)
{
    int64_t n = (int64_t)p->topology.n_clients, max = (INT64_C(1) << (bits - 1)) - 1;

    for (int sign = -1; sign <= 1; sign += 2) {
        int64_t value = sign * max, zero = 0, total = 0;
        unsigned char elem[8], sum[8];

        CHECK(field_elem_size(p->field) <= sizeof elem);
        field_from_int(p->field, elem, &value, 1);
        field_from_int(p->field, sum, &zero, 1);
        for (int64_t i = 0; i < n; i++)
            field_add(p->field, sum, sum, elem, 1);
        field_to_int(p->field, &total, sum, 1);
        CHECK(total == n * value);
    }
}

/* By hand: m31 has integers up to 2^30 - 1, m61 up to 2^60 - 1, goldilocks up to 2^63 - 2^31, and
 * prime:p=1000003 up to 500001. Divided by 10^4 clients these are 107374,
 * 115292150460684, 922337203470729 and 50; doubles have 53 bits. */
static void finds_the_most_bits(void)
{
    static const uint32_t clients[] = { 1, 2, 20, 10000 };
    static const struct {
        const char *field;
        uint32_t bits[4];
    } cases[] = {
        { "m31", { 31, 30, 26, 17 } },
        { "m61", { 53, 53, 53, 47 } },
        { "goldilocks", { 53, 53, 53, 50 } },
        { "prime:p=1000003", { 19, 18, 15, 6 } },
    };

    for (size_t f = 0; f < sizeof cases / sizeof *cases; f++)
        for (size_t i = 0; i < 4; i++) {
            uint32_t bits = cases[f].bits[i];
            char text[200], want[200];
            struct plan p, same;

            snprintf(
                text, sizeof text,
                "field %s\nminimum 1\nstations 2\nclient 1-%u via 1 2\nquantize clip=1 bits=max",
                cases[f].field, clients[i]);
            loads(&p, path_of(text));
            CHECK(p.topology.quant.bits == bits && plan_most_bits(&p) == bits);
            CHECK(!p.topology.bits_max);
            sums_exactly(&p, bits);
            /* bits=max and its number give the same plan */
            snprintf(strstr(text, "max"), 8, "%u", bits);
            loads(&same, path_of(text));
            CHECK(memcmp(p.digest, same.digest, sizeof p.digest) == 0);
            plan_free(&same);
            plan_free(&p);
            snprintf(strstr(text, "bits=") + 5, 8, "%u", bits + 1);
            if (bits == 53) {
                loads(&p, path_of(text));
                plan_free(&p);
            } else {
                snprintf(want, sizeof want,
                         ": a sum over %u clients of %u bits overflows field '%s': use bits=max, "
                         "which is %u here%s",
                         clients[i], bits + 1, cases[f].field, bits,
                         strcmp(cases[f].field, "goldilocks") == 0 ? "" : ", or a larger field");
                refuses(path_of(text), HAGG_E_MALFORMED, want);
            }
        }
    refuses(path_of("field gf256\nstations 2\nclient 1-16 via 1 2\nquantize bits=max clip=1"),
            HAGG_E_MALFORMED,
            ": addition in field 'gf256' is not integer addition: use a prime field or remove "
            "quantize");
}

static void knows_when_points_are_too_few(void)
{
    struct plan p;

    loads(&p, feed_keys("field prime:p=7\nstations 6\nclient 1-2 via 1-6"));
    plan_free(&p);
    refuses(feed_keys("field prime:p=7\nstations 7\nclient 1-2 via 1-7"), HAGG_E_MALFORMED,
            ": field 'prime:p=7' has too few points for 7 stations: use a larger one");
    loads(&p, feed_keys("field prime:p=7\nstations 7\nclient 1-2 via 1-7 shares 7 1-5"));
    plan_free(&p);
    /* under full collusion the key is shared, too */
    loads(&p,
          feed_keys(
              "field prime:p=7\nstations 7\ncollude full stations=1\nclient 1-2 via 1-7 shares 1-6 "
              "keys 2-7"));
    plan_free(&p);
    refuses(
        feed_keys(
            "field prime:p=7\nstations 7\ncollude full stations=1\nclient 1-2 via 1-7 shares 1-6"),
        HAGG_E_MALFORMED,
        ": field 'prime:p=7' has too few points for 7 stations: use a larger one");
    loads(&p, feed_keys("field prime:p=7\nscheme additive\nstations 9\nclient 1-2 via 1-9"));
    plan_free(&p);
    loads(&p, feed_keys("field gf256\nstations 255\nclient 1-2 via 1-255"));
    plan_free(&p);
    refuses(feed_keys("field gf256\nstations 256\nclient 1-2 via 1-256"), HAGG_E_MALFORMED,
            ": field 'gf256' has too few points for 256 stations: use a larger one");
}

static void chooses_a_sharing(void)
{
    struct hagg_err err = { 0 };
    struct sharing s;
    struct plan p;

    loads(&p,
          feed_keys("collude partial stations=2\ndrop stations=1\nstations 7\nclient 1-2 via 1-7"));
    for (uint32_t n = 5; n <= 7; n++) {
        CHECK(plan_sharing(&p, 0, n, NULL, &s, &err) == 0);
        CHECK(s.n == n && s.k == n - 1 && s.z == 2);
        CHECK(s.shape.parts == n - 3 && s.shape.randoms == 2);
        sharing_free(&s);
    }
    /* with four, two sets of three have two in common, who may both collude; three hide nothing */
    CHECK(plan_sharing(&p, 0, 4, NULL, &s, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(plan_sharing(&p, 0, 3, NULL, &s, &err) == -1 && err.status == HAGG_E_MALFORMED);
    err = (struct hagg_err){ 0 };
    plan_free(&p);
    /* the scheme supports only one z, which is larger than requested */
    loads(&p,
          feed_keys("scheme additive\ncollude partial stations=1\nstations 5\nclient 1-2 via 1-5"));
    for (uint32_t n = 2; n <= 5; n++) {
        CHECK(plan_sharing(&p, 0, n, NULL, &s, &err) == 0);
        CHECK(s.n == n && s.k == n && s.z == n - 1);
        sharing_free(&s);
    }
    CHECK(err.status == HAGG_OK);
    plan_free(&p);
    refuses(feed_keys("scheme additive\ncollude partial stations=1\ndrop stations=1\nstations 5\n"
                      "client 1-2 via 1-5"),
            HAGG_E_MALFORMED,
            ": scheme 'additive' with n = 5, k = 4, z = 1: additive sharing among 5 needs k = 5 "
            "and z = 4, not k = 4 and z = 1");
}

/* The relays of the shares must be in the plan. */
static void asks_for_relays(void)
{
    static const char without[] = ": no relays are chosen for these shares: choose them "
                                  "with hagg-plan";
    const char *full = "collude full stations=1\nrelays 5\nstation 1-5 via 1-5\nstations 5\n"
                       "client 1-2 via 1-5 relays 2-5 1";
    struct hagg_err err = { 0 };
    struct plan p;
    char want[200];

    snprintf(want, sizeof want, ":4%s", without);
    refuses(feed_keys("relays 1\nstation 1-5 via 1\nstations 5\nclient 1-2 via 1-5"),
            HAGG_E_MALFORMED, want);
    snprintf(want, sizeof want, ":5%s", without);
    refuses(
        feed_keys(
            "relays 2\nstation 1-5 via 1 2\nstations 5\nclient 1 via 1-5 shares 3 4 relays 1 2\n"
            "client 2 via 1-5 shares 3 4"),
        HAGG_E_MALFORMED, want);
    /* the planner accepts it, to choose them */
    CHECK(plan_load_to_choose(
              &p, feed_keys("relays 1\nstation 1-5 via 1\nstations 5\nclient 1-2 via 1-5"), &err) ==
          0);
    plan_free(&p);
    /* shared keys are sent through relays, too */
    snprintf(want, sizeof want, ":5%s", without);
    refuses(feed_keys(full), HAGG_E_MALFORMED, want);
    loads(&p, feed_keys("relays 2\nstation 1-5 via 1 2\nstations 5\n"
                        "client 1-2 via 1-5 shares 2 3 relays 1 2"));
    CHECK(plan_tiers(&p) == 2);
    plan_free(&p);
    loads(&p, feed_keys("stations 5\nclient 1-2 via 1-5"));
    CHECK(plan_tiers(&p) == 1);
    plan_free(&p);
    CHECK_STR(plan_tier_name(0), "station");
    CHECK_STR(plan_tier_name(1), "relay");
}

/* Colluders see the shares of z_BS stations or of z_R relays under partial collusion, of both under
 * full. */
static void shares_against_both_tiers(void)
{
    static const struct {
        const char *settings;
        uint32_t k, z;
    } cases[] = {
        { "collude partial stations=2 relays=1", 6, 2 },
        { "collude partial stations=1 relays=3", 6, 3 },
        { "collude full stations=2 relays=1", 6, 3 },
        { "collude full stations=1 relays=3", 6, 4 },
        { "collude partial stations=2 relays=1\ndrop relays=1", 5, 2 },
        { "collude full stations=0 relays=1\ndrop stations=1 relays=1", 4, 1 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hagg_err err = { 0 };
        struct sharing s;
        struct plan p;
        char text[300];

        snprintf(text, sizeof text,
                 "%s\nstations 6\nrelays 6\nstation 1-6 via 1-6\nclient 1-2 via 1-6 relays 1-6%s",
                 cases[i].settings, strstr(cases[i].settings, "full") ? " key-relays 1-6" : "");
        loads(&p, feed_keys(text));
        CHECK(plan_sharing(&p, 0, 6, NULL, &s, &err) == 0);
        CHECK(s.n == 6 && s.k == cases[i].k && s.z == cases[i].z);
        sharing_free(&s);
        plan_free(&p);
    }
}

/* Share i is sent to station i, then to relay i. */
static void knows_the_way(void)
{
    struct hagg_err err = { 0 };
    struct plan_client c;
    struct plan p;

    loads(&p, feed_keys("collude full stations=1\nstations 4\nrelays 3\nstation 1 2 via 2-3\n"
                        "station 3 4 via 1 3\nclient 5 6 via 1-4 shares 3 1 keys 2 4 1 relays 1 3 "
                        "key-relays 3 1 2"));
    CHECK(plan_client(&p, 6, &c, &err) == 0);
    CHECK(c.shares.n == 2 && c.shares.lists[0]->n == 2 && c.shares.lists[1]->n == 2);
    CHECK(c.shares.lists[0]->numbers[0] == 3 && c.shares.lists[1]->numbers[0] == 1);
    CHECK(c.shares.lists[0]->numbers[1] == 1 && c.shares.lists[1]->numbers[1] == 3);
    CHECK(c.keys.n == 2 && c.keys.lists[0]->n == 3 && c.keys.lists[1]->n == 3);
    CHECK(c.keys.lists[0]->numbers[2] == 1 && c.keys.lists[1]->numbers[2] == 2);
    plan_free(&p);
}

static void knows_its_clients(void)
{
    const char *path;
    struct hagg_err err = { 0 };
    struct plan_client c;
    char want[100];
    struct plan p;

    path = feed_keys("stations 5\nclient 1 7 via 3 2 5\nclient 9 via 1-4 shares 4 1 2 keys 3");
    CHECK(plan_load(&p, path, &err) == 0);
    CHECK(plan_client(&p, 7, &c, &err) == 0 && c.number == 7);
    CHECK(c.shares.lists[0]->n == 3 && c.shares.lists[0]->numbers[0] == 2 &&
          c.shares.lists[0]->numbers[2] == 5);
    CHECK(c.key_station == 2);
    CHECK(plan_client(&p, 9, &c, &err) == 0 && c.key_station == 3);
    CHECK(c.shares.lists[0]->n == 3 && c.shares.lists[0]->numbers[0] == 4 &&
          c.keys.lists[0]->n == 1);
    CHECK(plan_client(&p, 2, &c, &err) == -1 && err.status == HAGG_E_USAGE);
    snprintf(want, sizeof want, "%s: has no client 2", path);
    CHECK_STR(err.text, want);
    plan_free(&p);
    plan_free(&p);
}

static void needs_its_plugins(void)
{
    struct hagg_err err = { 0 };
    struct plan p;

    CHECK(plan_load(&p, path_of("field nosuch\nstations 2\nclient 1 2 via 1 2"), &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM && p.name == NULL);
    CHECK(plan_load(&p, path_of("scheme nosuch\nstations 2\nclient 1 2 via 1 2"), &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM && p.field == NULL);
    CHECK(plan_load(&p, path_of("field prime:p=8\nstations 2\nclient 1 2 via 1 2"), &err) == -1);
    CHECK(plan_load(&p, "/nonexistent", &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/nonexistent: No such file or directory");
}

static void fails_cleanly_without_memory(const char *path)
{
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        struct plan p;
        int status;

        alloc_refuse(at);
        status = plan_load(&p, path, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        plan_free(&p);
        if (!alloc_refused())
            break;
        CHECK(at < 200);
    }
    alloc_watch();
}

int main(void)
{
    knows_when_sums_fit();
    finds_the_most_bits();
    knows_when_points_are_too_few();
    chooses_a_sharing();
    asks_for_relays();
    shares_against_both_tiers();
    knows_the_way();
    knows_its_clients();
    needs_its_plugins();
    fails_cleanly_without_memory(path_of("stations 3\nclient 1 2 via 1-3"));
    fails_cleanly_without_memory(
        feed_keys("collude full stations=1\nstations 4\nrelays 3\n"
                  "station 1-4 via 1-3\nclient 1 via 1-3 relays 1-3 key-relays 1-3\n"
                  "client 2 via 2-4 relays 1-3 key-relays 1-3"));
    return check_end();
}
