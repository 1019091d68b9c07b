#include "plan/plan_collusion.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"

/* The paper's example (docs/theory.md, section 5): a ring of six. */
#define RING_CLIENTS                                                                               \
    "client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5\n"                                               \
    "client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5\n"                                             \
    "client 3 via 1-5 shares 2-5 keys 1 2 3 5\n"                                                   \
    "client 4 via 2-5 shares 2-5 keys 2 4 5\n"                                                     \
    "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\n"                                               \
    "client 6 via 1 2 5 shares 1 2 5 keys 1 2 5\n"

static void load(struct plan *p, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, feed_keys(text), &err) == 0);
    CHECK_STR(err.text, "");
}

/* Returns the clients from first to last, except one. */
static struct rangeset set_of(uint32_t first, uint32_t last, uint32_t but)
{
    struct rangeset set = { 0 };
    struct hagg_err err = { 0 };

    for (uint32_t i = first; i <= last; i++)
        CHECK(i == but || rangeset_add(&set, i, i, &err) == 0);
    return set;
}

static void accepts(const char *text, const struct rangeset *among)
{
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p, text);
    CHECK(plan_collusion_check(&p, among, &err) == 0);
    CHECK_STR(err.text, "");
    plan_free(&p);
}

/* want is the message after the name of the plan. */
static void refuses(const char *text, const struct rangeset *among, const char *want)
{
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p, text);
    CHECK(plan_collusion_check(&p, among, &err) == -1 && err.status == HAGG_E_PRIVACY);
    if (CHECK(strncmp(err.text, p.name, strlen(p.name)) == 0))
        CHECK_STR(err.text + strlen(p.name), want);
    plan_free(&p);
}

static void makes_the_graph(void)
{
    static const struct {
        uint32_t client, same_y, same_x;
    } ring[] = { { 1, 2, 6 }, { 2, 1, 3 }, { 3, 4, 2 }, { 4, 3, 5 }, { 5, 6, 4 }, { 6, 5, 1 } };
    struct rangeset some = set_of(1, 9, 4);
    struct hagg_err err = { 0 };
    struct plan_graph g;
    struct plan p;

    load(&p, "collude full clients=1 stations=2\nstations 5\n" RING_CLIENTS);
    CHECK(plan_graph_new(&g, &p, false, NULL, &err) == 0);
    CHECK(g.n_edges == 6 && g.n_y == 3 && g.n_x == 3);
    for (size_t i = 0; i < 6; i++) {
        CHECK(g.clients[i] == ring[i].client);
        for (size_t j = 0; j < 6; j++) {
            CHECK((g.edges[i].y == g.edges[j].y) == (i == j || j + 1 == ring[i].same_y));
            CHECK((g.edges[i].x == g.edges[j].x) == (i == j || j + 1 == ring[i].same_x));
        }
    }
    plan_graph_free(&g);
    CHECK(plan_graph_new(&g, &p, false, &some, &err) == 0);
    CHECK(g.n_edges == 5 && g.clients[2] == 3 && g.clients[3] == 5);
    plan_graph_free(&g);
    /* clients 1 and 2 reach the same stations, all others different ones */
    CHECK(plan_graph_new(&g, &p, true, NULL, &err) == 0);
    CHECK(g.n_edges == 6 && g.n_y == 5 && g.n_x == 5);
    CHECK(g.edges[0].y == g.edges[1].y && g.edges[0].x == g.edges[1].x);
    CHECK(g.edges[2].y != g.edges[1].y && g.edges[2].x != g.edges[3].x);
    plan_graph_free(&g);
    CHECK(g.edges == NULL && g.clients == NULL && g.n_edges == 0);
    rangeset_free(&some);
    plan_free(&p);
}

/* Returns true if two clients are neighbours in the ring. */
static bool are_neighbours(unsigned a, unsigned b)
{
    return a % 6 + 1 == b || b % 6 + 1 == a;
}

/* Any two clients that are not neighbours cut the ring; the smallest part has one client between
 * them. */
static void finds_the_smallest_part(void)
{
    struct hagg_err err = { 0 };
    unsigned a, b, exposed;
    struct plan p;

    load(&p, "collude full clients=2 stations=2\nstations 5\n" RING_CLIENTS);
    CHECK(plan_collusion_check(&p, NULL, &err) == -1 && err.status == HAGG_E_PRIVACY);
    if (CHECK(sscanf(err.text + strlen(p.name),
                     ": the federator with clients %u %u would learn the vector of client %u:", &a,
                     &b, &exposed) == 3))
        CHECK(a != b && are_neighbours(a, exposed) && are_neighbours(b, exposed));
    plan_free(&p);
}

static void says_who_learns_what(void)
{
    struct rangeset some;

    accepts("collude full clients=1 stations=2\nstations 5\n" RING_CLIENTS, NULL);
    refuses("collude full stations=1\nstations 4\nclient 1-4 via 1-4 shares 1 2 keys 1 2\n"
            "client 7 via 1-4 shares 3 4 keys 3 4",
            NULL,
            ": the federator would learn the vector of client 7: choose other station sets with "
            "hagg-plan");
    refuses("collude full stations=1\nstations 4\nclient 1-20 via 1-4 shares 1 2 keys 1 2\n"
            "client 30-43 via 1-4 shares 3 4 keys 3 4",
            NULL,
            ": the federator would learn the sum of clients 30 31 32 33 34 35 36 37 38 39 40 41 "
            "and 2 more: choose other station sets with hagg-plan");
    some = set_of(1, 6, 5);
    refuses(
        "collude full clients=1 stations=1\nstations 4\nclient 1-3 via 1-4 shares 1 2 keys 1 2\n"
        "client 4 5 via 1-4 shares 1 2 keys 3 4\nclient 6 via 1-4 shares 3 4 keys 3 4",
        &some,
        ": with the other clients missing, the federator with client 4 would learn the vector of "
        "client 6: make a plan with drop clients=N, where N is how many may be missing");
    rangeset_free(&some);
}

/* A subset of clients may be private although the whole set is not, and a group without clients of
 * the subset does not count. */
static void asks_about_survivors_only(void)
{
    static const char text[] = "collude full stations=1\nstations 4\n"
                               "client 1-4 via 1-4 shares 1 2 keys 1 2\n"
                               "client 5 via 1-4 shares 3 4 keys 3 4\n";
    struct rangeset some = set_of(1, 4, 0);

    accepts(text, &some);
    refuses(text, NULL,
            ": the federator would learn the vector of client 5: choose other station sets with "
            "hagg-plan");
    rangeset_free(&some);
}

static void has_nothing_to_say_of_partial_collusion(void)
{
    accepts(
        "collude partial clients=1 stations=1\nstations 4\nclient 1-3 via 1 2\nclient 4 via 3 4",
        NULL);
}

/* Whichever memory request is refused, a plan that leaks is not accepted. */
static void fails_cleanly_without_memory(void)
{
    static const char *const texts[] = {
        "collude full clients=1 stations=2\nstations 5\n" RING_CLIENTS,
        "collude full clients=2 stations=2\nstations 5\n" RING_CLIENTS,
    };

    for (size_t leaks = 0; leaks < 2; leaks++) {
        struct plan p;

        load(&p, texts[leaks]);
        for (unsigned long at = 0;; at++) {
            struct hagg_err err = { 0 };
            int status;

            alloc_refuse(at);
            status = plan_collusion_check(&p, NULL, &err);
            CHECK(status == (leaks || alloc_refused() ? -1 : 0));
            CHECK(err.status == (status == 0 ? HAGG_OK : HAGG_E_SYSTEM) ||
                  (leaks && err.status == HAGG_E_PRIVACY));
            if (!alloc_refused())
                break;
            if (!CHECK(at < 10000))
                break;
        }
        alloc_watch();
        plan_free(&p);
    }
}

int main(void)
{
    makes_the_graph();
    finds_the_smallest_part();
    says_who_learns_what();
    asks_about_survivors_only();
    has_nothing_to_say_of_partial_collusion();
    fails_cleanly_without_memory();
    return check_end();
}
