#include "planner/cover/cover.h"

#include "alloc.h"
#include "check.h"
#include "planner/cover/cover_exact.h"
#include "reaches.h"

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

/* The least cost of an instance with at most 6 stations, by trying every set for every reach class,
 * without any theorem about which sets are enough. open has a bit for each set. */
static void try_all(const struct instance *in, uint32_t reach_class, uint64_t open, double cost,
                    const double *rest, double *least)
{
    if (cost + rest[reach_class] >= *least)
        return;
    if (reach_class == in->n_reach_classes) {
        *least = cost;
        return;
    }
    uint64_t reach = *instance_reach(in, reach_class);
    for (uint64_t set = reach; set != 0; set = (set - 1) & reach) {
        double rate = in->rate[set_count(&set, 1)], fee = in->fee[set_count(&set, 1)];

        if (!isinf(rate))
            try_all(in, reach_class + 1, open | UINT64_C(1) << set,
                    cost + in->weight[reach_class] * rate + (open >> set & 1 ? 0 : fee), rest,
                    least);
    }
}

static double least_cost(const struct instance *in)
{
    double rest[8] = { 0 }, least = INFINITY;

    for (uint32_t k = in->n_reach_classes; k-- > 0;)
        rest[k] = rest[k + 1] + in->weight[k] * in->rate[set_count(instance_reach(in, k), 1)];
    try_all(in, 0, 0, 0, rest, &least);
    return least;
}

/* Checks that a cover is valid as defined in cover.h, whatever its cost. */
static void check_cover(const struct instance *in, const struct cover *c)
{
    double cost = 0;
    bool within = true, different = true, used = true;

    for (size_t i = 0; i < c->n_patterns; i++) {
        const uint64_t *set = c->patterns + i * in->n_words;
        bool has_user = false;

        cost += in->fee[set_count(set, in->n_words)];
        for (size_t j = 0; j < i; j++)
            different = different && !set_equal(set, c->patterns + j * in->n_words, in->n_words);
        for (uint32_t k = 0; k < in->n_reach_classes; k++)
            has_user = has_user || c->of[k] == i;
        used = used && has_user;
    }
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        const uint64_t *set = c->patterns + c->of[k] * in->n_words;

        within = within && c->of[k] < c->n_patterns &&
                 set_within(set, instance_reach(in, k), in->n_words);
        cost += in->weight[k] * in->rate[set_count(set, in->n_words)];
    }
    CHECK(within);
    CHECK(different);
    CHECK(used);
    CHECK(near(c->cost, cost));
    CHECK(c->bound <= c->cost);
    CHECK(c->bound > 0);
}

static void find(const struct instance *in, unsigned level, uint64_t seed, double seconds,
                 struct cover *c, bool *cut_short)
{
    struct hagg_err err = { 0 };
    struct effort e;

    effort_start(&e, level, seed, seconds, NULL);
    CHECK(cover_find(in, &e, c, &err) == 0);
    if (cut_short)
        *cut_short = e.cut_short;
}

static void test_against_all_choices(unsigned n_rounds)
{
    struct hagg_err err = { 0 };
    struct effort e;

    effort_start(&e, EFFORT_DEFAULT, 1, 0, NULL);
    for (unsigned i = 0; i < n_rounds; i++) {
        uint32_t n_stations = 3 + effort_random(&e, 4), z = effort_random(&e, 3);
        struct instance in;
        struct cover c, whole;

        reaches_new(&in, n_stations, 1 + effort_random(&e, 6), z);
        if (i % 3 == 0)
            reaches_level_rates(&in, z + 1, z + 1);
        if (i % 3 == 1)
            reaches_lower_fees(&in, z / 2);
        reaches_random(&in, &e, 10 + effort_random(&e, 5), 4);
        reaches_price(&in, i);
        if (in.n_reach_classes > 0) {
            double least = least_cost(&in);

            find(&in, 1, i, 0, &c, NULL);
            check_cover(&in, &c);
            CHECK(near(c.cost, least));
            CHECK(c.proved);
            CHECK(near(c.bound, least));
            CHECK(cover_whole(&in, &whole, &err) == 0);
            check_cover(&in, &whole);
            CHECK(whole.n_patterns == in.n_reach_classes);
            CHECK(whole.bound <= least * (1 + 1e-12));
            CHECK(!whole.proved || near(whole.cost, least));
            cover_free(&c);
            cover_free(&whole);
        }
        instance_free(&in);
    }
}

/* theory.md, known answers; the first reach class has two clients. */
static void test_example(void)
{
    static const uint32_t reach[5][6] = {
        { 1, 2, 3, 5 }, { 1, 2, 3, 4, 5 }, { 2, 3, 4, 5 }, { 1, 2, 4, 5 }, { 1, 2, 5 }
    };
    struct hagg_err err = { 0 };
    struct instance in;
    struct cover c;

    reaches_new(&in, 5, 5, 2);
    for (uint32_t k = 0; k < 5; k++)
        for (uint32_t i = 0; reach[k][i] != 0; i++)
            reaches_add(&in, k, reach[k][i]);
    in.weight[0] = 2;
    CHECK(cover_whole(&in, &c, &err) == 0);
    CHECK(near(c.cost, 38.0 / 3 + 32.0 / 3));
    CHECK(near(c.bound, 47.0 / 3));
    CHECK(!c.proved);
    cover_free(&c);
    find(&in, EFFORT_DEFAULT, 0, 0, &c, NULL);
    CHECK(near(c.cost, 21));
    CHECK(c.proved);
    check_cover(&in, &c);
    cover_free(&c);
    instance_free(&in);
}

/* Searches for a cheaper cover of many reach classes over few stations: patterns from the largest
 * to the smallest, each open or not; a reach class uses the first open one within its reach. */
struct descent {
    const struct instance *in;
    uint64_t sets[64];
    uint32_t n_sets;
    double least;
};

static void descend(struct descent *d, uint32_t i, const uint32_t *left, uint32_t n_left,
                    double cost)
{
    const struct instance *in = d->in;
    uint32_t size = i < d->n_sets ? set_count(&d->sets[i], 1) : 0;
    double bound = cost, rate = i < d->n_sets ? in->rate[size] : 0;
    double fee = i < d->n_sets ? in->fee[size] : 0;
    uint32_t others[64], n_others = 0;

    if (n_left == 0 && cost < d->least)
        d->least = cost;
    for (uint32_t j = 0; j < n_left; j++) {
        double least = fmax(rate, in->rate[set_count(instance_reach(in, left[j]), 1)]);

        bound += in->weight[left[j]] * least;
    }
    if (n_left == 0 || i == d->n_sets || bound + fee >= d->least)
        return;
    for (uint32_t j = 0; j < n_left; j++)
        if (!set_within(&d->sets[i], instance_reach(in, left[j]), 1))
            others[n_others++] = left[j];
        else
            cost += in->weight[left[j]] * rate;
    if (n_others < n_left)
        descend(d, i + 1, others, n_others, cost + fee);
    for (uint32_t j = 0; j < n_left; j++)
        if (set_within(&d->sets[i], instance_reach(in, left[j]), 1))
            cost -= in->weight[left[j]] * rate;
    descend(d, i + 1, left, n_left, cost);
}

static bool cheaper_exists(const struct instance *in, uint32_t least_size, double cost)
{
    struct descent d = { .in = in, .least = cost };
    uint32_t left[64];

    for (uint32_t size = in->n_stations; size >= least_size; size--)
        for (uint64_t set = 1; set < UINT64_C(1) << in->n_stations; set++)
            if (set_count(&set, 1) == size)
                d.sets[d.n_sets++] = set;
    for (uint32_t k = 0; k < in->n_reach_classes; k++)
        left[k] = k;
    descend(&d, 0, left, in->n_reach_classes, 0);
    return d.least < cost;
}

/* Too many reach classes to try all groups: found by search, and proved by branch and bound. */
static void test_proofs(void)
{
    struct effort e;
    unsigned n = 0;

    effort_start(&e, EFFORT_DEFAULT, 2, 0, NULL);
    for (unsigned i = 0; i < 12; i++) {
        uint32_t z = i % 2 ? 1 : 3;
        struct instance in;
        struct cover c;

        reaches_new(&in, i % 2 ? 5 : 6, i % 2 ? 60 : 150, z);
        reaches_random(&in, &e, 12, 1 + i % 4);
        reaches_price(&in, i / 2);
        if (in.n_reach_classes > COVER_EXACT_MOST) {
            find(&in, EFFORT_DEFAULT, i, 0, &c, NULL);
            check_cover(&in, &c);
            CHECK(c.proved);
            CHECK(near(c.bound, c.cost));
            CHECK(!cheaper_exists(&in, z + 1, c.cost - 1e-6));
            CHECK(cheaper_exists(&in, z + 1, c.cost + 1e-6));
            cover_free(&c);
            n++;
        }
        instance_free(&in);
    }
    CHECK(n > 8);
}

static void test_levels(void)
{
    static const struct {
        uint32_t width, n_reach_classes, z;
    } cases[] = { { 4, 40, 2 }, { 8, 120, 3 }, { 9, 150, 2 } };
    struct effort e;

    effort_start(&e, EFFORT_DEFAULT, 3, 0, NULL);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hagg_err err = { 0 };
        struct cover quick, again, other, thorough, whole;
        struct instance in;

        reaches_new(&in, cases[i].width * cases[i].width, cases[i].n_reach_classes, cases[i].z);
        reaches_around(&in, &e, cases[i].width);
        CHECK(in.n_reach_classes > COVER_EXACT_MOST);
        CHECK(cover_whole(&in, &whole, &err) == 0);
        check_cover(&in, &whole);
        find(&in, 1, 7, 0, &quick, NULL);
        find(&in, 1, 7, 0, &again, NULL);
        find(&in, 1, 8, 0, &other, NULL);
        find(&in, 9, 7, 3, &thorough, NULL);
        check_cover(&in, &quick);
        check_cover(&in, &other);
        check_cover(&in, &thorough);
        CHECK(quick.n_patterns == again.n_patterns);
        CHECK(memcmp(quick.patterns, again.patterns,
                     quick.n_patterns * in.n_words * sizeof *quick.patterns) == 0);
        CHECK(memcmp(quick.of, again.of, in.n_reach_classes * sizeof *quick.of) == 0);
        CHECK(quick.bound == again.bound);
        CHECK(quick.cost < whole.cost);
        CHECK(thorough.cost <= quick.cost * (1 + 1e-12));
        CHECK(thorough.bound >= quick.bound * (1 - 1e-12));
        CHECK(!quick.proved || thorough.cost >= quick.cost * (1 - 1e-9));
        /* the bound is also valid for covers found by another seed */
        CHECK(thorough.bound <= other.cost * (1 + 1e-9));
        CHECK(quick.bound > whole.bound);
        cover_free(&quick);
        cover_free(&again);
        cover_free(&other);
        cover_free(&thorough);
        cover_free(&whole);
        instance_free(&in);
    }
}

/* With any time limit the cover is valid and costs no more than whole reaches. */
static void test_time_limit(void)
{
    struct hagg_err err = { 0 };
    struct cover c, whole;
    struct instance in;
    struct effort e, clock;
    bool cut_short;

    effort_start(&e, EFFORT_DEFAULT, 4, 0, NULL);
    reaches_new(&in, 100, 1500, 3);
    reaches_around(&in, &e, 10);
    CHECK(cover_whole(&in, &whole, &err) == 0);
    effort_start(&clock, 1, 0, 60, NULL);
    find(&in, EFFORT_MOST, 1, 0.05, &c, &cut_short);
    CHECK(effort_may_continue(&clock));
    CHECK(cut_short);
    check_cover(&in, &c);
    CHECK(c.cost <= whole.cost);
    CHECK(!c.proved);
    cover_free(&c);
    cover_free(&whole);
    instance_free(&in);
}

/* One reach with many stations, disjoint reaches, and nested reaches. */
static void test_extremes(void)
{
    struct instance in;
    struct cover c;

    reaches_new(&in, 130, 1, 3);
    for (uint32_t s = 1; s <= 130; s++)
        reaches_add(&in, 0, s);
    find(&in, 1, 0, 0, &c, NULL);
    CHECK(near(c.cost, 2 * 130.0 / 127));
    CHECK(c.proved);
    cover_free(&c);
    instance_free(&in);

    reaches_new(&in, 130, 40, 2);
    for (uint32_t s = 0; s < 120; s++)
        reaches_add(&in, s / 3, s + 1);
    find(&in, 1, 0, 0, &c, NULL);
    CHECK(c.n_patterns == 40);
    CHECK(near(c.cost, 40 * 2 * 3));
    CHECK(c.proved);
    check_cover(&in, &c);
    cover_free(&c);
    instance_free(&in);

    /* with equal rates the smallest reach is enough for all, so one pattern is optimal */
    reaches_new(&in, 130, 40, 2);
    reaches_level_rates(&in, 3, 3);
    for (uint32_t k = 0; k < 40; k++)
        for (uint32_t s = 1; s <= 5 + 3 * k; s++)
            reaches_add(&in, k, s);
    find(&in, 1, 0, 0, &c, NULL);
    CHECK(c.n_patterns == 1);
    CHECK(near(c.cost, 3 * 41));
    CHECK(c.proved);
    cover_free(&c);
    instance_free(&in);
}

/* If any allocation fails, there is an error or a valid cover. */
static void test_short_memory(unsigned n_instances)
{
    static const uint32_t n_reach_classes[] = { 8, 30 };
    struct effort e;
    bool refused;

    for (unsigned i = 0; i < n_instances; i++) {
        struct instance in;
        unsigned n_errors = 0;

        effort_start(&e, EFFORT_DEFAULT, 5, 0, NULL);
        reaches_new(&in, 16, n_reach_classes[i], 2);
        reaches_around(&in, &e, 4);
        for (unsigned long n = 0;; n += 1 + n / 8) {
            struct hagg_err err = { 0 };
            struct cover c;

            effort_start(&e, 1, 1, 0, NULL);
            alloc_refuse(n);
            int rc = cover_find(&in, &e, &c, &err);
            refused = alloc_refused();
            alloc_watch();
            if (rc == 0) {
                check_cover(&in, &c);
                cover_free(&c);
            } else {
                CHECK(refused);
                CHECK(err.status == HAGG_E_SYSTEM);
                n_errors++;
            }
            if (!refused)
                break;
        }
        CHECK(n_errors > 4);
        instance_free(&in);
    }
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;

    test_against_all_choices(quick ? 10 : 400);
    test_example();
    test_short_memory(quick ? 1 : 2);
    if (!quick) {
        test_proofs();
        test_levels();
        test_time_limit();
        test_extremes();
    }
    return check_end();
}
