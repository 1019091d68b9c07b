#include "planner/apply.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "feed.h"

/* Loads a topology to choose for. */
static void load(struct plan *p, struct instance *in, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load_to_choose(p, feed_file(text, strlen(text)), &err) == 0);
    CHECK(instance_new(in, p, &err) == 0);
    CHECK_STR(err.text, "");
}

/* The lines about clients that come of these patterns, a bit for each station, and of the pattern
 * of each client; of_keys may be NULL. */
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

/* Clients with little choice first, then whoever has fewest; clients that are alike are one line.
 */
static void spreads_keys(void)
{
    applies("collude partial stations=1\nstations 3\nclient 1-5 via 1-3\n", (const uint64_t[]){ 7 },
            1, (const uint32_t[5]){ 0 }, NULL,
            "client 1 4 via 1-3 shares 1-3 keys 1\nclient 2 5 via 1-3 shares 1-3 keys 2\n"
            "client 3 via 1-3 shares 1-3 keys 3\n");
    /* 4 and 5 reach two stations only and take them, so that the others do not */
    applies("collude partial stations=1\nstations 4\nclient 1-3 via 1-4\nclient 4 5 via 1 2\n",
            (const uint64_t[]){ 15, 3 }, 2, (const uint32_t[]){ 0, 0, 1, 1, 1 }, NULL,
            "client 1 via 1-4 shares 1-4 keys 3\nclient 2 via 1-4 shares 1-4 keys 4\n"
            "client 3 via 1-4 shares 1-2 keys 1\nclient 4 via 1-2 shares 1-2 keys 1\n"
            "client 5 via 1-2 shares 1-2 keys 2\n");
}

/* Vectors and keys over sets of their own, and clients of the same sets in one line. */
static void puts_both_sides(void)
{
    applies("collude full stations=1\nstations 4\nclient 1-4 via 1-4\n",
            (const uint64_t[]){ 7, 14, 3 }, 3, (const uint32_t[]){ 0, 1, 1, 0 },
            (const uint32_t[]){ 2, 1, 1, 2 },
            "client 1 4 via 1-4 shares 1-3 keys 1-2\nclient 2-3 via 1-4 shares 2-4 keys 2-4\n");
}

/* A scheme that takes fewer stations than a pattern has: those with least to do, and of these the
 * lowest. */
static void picks_who_has_least_to_do(void)
{
    applies("scheme additive\ncollude partial stations=1\nstations 4\nclient 1-3 via 1-4\n"
            "client 4 via 1-3\nclient 5 via 2-4\n",
            (const uint64_t[]){ 15, 7, 14 }, 3, (const uint32_t[]){ 0, 0, 0, 1, 2 }, NULL,
            /* 1 and 2 have three shares; then 3 one and 1 four; then 4 none and 3 one */
            "client 1 via 1-4 shares 1-2 keys 3\nclient 2 via 1-4 shares 1-2 keys 4\n"
            "client 3 via 1-4 shares 1-2 keys 1\nclient 4 via 1-3 shares 1 3 keys 1\n"
            "client 5 via 2-4 shares 3-4 keys 2\n");
}

int main(void)
{
    spreads_keys();
    puts_both_sides();
    picks_who_has_least_to_do();
    return check_end();
}
