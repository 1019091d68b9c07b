#include "planner/cover/credit.h"

#include "check.h"
#include "planner/cover/cover_exact.h"
#include "reaches.h"

/* The largest ratio of offers to fee over all sets of stations. */
static double most_offered(const struct instance *in, const struct credit *c)
{
    double most = 0;

    for (uint64_t set = 1; set < UINT64_C(1) << in->n_stations; set++) {
        uint32_t size = set_count(&set, 1);
        double rate = in->rate[size], sum = 0;

        if (isinf(rate))
            continue;
        for (uint32_t k = 0; k < in->n_reach_classes; k++) {
            const uint64_t *reach = instance_reach(in, k);
            double surcharge = in->weight[k] * (rate - in->rate[set_count(reach, 1)]);

            if (set_within(&set, reach, 1) && c->kept[k] > surcharge)
                sum += c->kept[k] - surcharge;
        }
        most = fmax(most, sum / in->fee[size]);
    }
    return most;
}

/* The least cost, by cover_exact. */
static double least_cost(const struct instance *in)
{
    struct hagg_err err = { 0 };
    uint32_t group[COVER_EXACT_MOST], n = cover_exact(in, group, &err);
    double cost = 0;

    CHECK(n > 0);
    for (uint32_t g = 0; g < n; g++) {
        uint64_t set = UINT64_MAX;
        uint32_t weight = 0;

        for (uint32_t k = 0; k < in->n_reach_classes; k++)
            if (group[k] == g) {
                set &= *instance_reach(in, k);
                weight += in->weight[k];
            }
        cost += weight * in->rate[set_count(&set, 1)] + in->fee[set_count(&set, 1)];
    }
    return cost;
}

static void test_valid_for_every_set(void)
{
    struct effort e;
    double ratio = 0;
    unsigned n = 0;

    effort_start(&e, EFFORT_DEFAULT, 1, 0, NULL);
    for (unsigned i = 0; i < 150; i++) {
        struct hagg_err err = { 0 };
        struct instance in;
        struct reachers r;
        struct credit c;
        double sum = 0, least, whole = 0, largest = 0;

        reaches_new(&in, 5 + effort_random(&e, 6), 4 + effort_random(&e, 9), effort_random(&e, 4));
        if (i % 5 == 0)
            reaches_level_rates(&in, 3, 3);
        if (i % 5 == 1)
            reaches_lower_fees(&in, 0);
        reaches_random(&in, &e, 11, 1 + i % 3);
        reaches_price(&in, i);
        if (in.n_reach_classes > 0) {
            CHECK(reachers_new(&r, &in, &err) == 0);
            CHECK(credit_new(&c, &r, &err) == 0);
            least = least_cost(&in);
            for (uint32_t k = 0; k < in.n_reach_classes; k++) {
                uint32_t size = set_count(instance_reach(&in, k), 1);
                whole += in.weight[k] * in.rate[size];
                largest = fmax(largest, in.fee[size]);
            }
            CHECK(fabs(c.bound - whole - largest) < 1e-9);
            credit_improve(&c, least, &e, 10000000);
            for (uint32_t k = 0; k < in.n_reach_classes; k++)
                sum += c.kept[k];
            CHECK(most_offered(&in, &c) <= 1);
            CHECK(c.base + sum <= c.bound + 1e-9);
            CHECK(c.bound <= least + 1e-9);
            /* fees alone are further from what any credits can prove */
            if (in.rate[in.n_stations] >= in.fee[in.n_stations]) {
                ratio += least / c.bound;
                n++;
            }
            credit_free(&c);
            reachers_free(&r);
        }
        instance_free(&in);
    }
    /* the bound must also be close to the least cost to be useful */
    CHECK(ratio / n < 1.01);
}

/* Every intersection of reaches that a cover within the margin can use is listed. */
static void found(void *arg, const uint64_t *set)
{
    bool *listed = arg;

    listed[*set] = true;
}

static void test_lists_all(void)
{
    struct effort e;
    unsigned n_listed = 0, n_not = 0;

    effort_start(&e, EFFORT_DEFAULT, 2, 0, NULL);
    for (unsigned i = 0; i < 60; i++) {
        struct hagg_err err = { 0 };
        bool listed[1 << 8] = { false };
        struct instance in;
        struct reachers r;
        struct credit c;
        double more = 0.1 * (i % 20);

        reaches_new(&in, 8, 12, 1 + i % 3);
        if (i % 5 == 0)
            reaches_level_rates(&in, 3, 3);
        if (i % 5 == 1)
            reaches_lower_fees(&in, 0);
        reaches_random(&in, &e, 11, 2);
        reaches_price(&in, i);
        CHECK(reachers_new(&r, &in, &err) == 0);
        CHECK(credit_new(&c, &r, &err) == 0);
        credit_improve(&c, least_cost(&in), &e, 10000000);
        struct overpaid o = {
            .reachers = &r, .credit = c.kept, .rate = c.pool.rate, .found = found, .arg = listed
        };
        CHECK(overpaid_list(&o, more, &e, 100000000));
        /* intersections of up to four reaches whose classes would all use it at a loss within the
         * margin */
        for (uint32_t reach_classes = 1; reach_classes < UINT32_C(1) << in.n_reach_classes;
             reach_classes++) {
            uint64_t set = UINT64_MAX;
            double loss = 0;

            if (__builtin_popcount(reach_classes) > 4)
                continue;
            for (uint32_t k = 0; k < in.n_reach_classes; k++)
                if (reach_classes >> k & 1)
                    set &= *instance_reach(&in, k);
            double rate = in.rate[set_count(&set, 1)];
            if (isinf(rate))
                continue;
            loss = in.fee[set_count(&set, 1)];
            for (uint32_t k = 0; k < in.n_reach_classes; k++) {
                double left = c.kept[k] - in.weight[k] * (rate - c.pool.rate[k]);

                /* users pay their offer, even if negative; others contribute at most their offer */
                if (set_within(&set, instance_reach(&in, k), 1) &&
                    (left > 0 || reach_classes >> k & 1))
                    loss -= left;
            }
            if (loss <= more) {
                CHECK(listed[set]);
                n_listed += listed[set];
            } else
                n_not += !listed[set];
        }
        credit_free(&c);
        reachers_free(&r);
        instance_free(&in);
    }
    CHECK(n_listed > 100);
    CHECK(n_not > 100);
}

/* Even with too little work there is a valid bound. */
static void test_little_work(void)
{
    struct hagg_err err = { 0 };
    struct instance in;
    struct reachers r;
    struct credit c;
    struct effort e;

    effort_start(&e, EFFORT_DEFAULT, 3, 0, NULL);
    reaches_new(&in, 64, 300, 3);
    reaches_around(&in, &e, 8);
    CHECK(reachers_new(&r, &in, &err) == 0);
    CHECK(credit_new(&c, &r, &err) == 0);
    double whole = c.bound;
    credit_improve(&c, 2 * whole, &e, 1000);
    CHECK(c.bound == whole);
    credit_improve(&c, 2 * whole, &e, 100000000);
    CHECK(c.bound > whole);
    credit_free(&c);
    reachers_free(&r);
    instance_free(&in);
}

int main(void)
{
    test_valid_for_every_set();
    test_lists_all();
    test_little_work();
    return check_end();
}
