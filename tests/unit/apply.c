#include "planner/apply.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "feed.h"

static void load(struct plan *p, struct instance *in, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load_to_choose(p, feed_keys(text), &err) == 0);
    CHECK(instance_new(in, p, &err) == 0);
    CHECK_STR(err.text, "");
}

/* Checks the client lines of the plan with these patterns, one bit per station, where of and
 * of_keys are the pattern of each client. of_keys may be NULL. */
static void applies(const char *topology, const uint64_t *patterns, size_t n, const uint32_t *of,
                    const uint32_t *of_keys, const char *want)
{
    struct side shares = { 0 }, keys = { 0 };
    struct hagg_err err = { 0 };
    struct topology t = { 0 };
    struct text text = { 0 };
    struct instance in;
    const char *lines;
    struct plan p;

    load(&p, &in, topology);
    CHECK(side_new(&shares, &in, patterns, n, of, &err) == 0);
    if (of_keys)
        CHECK(side_new(&keys, &in, patterns, n, of_keys, &err) == 0);
    CHECK(apply_sides(&t, &p, &in, &shares, of_keys ? &keys : NULL, &err) == 0);
    CHECK_STR(err.text, "");
    topology_print(&t, &text);
    lines = strstr(text.bytes, "client ");
    while (lines && lines > text.bytes && lines[-1] != '\n')
        lines = strstr(lines + 1, "client ");
    CHECK_STR(lines, want);
    text_free(&text);
    topology_free(&t);
    side_free(&shares);
    side_free(&keys);
    instance_free(&in);
    plan_free(&p);
}

/* Clients that reach few stations choose first, then each uses the station with the fewest keys.
 * Equal clients are one line. */
static void spreads_keys(void)
{
    applies("collude partial stations=1\nstations 3\nclient 1-5 via 1-3\n", (const uint64_t[]){ 7 },
            1, (const uint32_t[5]){ 0 }, NULL,
            "client 1 4 via 1-3 shares 1-3 keys 1\nclient 2 5 via 1-3 shares 1-3 keys 2\n"
            "client 3 via 1-3 shares 1-3 keys 3\n");
    /* clients 4 and 5 reach only two stations and use them, so the others use other stations */
    applies("collude partial stations=1\nstations 4\nclient 1-3 via 1-4\nclient 4 5 via 1 2\n",
            (const uint64_t[]){ 15, 3 }, 2, (const uint32_t[]){ 0, 0, 1, 1, 1 }, NULL,
            "client 1 via 1-4 shares 1-4 keys 3\nclient 2 via 1-4 shares 1-4 keys 4\n"
            "client 3 via 1-4 shares 1-2 keys 1\nclient 4 via 1-2 shares 1-2 keys 1\n"
            "client 5 via 1-2 shares 1-2 keys 2\n");
}

/* Vectors and keys have different sets; clients with the same sets are one line. */
static void writes_both_sides(void)
{
    applies("collude full stations=1\nstations 4\nclient 1-4 via 1-4\n",
            (const uint64_t[]){ 7, 14, 3 }, 3, (const uint32_t[]){ 0, 1, 1, 0 },
            (const uint32_t[]){ 2, 1, 1, 2 },
            "client 1 4 via 1-4 shares 1-3 keys 1-2\nclient 2-3 via 1-4 shares 2-4 keys 2-4\n");
}

/* A scheme that uses fewer stations than the pattern has gets the least loaded ones; ties go to
 * lower numbers. */
static void picks_least_loaded_stations(void)
{
    applies("scheme additive\ncollude partial stations=1\nstations 4\nclient 1-3 via 1-4\n"
            "client 4 via 1-3\nclient 5 via 2-4\n",
            (const uint64_t[]){ 15, 7, 14 }, 3, (const uint32_t[]){ 0, 0, 0, 1, 2 }, NULL,
            /* shares per station after pattern 1: 3 3 0 0; after pattern 2: 4 3 1 0 */
            "client 1 via 1-4 shares 1-2 keys 3\nclient 2 via 1-4 shares 1-2 keys 4\n"
            "client 3 via 1-4 shares 1-2 keys 1\nclient 4 via 1-3 shares 1 3 keys 1\n"
            "client 5 via 2-4 shares 3-4 keys 2\n");
}

int main(void)
{
    spreads_keys();
    writes_both_sides();
    picks_least_loaded_stations();
    return check_end();
}
