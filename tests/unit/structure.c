#include "audit/structure.h"

#include <stdio.h>
#include <stdlib.h>

#include "audit/model_build.h"
#include "audit/sets.h"
#include "base/splitmix.h"
#include "check.h"
#include "feed.h"

static uint64_t state = 7;

/* A number below n. */
static uint32_t below(uint32_t n)
{
    return splitmix_below(&state, n);
}

/* Prints k of 1 .. n, ascending, or in random order. */
static void put_some(struct text *t, uint32_t n, uint32_t k, bool ascending)
{
    uint32_t numbers[8];

    for (uint32_t i = 0; i < n; i++)
        numbers[i] = i + 1;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = below(i), keep = numbers[i - 1];

        numbers[i - 1] = numbers[j];
        numbers[j] = keep;
    }
    for (uint32_t i = 0; ascending && i + 1 < k; i++)
        for (uint32_t j = i + 1; j < k; j++)
            if (numbers[j] < numbers[i]) {
                uint32_t keep = numbers[i];

                numbers[i] = numbers[j];
                numbers[j] = keep;
            }
    for (uint32_t i = 0; i < k; i++)
        text_printf(t, " %u", numbers[i]);
}

/* The kinds of plans: relays that pass on, also with stations in any order, or transform. */
enum kind { DIRECT, PASSED_ON, SHUFFLED, TRANSFORMED, N_KINDS };

/* Prints the stations of a sharing, and its relays, which are among three sets. */
static void put_route(struct text *t, enum kind kind, uint32_t fewest, const char *what,
                      const char *relays)
{
    uint32_t k = fewest + below(5 - fewest), from = below(2);

    text_printf(t, " %s", what);
    /* in ascending order most stations have one place */
    put_some(t, 4, k, kind != SHUFFLED);
    if (kind == DIRECT)
        return;
    text_printf(t, " %s", relays);
    if (kind == TRANSFORMED)
        text_printf(t, k > 2 ? " 1-4" : " 1-3");
    else
        for (uint32_t i = 0; i < k; i++)
            text_printf(t, " %u", k < 4 ? from + i + 1 : i + 1);
}

static void random_plan(struct text *t, enum kind kind, bool full)
{
    uint32_t z_s = 1 + (below(3) == 0), z_r = kind == DIRECT ? 0 : below(2), n = 3 + below(4);
    uint32_t spares = z_s == 1 && kind != PASSED_ON && kind != SHUFFLED && below(4) == 0;
    uint32_t fewest = kind == DIRECT || kind == TRANSFORMED ? z_s + 2 * spares + 1
                      : full                                ? z_s + z_r + 1
                                                            : (z_s > z_r ? z_s : z_r) + 1;

    text_printf(t, "field prime:p=%u\ncollude %s clients=%u stations=%u relays=%u\n",
                below(2) ? 31u : 10007u, full ? "full" : "partial", below(3), z_s, z_r);
    if (below(5) == 0 && kind == DIRECT)
        text_printf(t, "scheme additive\n");
    if (kind != DIRECT)
        text_printf(t, "relays 4\nstation 1-4 via 1-4\n");
    text_printf(t, "minimum 1\nstations 4\n%sdrop clients=%u stations=%u\n",
                kind == TRANSFORMED ? "transform direct\n" : "", below(2), spares);
    for (uint32_t i = 1; i <= n; i++) {
        text_printf(t, "client %u via 1-4", i);
        put_route(t, kind, fewest, "shares", "relays");
        if (full)
            put_route(t, kind, fewest, "keys", "key-relays");
        else
            text_printf(t, " keys %u", 1 + below(4));
        text_printf(t, "\n");
    }
}

struct tally {
    size_t n_private, n_leaking, n_open_private, n_open_leaking;
};

static struct audit_options options(bool each)
{
    return (struct audit_options){ .each = each, .max_leaks = 1, .max_columns = LEARNT_COLUMNS };
}

/* A leak of the sums alone is a leak of all messages, and as large. */
static void confirms(const struct audit_leak *leak, const struct model *m)
{
    struct hagg_err err = { 0 };
    struct learnt learnt;

    CHECK(learnt_new(&learnt, m, &leak->who, &err) == 0);
    CHECK(learnt.rank * leak->learnt.cut == leak->learnt.rank * learnt.cut);
    CHECK(learnt.rank > 0 && learnt.n_terms == leak->learnt.n_terms);
    learnt_free(&learnt);
}

/* Compares the answer for a side with the elimination of all its sets. */
static void compare_side(const struct model *sums, const struct model *all,
                         const struct audit_bounds *bounds, const struct audit_side *s,
                         struct tally *tally, const char *plan)
{
    struct audit_options each = options(true), proof = options(false);
    struct hagg_err err = { 0 };
    struct audit_result by_each, by_structure;
    int holds = structure_holds(sums, s, NULL, &err);
    bool leaks;

    CHECK(holds >= 0);
    CHECK(audit_run(&by_each, all, bounds, &each, &err) == 0);
    CHECK(audit_run(&by_structure, sums, bounds, &proof, &err) == 0);
    leaks = by_each.n_leaks > 0;
    if (!CHECK((by_structure.n_leaks > 0) == leaks))
        fprintf(stderr, "holds %d, leaks %d\n%s", holds, leaks, plan);
    if (holds && leaks && by_structure.n_leaks > 0)
        confirms(&by_structure.leaks[0], all);
    *(holds   ? leaks ? &tally->n_leaking : &tally->n_private
      : leaks ? &tally->n_open_leaking
              : &tally->n_open_private) += 1;
    audit_result_free(&by_each);
    audit_result_free(&by_structure);
}

/* The largest numbers are the same as by elimination. */
static void compare_most(const struct model *sums, const struct model *all,
                         const struct audit_bounds *bounds, const char *plan)
{
    struct audit_options each = options(true), proof = options(false);

    for (int party = AUDIT_CLIENTS; party <= AUDIT_RELAYS; party++) {
        struct hagg_err err = { 0 };
        struct audit_most a, b;

        CHECK(audit_max(&a, all, bounds, (enum audit_party)party, &each, &err) == 0);
        CHECK(audit_max(&b, sums, bounds, (enum audit_party)party, &proof, &err) == 0);
        if (!CHECK(a.none == b.none && a.n == b.n && !a.at_least && !b.at_least))
            fprintf(stderr, "party %d: %u and %u\n%s", party, a.n, b.n, plan);
    }
}

static void compare(enum kind kind, bool full, struct tally *tally)
{
    struct audit_side sides[SETS_SIDES];
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;
    struct text text = { 0 };
    struct model sums, all;
    struct plan p;
    size_t n;

    random_plan(&text, kind, full);
    /* some of them are not valid plans */
    if (plan_load(&p, feed_keys(text.bytes), &err)) {
        if (!CHECK(err.status == HAGG_E_MALFORMED || err.status == HAGG_E_PRIVACY))
            fprintf(stderr, "%s\n", err.text);
        text_free(&text);
        return;
    }
    CHECK(model_build(&all, &p, 0, &err) == 0 && model_build_sums(&sums, &p, 0, &err) == 0);
    CHECK(sums.n_profiles == all.n_profiles && sums.n_components == all.n_components);
    bounds = audit_bounds_of(&p);
    /* also with one station or one relay more than the plan allows, as for --max */
    for (size_t i = 0; i < 3; i++) {
        bounds.stations += i == 1;
        bounds.relays += i == 2;
        n = sets_sides(&all, &bounds, sides);
        compare_side(&sums, &all, &bounds, &sides[n - 1], tally, text.bytes);
        bounds.stations -= i == 1;
    }
    bounds.relays--;
    compare_most(&sums, &all, &bounds, text.bytes);
    model_free(&sums);
    model_free(&all);
    plan_free(&p);
    text_free(&text);
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "no relays", "passed on", "shuffled", "transformed" };
    size_t n_plans = argc > 1 ? 2 : 16;

    (void)argv;
    for (size_t i = 0; i < 2 * N_KINDS; i++) {
        struct tally tally = { 0 };
        bool full = i % 2;

        for (size_t j = 0; j < n_plans; j++)
            compare((enum kind)(i / 2), full, &tally);
        printf("%s, %s: proved %zu, leaks %zu; not proved: private %zu, leaks %zu\n", names[i / 2],
               full ? "full" : "partial", tally.n_private, tally.n_leaking, tally.n_open_private,
               tally.n_open_leaking);
        CHECK(tally.n_private + tally.n_leaking + tally.n_open_private + tally.n_open_leaking >
              n_plans);
    }
    return check_end();
}
