#include "audit/confirm.h"

#include <stdio.h>

#include "alloc.h"
#include "audit/model_build.h"
#include "audit/unlimited.h"
#include "check.h"
#include "feed.h"
#include "plan/plan_aligned.h"

#define CITY                                                                                       \
    "collude full clients=1 stations=2\nstations 5\n"                                              \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"
/* Client 7 reaches one station, and sends seeds to two others. */
#define SEEDS  CITY "fallback computational\nclient 7 via 2\n"
#define RELAYS "collude full stations=1 relays=0\nstations 2\nrelays 2\nstation 1 2 via 1 2\n"

static struct audit_options options(uint64_t n)
{
    return (struct audit_options){ .max_leaks = 1, .max_columns = LEARNT_COLUMNS, .n_verify = n };
}

static void loads(struct plan *p, struct model *m, const char *path)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, path, &err) == 0 && model_build_sums(m, p, 0, &err) == 0);
    CHECK_STR(err.text, "");
}

/* A plan that is private is proved and confirmed, with a system of n_clients clients. */
static void confirms(const char *path, size_t n_clients)
{
    struct audit_options o = options(8);
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;

    loads(&p, &m, path);
    bounds = audit_bounds_of(&p);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0 && r.n_leaks == 0);
    CHECK(r.sides[0].how == AUDIT_PROVED && r.n_verified == 0);
    CHECK(audit_seeds(&r, &m, &bounds, &err) == 0);
    CHECK((r.unlimited != NULL) == topology_has_seeds(&p.topology));
    CHECK(audit_verify(&r, &m, &o, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(r.n_verified == 8 && r.n_verified_clients == n_clients);
    audit_result_free(&r);
    model_free(&m);
    plan_free(&p);
}

static void is_contradicted(int status, const struct hagg_err *err)
{
    CHECK(status == -1 && err->status == HAGG_E_PRIVACY);
    CHECK(strstr(err->text, ": the proof is wrong: by elimination, a coalition of ") != NULL);
}

/* A station without a mask is a leak under full collusion. A proof that says otherwise is put in
 * the place of the real answer. */
static void contradicts_a_proof_of_aligned(void)
{
    struct audit_options o = options(50);
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;
    int status;

    loads(&p, &m, feed_file(CITY, strlen(CITY)));
    p.aligned->bare[0] = true;
    m.rest->aligned = 1;
    bounds = audit_bounds_of(&p);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0 && r.n_leaks == 0);
    CHECK(r.sides[0].how == AUDIT_PROVED);
    status = audit_verify(&r, &m, &o, &err);
    is_contradicted(status, &err);
    audit_result_free(&r);
    model_free(&m);
    plan_free(&p);
}

/* Client 7 is not protected from the station with its computed share if that knows the seeds. A
 * claim that it is, is put in the place of the real one. */
static void contradicts_a_claim_about_seeds(void)
{
    struct audit_options o = options(50);
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;
    int status;

    loads(&p, &m, feed_file(SEEDS, strlen(SEEDS)));
    bounds = audit_bounds_of(&p);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0 && r.n_leaks == 0);
    CHECK(audit_seeds(&r, &m, &bounds, &err) == 0 && r.unlimited->n_kinds == 1);
    CHECK(audit_verify(&r, &m, &o, &err) == 0 && r.n_verified == 50);
    rangeset_free(&r.unlimited->kinds[0].computed);
    status = audit_verify(&r, &m, &o, &err);
    is_contradicted(status, &err);
    audit_result_free(&r);
    model_free(&m);
    plan_free(&p);
}

/* The stations have different places in sharings that the relays add up, so one station and the
 * federator learn the sums of both. */
static void contradicts_a_proof_of_keys(const char *clients)
{
    const struct audit_side side = { .federator = true, .stations = 1, .how = AUDIT_PROVED };
    struct hagg_err err = { 0 };
    struct audit_result r = { .n_sides = 1, .sides = { side } };
    struct text text = { 0 };
    struct model m;
    struct plan p;
    int status;

    text_printf(&text, RELAYS "%s", clients);
    loads(&p, &m, feed_keys(text.bytes));
    status = confirm_proof(&r, &m, 50, 1, NULL, &err);
    is_contradicted(status, &err);
    model_free(&m);
    plan_free(&p);
    text_free(&text);
}

/* When the time is up, fewer sets are examined, which is no contradiction. */
static void stops_in_time(void)
{
    struct audit_options o = options(8);
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;

    loads(&p, &m, feed_keys(CITY));
    m.deadline = 1e-9;
    bounds = audit_bounds_of(&p);
    CHECK(audit_run(&r, &m, &bounds, &o, &err) == 0);
    CHECK(audit_verify(&r, &m, &o, &err) == 0 && r.n_verified == 0);
    audit_result_free(&r);
    model_free(&m);
    plan_free(&p);
}

/* Fails every step-th allocation in turn, in the proof and in its verification. */
static void fails_cleanly_without_memory(const char *path, unsigned long step)
{
    struct audit_options o = options(2);
    struct audit_bounds bounds;
    struct hagg_err err = { 0 };
    struct plan p;

    CHECK(plan_load(&p, path, &err) == 0);
    bounds = audit_bounds_of(&p);
    for (unsigned long at = 0;; at += step) {
        struct audit_result r = { 0 };
        struct model m = { 0 };
        int status;

        alloc_refuse(at);
        status = model_build_sums(&m, &p, 0, &err);
        if (status == 0)
            status = audit_run(&r, &m, &bounds, &o, &err);
        if (status == 0)
            status = audit_seeds(&r, &m, &bounds, &err);
        if (status == 0)
            status = audit_verify(&r, &m, &o, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(status || r.n_verified == 2);
        audit_result_free(&r);
        model_free(&m);
        if (!alloc_refused())
            break;
        CHECK(err.status == HAGG_E_SYSTEM);
        err = (struct hagg_err){ 0 };
    }
    alloc_watch();
    plan_free(&p);
}

int main(int argc, char **argv)
{
    unsigned long step = argc > 1 ? 29 : 1;
    static const char many[] = "stations 9\ncollude full clients=1 stations=1\n"
                               "client 1-50 via 1-5\nclient 51-150 via 3-9\nclient 151 via 1-9\n";

    static const char many_seeds[] =
        "stations 9\ncollude partial clients=1 stations=2\nfallback computational\n"
        "client 1-50 via 1-5\nclient 51-150 via 3 4\nclient 151 via 1-9 computational\n";

    (void)argv;
    confirms(feed_file(CITY, strlen(CITY)), 6);
    confirms(feed_file(many, strlen(many)), 6);
    confirms(feed_keys(RELAYS "client 1-3 via 1 2 shares 1 2 relays 1 2 keys 1 2 key-relays 1 2\n"),
             3);
    confirms(feed_file(SEEDS, strlen(SEEDS)), 7);
    confirms(feed_file(many_seeds, strlen(many_seeds)), 6);
    contradicts_a_claim_about_seeds();
    contradicts_a_proof_of_aligned();
    contradicts_a_proof_of_keys(
        "client 1 2 via 1 2 shares 1 2 relays 1 2 keys 1 2 key-relays 1 2\n"
        "client 3 4 via 1 2 shares 2 1 relays 1 2 keys 2 1 key-relays 1 2\n");
    /* too large for a whole system */
    contradicts_a_proof_of_keys(
        "client 1-90 via 1 2 shares 1 2 relays 1 2 keys 1 2 key-relays 1 2\n"
        "client 91-180 via 1 2 shares 2 1 relays 1 2 keys 2 1 key-relays 1 2\n");
    stops_in_time();
    fails_cleanly_without_memory(feed_file(CITY, strlen(CITY)), step);
    fails_cleanly_without_memory(feed_file(SEEDS, strlen(SEEDS)), 7 * step);
    fails_cleanly_without_memory(feed_file(many_seeds, strlen(many_seeds)), 101 * step);
    fails_cleanly_without_memory(feed_keys(many_seeds), 101 * step);
    fails_cleanly_without_memory(
        feed_keys(RELAYS "client 1-200 via 1 2 shares 1 2 relays 1 2 keys 1 2 key-relays 1 2\n"),
        step);
    return check_end();
}
