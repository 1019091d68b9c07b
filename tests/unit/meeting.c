#include "planner/relays/meeting.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "feed.h"

struct met {
    struct plan plan;
    struct instance all;
    struct meeting meeting;
};

static void begin(struct met *met, const char *topology)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load_to_choose(&met->plan, feed_keys(topology), &err) == 0);
    CHECK(instance_new(&met->all, &met->plan, &err) == 0);
    CHECK(meeting_begin(&met->meeting, &met->plan, &met->all, &err) == 0);
    CHECK_STR(err.text, "");
}

static bool next(struct met *met)
{
    struct hagg_err err = { 0 };
    int got = meeting_next(&met->meeting, &err);

    CHECK(got == 0 || got == 1);
    return got == 1;
}

static void end(struct met *met)
{
    CHECK(!next(met));
    meeting_free(&met->meeting);
    instance_free(&met->all);
    plan_free(&met->plan);
}

/* The stations that a client may use, one bit per station. */
static uint64_t stations_left(const struct met *met, uint32_t client)
{
    return *instance_reach(&met->meeting.in, met->meeting.in.reach_class[client]);
}

/* Clients 2 and 3 need stations 1, 3 and 6, which have relays 1 and 3 in common. Station 5 also
 * reaches these relays. */
static void keeps_stations_with_common_relays(void)
{
    struct met met = { 0 };

    begin(&met, "transform direct\ncollude full stations=2 relays=1\nstations 6\nrelays 5\n"
                "station 1 via 1-3 5\nstation 2 via 1\nstation 3 via 1-4\nstation 4 via 2-4\n"
                "station 5 via 1 3-5\nstation 6 via 1 3 4\nclient 1 via 2-6\n"
                "client 2 3 via 1-3 6\n");
    if (CHECK(next(&met))) {
        CHECK(met.meeting.in.n_reach_classes == 2);
        CHECK(stations_left(&met, 0) == (1 << 2 | 1 << 4 | 1 << 5));
        CHECK(stations_left(&met, 1) == (1 << 0 | 1 << 2 | 1 << 5));
        CHECK(stations_left(&met, 2) == stations_left(&met, 1));
        CHECK(met.meeting.in.weight[met.meeting.in.reach_class[1]] == 2);
    }
    end(&met);
}

/* Without station 4 both clients have the same reach. */
static void merges_reach_classes(void)
{
    struct met met = { 0 };

    begin(&met, "transform direct\ncollude partial stations=1 relays=1\nstations 4\nrelays 3\n"
                "station 1-3 via 1 2\nstation 4 via 2 3\nclient 1 via 1-3\nclient 2 via 1-4\n");
    CHECK(met.all.n_reach_classes == 2);
    if (CHECK(next(&met))) {
        CHECK(met.meeting.in.n_reach_classes == 1 && met.meeting.in.weight[0] == 2);
        CHECK(stations_left(&met, 0) == 7 && stations_left(&met, 1) == 7);
    }
    end(&met);
}

/* First with all sizes, then with three stations for all. */
static void offers_one_size(void)
{
    struct met met = { 0 };

    begin(&met, "transform direct\ncollude full stations=1 relays=1\nstations 4\nrelays 3\n"
                "station 1-4 via 1-3\nclient 1 via 1-3\nclient 2 3 via 1-4\n");
    if (CHECK(next(&met)))
        CHECK(met.meeting.in.size[4] == 4 && met.meeting.in.size[2] == 2);
    if (CHECK(next(&met))) {
        const struct instance *in = &met.meeting.in;

        CHECK(in->n_reach_classes == 2 && stations_left(&met, 0) == 7 &&
              stations_left(&met, 1) == 15);
        CHECK(in->size[4] == 3 && in->size[3] == 3 && in->size[2] == 0);
        CHECK(in->rate[4] == 1.5 && in->rate[3] == 1.5 && isinf(in->rate[2]));
    }
    end(&met);
}

/* Stations 1, 2 and 4 have three relays in common; other stations have fewer than a sharing
 * needs. */
static void keeps_most_stations(void)
{
    uint64_t stations = 31, few = 1 << 2 | 1 << 4;
    struct hagg_err err = { 0 };
    struct met met = { 0 };

    begin(&met, "transform direct\ncollude partial stations=1 relays=2\nstations 5\nrelays 5\n"
                "station 1 via 1-5\nstation 2 via 1 3-5\nstation 3 5 via 2 3\nstation 4 via 1 4 5\n"
                "client 1 via 1-5\nclient 2 via 3 5\n");
    CHECK(meeting_restrict(&met.meeting, &stations, &err) == 0);
    CHECK(stations == (1 << 0 | 1 << 1 | 1 << 3));
    CHECK(meeting_restrict(&met.meeting, &few, &err) == 0);
    CHECK(few == 0);
    end(&met);
}

/* Two relays are needed, but no two stations have two in common. */
static void finds_none(void)
{
    struct met met = { 0 };

    begin(&met, "transform direct\ncollude full stations=1 relays=1\nstations 3\nrelays 4\n"
                "station 1 via 1 2\nstation 2 via 2 3\nstation 3 via 3 4\nclient 1-3 via 1-3\n");
    end(&met);
}

int main(void)
{
    keeps_stations_with_common_relays();
    merges_reach_classes();
    offers_one_size();
    keeps_most_stations();
    finds_none();
    return check_end();
}
