#include "aggregate/contributors.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

static void says_who_was_there(void)
{
    struct contributors c = { 0 };
    struct hagg_err err = { 0 };
    struct header_range *ranges;
    size_t earlier = 99, n;
    uint32_t client = 0;

    CHECK(contributors_add(&c, (struct header_range){ 5, 9 }, 1, &client, &earlier, &err) == 1);
    CHECK(contributors_add(&c, (struct header_range){ 1, 3 }, 2, &client, &earlier, &err) == 1);
    CHECK(contributors_add(&c, (struct header_range){ 10, 10 }, 3, &client, &earlier, &err) == 1);
    CHECK(contributors_add(&c, (struct header_range){ 2, 2 }, 4, &client, &earlier, &err) == 0);
    CHECK(client == 2 && earlier == 2);
    CHECK(contributors_add(&c, (struct header_range){ 4, 100 }, 4, &client, &earlier, &err) == 0);
    CHECK(client == 5 && earlier == 1);
    CHECK(contributors_add(&c, (struct header_range){ 9, 10 }, 4, &client, &earlier, &err) == 0);
    CHECK(client == 9 && earlier == 1);
    CHECK(contributors_add(&c, (struct header_range){ 1, UINT32_MAX }, 4, &client, &earlier,
                           &err) == 0);
    CHECK(client == 1 && earlier == 2);
    CHECK(contributors_add(&c, (struct header_range){ UINT32_MAX, UINT32_MAX }, 5, &client,
                           &earlier, &err) == 1);
    /* adjoining spans are one range, whatever their source */
    CHECK(contributors_ranges(&c, &ranges, &n, &err) == 0 && n == 3);
    CHECK(ranges[0].first == 1 && ranges[0].last == 3 && ranges[1].first == 5);
    CHECK(ranges[1].last == 10 && ranges[2].first == UINT32_MAX && ranges[2].last == UINT32_MAX);
    free(ranges);
    CHECK(c.n_clients == 10 && contributors_has(&c, 3) && !contributors_has(&c, 4));
    CHECK(contributors_has(&c, 10) && !contributors_has(&c, 11) &&
          contributors_has(&c, UINT32_MAX));
    contributors_free(&c);
    CHECK(c.spans == NULL && c.tree == NULL && c.n == 0 && c.n_clients == 0);
    contributors_free(&c);
    CHECK(contributors_ranges(&c, &ranges, &n, &err) == 0 && n == 0);
    free(ranges);
}

/* Compares with a table of the source of each client. */
static void agrees_with_a_table(void)
{
    uint64_t state = 1;

    for (int trial = 0; trial < 200; trial++) {
        struct contributors c = { 0 };
        struct hagg_err err = { 0 };
        struct header_range *ranges;
        size_t from[66] = { 0 }, n, at = 0; /* 0 if not in the set, otherwise 1 + source */

        for (size_t source = 0; source < 40; source++) {
            uint32_t first = 1 + (uint32_t)(reference_next(&state) % 64), client = 0, hit;
            uint32_t last = first + (uint32_t)(reference_next(&state) % (1 + (uint64_t)trial % 6));
            size_t earlier = 0;
            int added;

            last = last > 64 ? 64 : last;
            added = contributors_add(&c, (struct header_range){ first, last }, source, &client,
                                     &earlier, &err);
            for (hit = first; hit <= last && from[hit] == 0; hit++)
                ;
            CHECK(added == (hit > last));
            if (added == 0)
                CHECK(client == hit && earlier + 1 == from[hit]);
            else
                for (uint32_t i = first; i <= last; i++)
                    from[i] = source + 1;
        }
        CHECK(contributors_ranges(&c, &ranges, &n, &err) == 0);
        for (uint32_t i = 1; i <= 64; i++)
            if (from[i] > 0 && from[i - 1] == 0) {
                uint32_t end = i;

                while (from[end + 1] > 0)
                    end++;
                CHECK(at < n && ranges[at].first == i && ranges[at].last == end);
                at++;
            }
        CHECK(at == n);
        free(ranges);
        contributors_free(&c);
    }
}

static void fails_cleanly_without_memory(void)
{
    struct contributors c = { 0 };
    struct header_range *ranges;
    size_t earlier, n;
    uint32_t client;

    for (uint32_t i = 1; i < 200; i++) {
        struct hagg_err err = { 0 };
        struct header_range range = { 2 * i, 2 * i };
        int added;

        alloc_refuse(0);
        added = contributors_add(&c, range, i, &client, &earlier, &err);
        CHECK(added == (alloc_refused() ? -1 : 1));
        if (added < 0) {
            CHECK(err.status == HAGG_E_SYSTEM && c.n == i - 1);
            alloc_watch();
            CHECK(contributors_add(&c, range, i, &client, &earlier, &err) == 1);
        }
    }
    CHECK(c.n == 199);
    alloc_refuse(0);
    CHECK(contributors_ranges(&c, &ranges, &n, &(struct hagg_err){ 0 }) == -1);
    alloc_watch();
    contributors_free(&c);
}

/* The clients of a hostile sum are in descending order, or in two interleaved runs. A list that is
 * shifted for every range would take minutes. */
static void accepts_ranges_in_any_order(int n_orders)
{
    enum { N = CONTRIBUTORS_MAX };

    for (int order = 0; order < n_orders; order++) {
        struct contributors c = { 0 };
        struct hagg_err err = { 0 };
        struct header_range *ranges;
        size_t earlier, n;
        uint32_t client;

        for (uint32_t i = 0; i < N; i++) {
            uint32_t at = order == 0 ? N - i : order == 1 ? (i + N / 2) % N + 1 : i + 1;
            struct header_range range = { 2 * at, 2 * at };

            if (contributors_add(&c, range, i, &client, &earlier, &err) != 1) {
                CHECK(false);
                break;
            }
        }
        CHECK(contributors_has(&c, 2) && !contributors_has(&c, 3) && contributors_has(&c, 2 * N));
        CHECK(contributors_add(&c, (struct header_range){ 1, 1 }, 0, &client, &earlier, &err) < 0);
        CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, "more than 1000000 ranges"));
        CHECK(contributors_ranges(&c, &ranges, &n, &err) == 0 && n == N && ranges[0].first == 2);
        CHECK(ranges[N - 1].first == 2 * N);
        free(ranges);
        contributors_free(&c);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    says_who_was_there();
    agrees_with_a_table();
    fails_cleanly_without_memory();
    accepts_ranges_in_any_order(argc > 1 ? 1 : 3);
    return check_end();
}
