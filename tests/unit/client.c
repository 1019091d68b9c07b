#include "share/client.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "secrets/keyfile.h"
#include "reader.h"
#include "reference.h"
#include "scratch.h"

enum { LENGTH = 7, STATIONS = 3 };

static const struct reference m31 = { "m31", (1ull << 31) - 1 };
static struct plan plan;

static struct vector vector_of(const char *type, void *data, size_t n)
{
    static char name[] = "v.npy";
    struct vector v = { .name = name, .shape = { n }, .n_shape = 1, .n_elems = n, .data = data };

    strcpy(v.type, type);
    return v;
}

static void load_plan(const char *text)
{
    struct hagg_err err = { 0 };

    scratch_write(scratch_path("plan"), text, strlen(text));
    CHECK(plan_load(&plan, scratch_path("plan"), &err) == 0);
    CHECK_STR(err.text, "");
}

static void new_key(const char *name, uint64_t length)
{
    struct keyfile_need need = { .plan = &plan, .client = 2, .round = 5, .length = length };
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);
    int fd = open(scratch_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct writer *w = writer_new(fd, name, &err);

    CHECK(keyfile_write(&need, random, w, &err) == 0);
    writer_free(w);
    random_free(random);
    close(fd);
}

static struct client_options usual(const char *key)
{
    return (struct client_options){
        .plan = &plan, .client = 2, .has_round = true, .round = 5, .key = key
    };
}

static int share(const struct client_options *o, const struct vector *v, const char *to,
                 struct client_report *report, struct hagg_err *err)
{
    struct outfiles *out = outfiles_new(scratch_path(to), false, err);
    int status = client_share(o, v, out, report, err);

    if (status == 0)
        status = outfiles_publish(out, err);
    outfiles_free(out);
    return status;
}

/* Station 1 gets two records, the share and the key. The line through the shares of two stations
 * has the value vector plus key at 0. */
static void pads_and_shares(void)
{
    int32_t ints[LENGTH] = { 5, -6, 0, 1000, -1000, 1, 2 };
    struct vector v = vector_of("i4", ints, LENGTH);
    struct client_options o = usual(scratch_path("key"));
    uint64_t shares[STATIONS][LENGTH + 1], key[LENGTH + 1] = { 0 };
    struct client_report report;
    struct hagg_err err = { 0 };
    size_t n_keys = 0, wrong = 0;

    new_key("key", LENGTH + 1);
    o.has_samples = true;
    o.samples = 77;
    CHECK(share(&o, &v, "to-{}", &report, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(report.n_clipped == 0);
    for (uint32_t u = 0; u < STATIONS; u++) {
        unsigned char elems[(LENGTH + 2) * 4];
        struct reader *r;
        char name[8];
        size_t got;

        snprintf(name, sizeof name, "to-%u", u + 1);
        r = reader_open(scratch_path(name), NULL, &err);
        while (reader_next(r, &err) > 0) {
            const struct header *h = reader_header(r);
            bool is_key = h->secret == HEADER_KEY;

            n_keys += is_key;
            CHECK(h->has_plan && memcmp(h->plan, plan.digest, sizeof h->plan) == 0 &&
                  h->round == 5);
            CHECK(h->n_clients == 1 && h->clients[0].first == 2 && h->samples);
            CHECK(strcmp(h->from.tier, "client") == 0 && h->from.number == 2);
            CHECK(strcmp(h->to.tier, "station") == 0 && h->to.number == u + 1);
            CHECK(is_key ? u == 0 && h->type[0] == 0 && !h->has_shape
                         : h->secret == HEADER_PADDED && strcmp(h->type, "i4") == 0 &&
                               h->n_shape == 1 && h->shape[0] == LENGTH);
            CHECK(reader_read(r, elems, LENGTH + 2, &got, &err) == 0 && got == LENGTH + 1);
            for (size_t i = 0; i < got; i++)
                *(is_key ? &key[i] : &shares[u][i]) = hagg_load(elems, i, 4);
        }
        reader_free(r);
    }
    CHECK(n_keys == 1);
    for (size_t i = 0; i <= LENGTH; i++) {
        /* k = 3: the value at 0 of the parabola through (1, a), (2, b) and (3, c) is
         * 3 (a - b) + c */
        uint64_t padded = reference_add(
            &m31, reference_mul(&m31, 3, reference_sub(&m31, shares[0][i], shares[1][i])),
            shares[2][i]);
        int64_t want = i == LENGTH ? 77 : ints[i];

        wrong +=
            reference_sub(&m31, padded, key[i]) != (uint64_t)(want < 0 ? want + 0x7fffffff : want);
    }
    CHECK(wrong == 0);
}

/* The same vector gives the same shares again; another one is refused, and nothing is written. */
static void shares_one_vector(void)
{
    int32_t ints[LENGTH] = { 1, 2, 3, 4, 5, 6, 7 };
    struct vector v = vector_of("i4", ints, LENGTH);
    struct client_options o;
    struct client_report report;
    struct hagg_err err = { 0 };
    unsigned char *first;
    char want[8192];
    size_t n;

    new_key("once", LENGTH + 1);
    o = usual(scratch_path("once"));
    o.has_samples = true;
    o.samples = 1;
    o.state = state_new(scratch_path("state"), false, &err);
    CHECK(share(&o, &v, "first", &report, &err) == 0);
    CHECK(share(&o, &v, "again", &report, &err) == 0);
    first = feed_content(scratch_path("first"), &n);
    CHECK(scratch_holds(scratch_path("again"), first, n));
    free(first);
    ints[3]++;
    CHECK(share(&o, &v, "other", &report, &err) == -1 && err.status == HAGG_E_PRIVACY);
    snprintf(
        want, sizeof want,
        "v.npy: client 2 has already shared another vector, type or sample count, or used another "
        "key, in round 5: repeat it with those of the first time, or use a new round for a "
        "new vector (state in %s)",
        scratch_path("state"));
    CHECK_STR(err.text, want);
    CHECK(access(scratch_path("other"), F_OK) == -1);
    ints[3]--;
    o.samples = 2;
    CHECK(share(&o, &v, "other", &report, &err) == -1 && err.status == HAGG_E_PRIVACY);
    o.samples = 1;
    CHECK(share(&o, &v, "other", &report, &err) == 0);
    state_free(o.state);
    /* without a state, other random vectors */
    o.state = NULL;
    CHECK(share(&o, &v, "forgotten", &report, &err) == 0);
    first = feed_content(scratch_path("first"), &n);
    CHECK(!scratch_holds(scratch_path("forgotten"), first, n));
    free(first);
}

static void refuses(const struct client_options *o, const struct vector *v, enum hagg_status status,
                    const char *want)
{
    struct client_report report;
    struct hagg_err err = { 0 };

    CHECK(share(o, v, "refused", &report, &err) == -1 && err.status == status);
    if (!CHECK(strstr(err.text, want) != NULL))
        fprintf(stderr, "%s\n", err.text);
    CHECK(access(scratch_path("refused"), F_OK) == -1);
}

static void refuses_what_does_not_fit(void)
{
    int32_t ints[LENGTH] = { 0 };
    float floats[LENGTH] = { 0 };
    struct vector v = vector_of("i4", ints, LENGTH), f = vector_of("f4", floats, LENGTH);
    struct client_options o;

    new_key("other", LENGTH + 1);
    o = usual(scratch_path("other"));
    refuses(&o, &v, HAGG_E_USAGE, "has a samples line: use --samples");
    o.has_samples = true;
    o.samples = 1u << 30;
    refuses(&o, &v, HAGG_E_USAGE, "the sample count is too large");
    o.samples = 1;
    refuses(&o, &f, HAGG_E_MISMATCH, "which needs quantisation");
    o.client = 9;
    refuses(&o, &v, HAGG_E_USAGE, "has no client 9");
    o.client = 3;
    refuses(&o, &v, HAGG_E_MISMATCH, "key belongs to client 2, but this is client 3");
    o.client = 2;
    o.round = 6;
    refuses(&o, &v, HAGG_E_MISMATCH, "key is for round 5, but this is round 6");
    o.round = 5;
    v.n_elems--;
    refuses(&o, &v, HAGG_E_MISMATCH, "key has 8 elements, but the vector has 7");
    v.n_elems++;
    ints[6] = 1 << 29;
    refuses(&o, &v, HAGG_E_MALFORMED, "v.npy: element 6 is too large");
}

/* Without a plan the vector is shared with the parameters of the options, and not padded. */
static void shares_without_a_plan(void)
{
    unsigned char bytes[LENGTH] = { 1, 2, 3, 4, 5, 6, 255 }, got[LENGTH + 1];
    struct vector v = vector_of("u1", bytes, LENGTH);
    struct hagg_err err = { 0 };
    struct field *field = field_open("gf256", &err);
    struct scheme *scheme = scheme_open("ramp", &err);
    struct client_options o = { .field = field, .scheme = scheme, .n = 2, .k = 1 };
    struct client_report report;
    struct reader *r;
    size_t n;

    CHECK(share(&o, &v, "plain", &report, &err) == 0);
    CHECK_STR(err.text, "");
    r = reader_open(scratch_path("plain"), NULL, &err);
    for (uint32_t u = 1; u <= 2; u++) {
        CHECK(reader_next(r, &err) == 1 && reader_header(r)->secret == HEADER_PLAIN);
        CHECK(strcmp(reader_header(r)->to.tier, "holder") == 0);
        CHECK(reader_header(r)->to.number == u && reader_header(r)->n_clients == 0);
        CHECK(!reader_header(r)->has_plan && !reader_header(r)->has_round);
        CHECK(reader_read(r, got, LENGTH + 1, &n, &err) == 0 && n == LENGTH);
        CHECK(memcmp(got, bytes, LENGTH) == 0); /* k = 1, z = 0: the vector itself */
    }
    CHECK(reader_next(r, &err) == 0);
    reader_free(r);
    o.quant = (struct header_quant){ .bits = 8, .clip = 1 };
    refuses(&o, &v, HAGG_E_USAGE, "values of 8 bits do not fit field 'gf256'");
    field_free(field);
    scheme_free(scheme);
}

int main(void)
{
    load_plan("stations 3\ncollude partial stations=2\nsamples\nprotocol keys\nclient 1-4 via 1-3");
    pads_and_shares();
    shares_one_vector();
    refuses_what_does_not_fit();
    shares_without_a_plan();
    plan_free(&plan);
    return check_end();
}
