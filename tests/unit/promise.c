/* Promises about more stations than learn nothing: the random vectors that they need, and the proof
 * that a plan keeps them. */
#include "audit/promise.h"

#include <string.h>

#include "audit/model_build.h"
#include "check.h"
#include "feed.h"
#include "plan/plan_aligned.h"
#include "topology/topology_tolerate.h"

#define NETWORK "stations 8\nclient 1-5 via 1-6\nclient 6-9 via 1-8\nclient 10 via 2-5\n"

/* The definition: every promise is kept, with blocks of n - spares - z parts, and no smaller z does
 * that. */
static bool keeps(const struct topology *t, uint32_t n, uint32_t z, uint32_t segments)
{
    uint32_t parts = n - t->drop_stations - z;

    for (size_t i = 0; i < t->n_tolerated; i++) {
        uint64_t learnt = 0;

        for (uint32_t c = 0; c < segments; c++)
            /* segment number c % parts of a block: each further station learns one more */
            learnt += t->tolerated[i].stations > z + c % parts;
        if (learnt * t->tolerated[i].den > (uint64_t)t->tolerated[i].num * segments)
            return false;
    }
    return true;
}

static void counts_randoms(void)
{
    struct topology t = { .aligned = true, .collude_stations = 2 };
    uint32_t n_between = 0;

    CHECK(topology_tolerate_randoms(&t, 9, 5) == 2 && topology_tolerate_most(&t) == 2);
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t n = 6 + i % 13, segments = 1 + i % 29, z;

        t.drop_stations = i % 2;
        t.n_tolerated = 1 + i % 3 / 2;
        t.tolerated[0] = (struct topology_tolerated){ 3, 1, 2 + i % 7 };
        t.tolerated[1] = (struct topology_tolerated){ 4, 2 + i % 5, 3 + i % 5 };
        z = topology_tolerate_randoms(&t, n, segments);
        CHECK(z >= 2 && z + t.drop_stations < n && keeps(&t, n, z, segments));
        for (uint32_t less = 2; less < z; less++)
            CHECK(!keeps(&t, n, less, segments));
        n_between += z > 2 && z < topology_tolerate_most(&t);
    }
    CHECK(n_between > 0);
    /* 1 / (m - 2) is at most a quarter from six stations on */
    t = (struct topology){ .aligned = true, .collude_stations = 2, .n_tolerated = 1 };
    t.tolerated[0] = (struct topology_tolerated){ 3, 1, 4 };
    CHECK(topology_tolerate_randoms(&t, 5, 0) == 3 && topology_tolerate_randoms(&t, 6, 0) == 2);
    CHECK(topology_tolerate_randoms(&t, 6, 8) == 2 && topology_tolerate_randoms(&t, 6, 9) == 3);
    CHECK(topology_tolerate_randoms(&t, 3, 0) == 3); /* too few */
}

static int proves(const struct plan *p, uint64_t *num, uint64_t *den)
{
    struct hagg_err err = { 0 };
    struct promises promises;
    struct text why = { 0 };
    struct model m;
    int answer;

    CHECK(model_build_sums(&m, p, 0, &err) == 0);
    answer = promise_prove(&promises, &m, &why, &err);
    CHECK_STR(err.text, "");
    CHECK(answer == 1 ? why.len == 0 : why.len > 0);
    CHECK(promises.n == 1 && promises.list[0].kept == (answer == 1));
    *num = promises.list[0].num;
    *den = promises.list[0].den;
    text_free(&why);
    model_free(&m);
    return answer;
}

/* A plan that does not keep its promise is noticed. */
static void proves_promises(const char *collude, bool full)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    uint64_t num, den;
    struct plan p;
    size_t class;

    text_printf(&text, "%s\nsegments 12\n" NETWORK, collude);
    CHECK(plan_load(&p, feed_file(text.bytes, text.len), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(proves(&p, &num, &den) == 1 && num == 1 && den == 4);
    class = p.aligned->classes.of_group[2];
    p.topology.tolerated[0].den = 5; /* a smaller promise */
    CHECK(proves(&p, &num, &den) == 0 && num == 1 && den == 4);
    p.topology.tolerated[0].den = 4;
    p.aligned->randoms[class]--; /* client 10 would have two parts */
    p.aligned->parts[class]++;
    CHECK(proves(&p, &num, &den) == 0 && num == 1 && den == 2);
    p.aligned->randoms[class]++;
    p.aligned->parts[class]--;
    p.aligned->chunks++; /* masks for two colluders only */
    CHECK(proves(&p, &num, &den) == !full);
    p.aligned->chunks--;
    CHECK(proves(&p, &num, &den) == 1);
    plan_free(&p);
    text_free(&text);
}

int main(void)
{
    counts_randoms();
    proves_promises("collude full stations=2 tolerate 1/4 at 3", true);
    proves_promises("collude partial stations=2 tolerate 1/4 at 3", false);
    return check_end();
}
