#include "cost/count/clusters.h"

#include <string.h>

#include "check.h"

static uint64_t count(const char *text)
{
    struct topology t = { 0 };
    struct hagg_err err = { 0 };
    uint64_t n = 99;

    CHECK(topology_parse(&t, "topology", text, strlen(text), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(clusters_count(&t, &n, &err) == 0);
    topology_free(&t);
    return n;
}

#define COLLUDE "collude partial stations=0\n"

/* Clients that were placed first have to move, one after the other. */
static void chains(void)
{
    CHECK(count(COLLUDE "stations 4\nclient 1 via 1 2\nclient 2 via 2 3\nclient 3 via 3 4\n"
                        "client 4 via 1\n") == 4);
    CHECK(count(COLLUDE "stations 4\nclient 1 via 1 2\nclient 2 via 2 3\nclient 3 via 1 3\n"
                        "client 4 via 1\n") == 0);
    CHECK(count(COLLUDE "stations 3\nclient 1-6 via 1 2\nclient 7-9 via 1 3\n") == 3);
    CHECK(count(COLLUDE "stations 3\nclient 1-7 via 1 2\nclient 8-9 via 1 3\n") == 0);
}

static void numbers(void)
{
    CHECK(count(COLLUDE "stations 3\nclient 1-4 via 1-3\n") == 0);
    CHECK(count(COLLUDE "stations 3\nclient 1-300000 via 1-3\n") == 3);
    CHECK(count(COLLUDE "stations 1\nclient 1-4 via 1\n") == 1);
}

/* Without groups: a network given in numbers. */
static void no_groups(void)
{
    struct topology t = { .n_stations = 5, .n_clients = 20 };
    struct hagg_err err = { 0 };
    uint64_t n;

    CHECK(clusters_count(&t, &n, &err) == 0 && n == 5);
    t.n_clients = 21;
    CHECK(clusters_count(&t, &n, &err) == 0 && n == 0);
}

int main(void)
{
    chains();
    numbers();
    no_groups();
    return check_end();
}
