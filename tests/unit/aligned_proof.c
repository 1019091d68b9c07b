#include "audit/aligned_proof.h"

#include <stdio.h>
#include <stdlib.h>

#include "audit/audit.h"
#include "audit/model_build.h"
#include "base/splitmix.h"
#include "check.h"
#include "feed.h"
#include "plan/plan_aligned.h"

#define CITY                                                                                       \
    "protocol aligned\nstations 5\n"                                                               \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"
#define PARTIAL "collude partial clients=1 stations=2\n"
#define FULL    "collude full clients=1 stations=2\n"

static void loads(struct plan *p, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, feed_file(text, strlen(text)), &err) == 0);
    CHECK_STR(err.text, "");
}

static int proves(const struct plan *p)
{
    struct hagg_err err = { 0 };
    struct model m = { 0 };
    int answer = aligned_proof(p, &m, NULL, &err);

    CHECK(answer >= 0);
    CHECK_STR(err.text, "");
    return answer;
}

/* The proof and the elimination of all messages agree. */
static void agrees(const char *text)
{
    struct audit_options options = { .max_leaks = 1, .max_columns = LEARNT_COLUMNS, .each = true };
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct audit_result r;
    struct model m;
    struct plan p;

    loads(&p, text);
    CHECK(proves(&p) == 1);
    bounds = audit_bounds_of(&p);
    CHECK(model_build(&m, &p, 0, &err) == 0);
    CHECK(audit_run(&r, &m, &bounds, &options, &err) == 0);
    CHECK(r.n_leaks == 0 && r.n_checked == r.n_sets && r.n_sets > 1);
    audit_result_free(&r);
    model_free(&m);
    plan_free(&p);
}

/* Every premise is checked: a plan that lacks it is not proved. */
static void checks_premises(void)
{
    struct plan p;
    unsigned char spare[8];

    loads(&p, FULL CITY);
    CHECK(proves(&p) == 1);
    p.aligned->bare[0] = true; /* a station without a mask under full collusion */
    CHECK(proves(&p) == 0);
    p.aligned->bare[0] = false;
    p.aligned->chunks++; /* one dealer too few */
    CHECK(proves(&p) == 0);
    p.aligned->chunks--;
    p.topology.dealers.n = 2;
    CHECK(proves(&p) == 0);
    p.topology.dealers.n = 0; /* no masks */
    CHECK(proves(&p) == 0);
    p.topology.dealers.n = 5;
    memcpy(spare, p.aligned->points, 4);
    memcpy(p.aligned->points, p.aligned->points + 4, 4); /* two equal points */
    CHECK(proves(&p) == 0);
    memset(p.aligned->points, 0, 4); /* the point of a segment */
    CHECK(proves(&p) == 0);
    memcpy(p.aligned->points, spare, 4);
    p.aligned->sharing.z = 0; /* a single station would learn vectors */
    CHECK(proves(&p) == 0);
    p.aligned->sharing.z = 2;
    p.topology.drop_stations = 2; /* two totals */
    CHECK(proves(&p) == 0);
    p.topology.drop_stations = 0;
    p.aligned->sharing.k--; /* the degree of a client that uses all stations is too large */
    CHECK(proves(&p) == 0);
    p.aligned->sharing.k++;
    CHECK(proves(&p) == 1);
    plan_free(&p);

    loads(&p, PARTIAL CITY);
    CHECK(proves(&p) == 1);
    p.aligned->bare[2] = true; /* z + 1 stations without a mask */
    CHECK(proves(&p) == 0);
    plan_free(&p);
}

static uint64_t state = 5;

/* A number below n. */
static uint32_t below(uint32_t n)
{
    return splitmix_below(&state, n);
}

/* A small plan with random stations: up to five, of which up to two collude and one may be missing,
 * and up to five segments. */
static void random_plan(struct text *t)
{
    uint32_t z = 1 + below(2), spares = z == 1 ? below(2) : 0, fewest = z + 2 * spares + 1;

    text_printf(t, "protocol aligned\nfield prime:p=101\nstations 5\nsegments %u\n", 1 + below(5));
    text_printf(t, "collude %s clients=%u stations=%u\ndrop stations=%u\n",
                below(2) ? "full" : "partial", below(2), z, spares);
    for (uint32_t i = 1; i <= 3 + below(2); i++) {
        uint32_t left = fewest + below(6 - fewest);

        text_printf(t, "client %u via", i);
        for (uint32_t u = 1; u <= 5 && left > 0; u++)
            if (below(6 - u) < left) {
                text_printf(t, " %u", u);
                left--;
            }
        text_printf(t, "\n");
    }
}

/* True if a coalition that the plan allows learns too much, by elimination. */
static bool leaks_by_elimination(const struct plan *p)
{
    struct audit_options options = { .max_leaks = 1, .max_columns = LEARNT_COLUMNS, .each = true };
    struct audit_bounds bounds = audit_bounds_of(p);
    struct hagg_err err = { 0 };
    struct audit_result r;
    struct model m;
    bool leaks;

    /* with too many stations without a mask there may be no masks at all */
    if (model_build(&m, p, 0, &err)) {
        CHECK(err.status == HAGG_E_MISMATCH);
        return false;
    }
    CHECK(audit_run(&r, &m, &bounds, &options, &err) == 0);
    leaks = r.n_leaks > 0;
    audit_result_free(&r);
    model_free(&m);
    return leaks;
}

/* Random plans are proved, and private by elimination. If a station loses its mask or a dealer is
 * missing, many leak, and no plan that leaks is proved. */
static void agrees_on_random_plans(void)
{
    size_t n_private = 0, n_leaking = 0;

    for (size_t i = 0; i < 60; i++) {
        struct hagg_err err = { 0 };
        struct text text = { 0 };
        struct plan p;

        random_plan(&text);
        if (plan_load(&p, feed_file(text.bytes, text.len), &err)) {
            text_free(&text);
            continue;
        }
        if (!CHECK(proves(&p) == 1 && !leaks_by_elimination(&p)))
            fprintf(stderr, "%s", text.bytes);
        n_private++;
        if (p.topology.dealers.n > 0) {
            if (i % 2)
                p.aligned->bare[below(p.aligned->sharing.n)] = true;
            else
                p.topology.dealers.n--;
            if (leaks_by_elimination(&p)) {
                n_leaking++;
                if (!CHECK(proves(&p) == 0))
                    fprintf(stderr, "%s", text.bytes);
            }
        }
        plan_free(&p);
        text_free(&text);
    }
    printf("random plans: %zu private, %zu made to leak\n", n_private, n_leaking);
    CHECK(n_private > 20 && n_leaking > 10);
}

int main(void)
{
    agrees(PARTIAL CITY);
    agrees(FULL CITY);
    agrees(FULL "segments 4\ndealers 5 2 1\n" CITY);
    agrees("protocol aligned\nstations 4\ncollude full clients=1 stations=1\nclient 1-3 via 1-4\n");
    agrees("protocol aligned\nstations 5\ndrop stations=1\ncollude full clients=1 stations=1\n"
           "client 1 via 1-4\nclient 2 3 via 2-5\nclient 4 via 1 3 5\n");
    checks_premises();
    agrees_on_random_plans();
    return check_end();
}
