#include "base/rangeset.h"

#include "check.h"
#include "reference.h"

enum { N = 40 };

static uint64_t state = 9;

/* Draws a set and the table of its numbers. */
static void draw(struct rangeset *set, bool *in)
{
    struct hagg_err err = { 0 };
    unsigned density = (unsigned)(reference_next(&state) % 9);

    for (uint32_t i = 1; i <= N; i++) {
        in[i] = reference_next(&state) % 8 < density;
        if (in[i])
            CHECK(rangeset_add(set, i, i, &err) == 0);
    }
}

static void counts(const struct rangeset *set, const bool *in)
{
    size_t wrong = 0, n = 0;

    for (uint32_t first = 1; first <= N; first++) {
        uint64_t overlap = 0;

        n += in[first];
        for (uint32_t last = first; last <= N; last++) {
            overlap += in[last];
            wrong += rangeset_overlap(set, first, last) != overlap;
        }
        wrong += rangeset_overlap(set, first, UINT32_MAX) != overlap;
    }
    CHECK(wrong == 0);
    CHECK(rangeset_count(set) == n);
}

static void agrees_with_a_table(void)
{
    for (int trial = 0; trial < 500; trial++) {
        bool in_a[N + 2] = { 0 }, in_b[N + 2] = { 0 }, found, which = false;
        struct rangeset a = { 0 }, b = { 0 };
        struct header_range range = { 0, 0 };
        uint32_t least = 1;

        draw(&a, in_a);
        draw(&b, in_b);
        counts(&a, in_a);
        while (least <= N && in_a[least] == in_b[least])
            least++;
        found = rangeset_difference(a.ranges, a.n, b.ranges, b.n, &range, &which);
        CHECK(found == (least <= N));
        if (found) {
            CHECK(range.first == least && range.last >= range.first);
            CHECK(which == in_a[least]);
        }
        CHECK(!rangeset_difference(a.ranges, a.n, a.ranges, a.n, &range, &which));
        rangeset_free(&a);
        rangeset_free(&b);
    }
}

static void reaches_both_ends(void)
{
    struct hagg_err err = { 0 };
    struct rangeset set = { 0 };

    CHECK(rangeset_count(&set) == 0 && rangeset_overlap(&set, 0, UINT32_MAX) == 0);
    CHECK(rangeset_add(&set, 0, UINT32_MAX, &err) == 0);
    CHECK(rangeset_count(&set) == 1ull << 32);
    CHECK(rangeset_overlap(&set, 0, UINT32_MAX) == 1ull << 32);
    CHECK(rangeset_overlap(&set, UINT32_MAX, UINT32_MAX) == 1);
    CHECK(rangeset_overlap(&set, 0, 0) == 1);
    rangeset_free(&set);
}

int main(void)
{
    agrees_with_a_table();
    reaches_both_ends();
    return check_end();
}
