#include "base/rangeset.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"

static void holds(const struct rangeset *set, const char *want)
{
    char got[1000] = "";

    for (size_t i = 0; i < set->n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u-%u", i > 0 ? " " : "",
                 set->ranges[i].first, set->ranges[i].last);
    CHECK_STR(got, want);
}

static void add(struct rangeset *set, uint32_t first, uint32_t last)
{
    struct hagg_err err = { 0 };

    CHECK(rangeset_add(set, first, last, &err) == 0);
}

static void melts_what_touches(void)
{
    struct rangeset set = { 0 };

    holds(&set, "");
    add(&set, 5, 5);
    add(&set, 1, 1);
    add(&set, 9, 10);
    add(&set, 3, 3);
    holds(&set, "1-1 3-3 5-5 9-10");
    add(&set, 3, 3);
    holds(&set, "1-1 3-3 5-5 9-10");
    add(&set, 4, 4);
    holds(&set, "1-1 3-5 9-10");
    add(&set, 2, 2);
    holds(&set, "1-5 9-10");
    add(&set, 7, 7);
    holds(&set, "1-5 7-7 9-10");
    add(&set, 2, 9);
    holds(&set, "1-10");
    add(&set, 4, 6);
    holds(&set, "1-10");
    rangeset_free(&set);
    CHECK(set.ranges == NULL && set.n == 0 && set.capacity == 0);
    rangeset_free(&set);
}

static void reaches_both_ends(void)
{
    struct rangeset set = { 0 };

    add(&set, UINT32_MAX, UINT32_MAX);
    add(&set, 0, 0);
    holds(&set, "0-0 4294967295-4294967295");
    add(&set, 1, 1);
    add(&set, UINT32_MAX - 1, UINT32_MAX);
    holds(&set, "0-1 4294967294-4294967295");
    add(&set, 0, UINT32_MAX);
    holds(&set, "0-4294967295");
    add(&set, UINT32_MAX, UINT32_MAX);
    add(&set, 0, 7);
    holds(&set, "0-4294967295");
    rangeset_free(&set);
}

/* Compares with a table of all numbers below 64: a range begins at a number in the set if the one
 * before is not in it. */
static void agrees_with_a_table(void)
{
    uint32_t state = 1;

    for (unsigned trial = 0; trial < 300; trial++) {
        struct rangeset set = { 0 }, settled = { 0 };
        struct hagg_err err = { 0 };
        bool in[66] = { 0 }; /* number i is at i + 1 */

        for (unsigned step = 0; step < 20; step++) {
            uint32_t first, last;
            size_t n = 0;

            state = state * 1664525 + 1013904223;
            first = (state >> 16) % 64;
            last = first + (state >> 24) % (trial % 9 + 1);
            if (last > 63)
                last = 63;
            add(&set, first, last);
            CHECK(rangeset_append(&settled, first, last, &err) == 0);
            if (step % 3 == 2) /* more can be appended later */
                rangeset_settle(&settled);
            for (uint32_t i = first; i <= last; i++)
                in[i + 1] = true;
            for (uint32_t i = 0; i < 64; i++)
                if (in[i + 1] && !in[i]) {
                    uint32_t end = i;

                    while (in[end + 2])
                        end++;
                    CHECK(n < set.n && set.ranges[n].first == i && set.ranges[n].last == end);
                    n++;
                }
            CHECK(n == set.n);
        }
        rangeset_settle(&settled);
        CHECK(settled.n == set.n);
        for (size_t i = 0; i < set.n && i < settled.n; i++)
            CHECK(settled.ranges[i].first == set.ranges[i].first &&
                  settled.ranges[i].last == set.ranges[i].last);
        rangeset_free(&set);
        rangeset_free(&settled);
    }
}

/* With a list that is shifted for every range this would take minutes. */
static void settles_many_ranges_in_any_order(void)
{
    enum { N = 3000000 };
    struct rangeset set = { 0 };
    struct hagg_err err = { 0 };

    rangeset_settle(&set);
    CHECK(set.n == 0);
    for (uint32_t i = N; i > 0; i--)
        CHECK(rangeset_append(&set, 2 * i, 2 * i, &err) == 0);
    rangeset_settle(&set);
    CHECK(set.n == N && set.ranges[0].first == 2 && set.ranges[N - 1].first == 2 * N);
    CHECK(rangeset_append(&set, 0, UINT32_MAX, &err) == 0);
    rangeset_settle(&set);
    holds(&set, "0-4294967295");
    rangeset_free(&set);
}

/* Returns true if a number is in one of the ranges. */
static bool has(const struct header_range *ranges, size_t n, uint32_t number)
{
    bool found = false;

    for (size_t i = 0; i < n; i++)
        found = found || (ranges[i].first <= number && number <= ranges[i].last);
    return found;
}

static void counts_and_compares(void)
{
    uint32_t state = 7;

    for (unsigned trial = 0; trial < 400; trial++) {
        struct rangeset a = { 0 }, b = { 0 };
        struct header_range range;
        uint64_t n_all = 0;
        uint32_t least = 64;
        bool in_a;

        for (unsigned i = 0; i < trial % 6; i++) {
            uint32_t first;

            state = state * 1664525 + 1013904223;
            first = (state >> 16) % 60;
            add(&a, first, first + (state >> 24) % 4);
            if ((state >> 8) % 4) /* often the same in both */
                add(&b, first, first + (state >> 24) % 4);
        }
        for (uint32_t first = 0; first < 64; first += 3)
            for (uint32_t last = first; last < 64; last += 5) {
                uint64_t n = 0;

                for (uint32_t i = first; i <= last; i++)
                    n += has(a.ranges, a.n, i);
                CHECK(rangeset_overlap(&a, first, last) == n);
            }
        for (uint32_t i = 64; i-- > 0;) {
            n_all += has(a.ranges, a.n, i);
            if (has(a.ranges, a.n, i) != has(b.ranges, b.n, i))
                least = i;
        }
        CHECK(rangeset_count(&a) == n_all);
        CHECK(rangeset_difference(a.ranges, a.n, b.ranges, b.n, &range, &in_a) == (least < 64));
        CHECK(least == 64 ||
              (range.first == least && range.last >= least && in_a == has(a.ranges, a.n, least)));
        rangeset_free(&a);
        rangeset_free(&b);
    }
}

static void counts_all_there_are(void)
{
    struct rangeset set = { 0 };

    CHECK(rangeset_count(&set) == 0 && rangeset_overlap(&set, 0, UINT32_MAX) == 0);
    add(&set, 0, UINT32_MAX);
    CHECK(rangeset_count(&set) == 1ull << 32);
    CHECK(rangeset_overlap(&set, 0, UINT32_MAX) == 1ull << 32);
    CHECK(rangeset_overlap(&set, UINT32_MAX, UINT32_MAX) == 1);
    rangeset_free(&set);
}

/* Ranges are added from both sides towards the middle, so that every insertion moves entries. */
static void holds_many(void)
{
    enum { RANGES = 2000 };
    struct rangeset set = { 0 };

    for (uint32_t i = 0; i < RANGES; i++) {
        uint32_t at = i % 2 ? RANGES - 1 - i / 2 : i / 2;

        add(&set, 10 * at + 1, 10 * at + 4);
    }
    CHECK(set.n == RANGES);
    for (uint32_t i = 0; i < RANGES; i++)
        CHECK(set.ranges[i].first == 10 * i + 1 && set.ranges[i].last == 10 * i + 4);
    add(&set, 3, 10 * (RANGES - 1) + 2);
    CHECK(set.n == 1 && set.ranges[0].first == 1 && set.ranges[0].last == 10 * RANGES - 6);
    rangeset_free(&set);
}

static void fails_cleanly_without_memory(void)
{
    struct hagg_err err = { 0 };
    struct rangeset set = { 0 };
    uint32_t n = 1;

    for (; n < 1000; n++) {
        alloc_refuse(0);
        if (rangeset_add(&set, 2 * n, 2 * n, &err) == 0)
            continue;
        CHECK(alloc_refused() && err.status == HAGG_E_SYSTEM);
        CHECK(set.n == n - 1);
        alloc_watch();
        CHECK(rangeset_add(&set, 2 * n, 2 * n, &err) == 0);
    }
    alloc_watch();
    for (uint32_t i = 0; i < set.n; i++)
        CHECK(set.ranges[i].first == 2 * (i + 1) && set.ranges[i].last == 2 * (i + 1));
    CHECK(set.n == 999);
    rangeset_free(&set);
}

int main(void)
{
    melts_what_touches();
    reaches_both_ends();
    agrees_with_a_table();
    settles_many_ranges_in_any_order();
    counts_and_compares();
    counts_all_there_are();
    holds_many();
    fails_cleanly_without_memory();
    return check_end();
}
