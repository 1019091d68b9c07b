#include "roster/roster.h"

#include <fcntl.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "scratch.h"

#define LENGTH 4

/* Client 3 sends only to stations 1 and 2, and its key to station 2. */
static const char text[] = "collude partial stations=1\nlength 4\nstations 3\ndrop stations=0\n"
                           "client 1 2 via 1-3 shares 1-3 keys 1\n"
                           "client 3 via 1 2 shares 1 2 keys 2\n";

static struct plan plan;

/* The station that has the records of a second run of client 1. */
static uint32_t again_at;

/* Appends the share of a client for station u, or its key, to the file. */
static void write_record(const char *path, uint32_t client, uint32_t u, bool is_key)
{
    uint32_t all[] = { 1, 2, 3 }, n = client == 3 ? 2 : 3;
    struct header_tier tier = { "station", all, n };
    struct header_range clients = { client, client };
    uint64_t elems[LENGTH] = { client, u, 3, 4 };
    struct header h = {
        .kind = is_key ? HEADER_VECTOR : HEADER_SHARE,
        .secret = is_key ? HEADER_KEY : HEADER_PADDED,
        .field = "m31",
        .from = { "client", client },
        .to = { "station", u },
        .has_round = true,
        .round = 3,
        .length = LENGTH,
        .clients = &clients,
        .n_clients = 1,
        .has_plan = true,
        .has_id = true,
        .id = { (uint8_t)client, client == 1 && u == again_at },
    };

    memcpy(h.plan, plan.digest, sizeof h.plan);
    if (!is_key) {
        h.scheme = (struct header_scheme){ "ramp", n, n, 1, u - 1, true, u };
        h.route = &tier;
        h.n_route = 1;
    }
    scratch_record(path, &h, 4, elems, is_key || n == 2 ? LENGTH : LENGTH / 2);
}

/* Everything that clients send to the station, without the share of client `without`. */
static const char *deliver(uint32_t u, uint32_t without)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s", scratch_path("delivered"));
    unlink(path);
    for (uint32_t i = 1; i <= (u == 3 ? 2 : 3); i++) {
        if (i != without)
            write_record(path, i, u, false);
        if (u == (i == 3 ? 2 : 1))
            write_record(path, i, u, true);
    }
    return path;
}

static void has(const struct rangeset *set, uint32_t first, uint32_t last)
{
    CHECK(set->n == 1 && set->ranges[0].first == first && set->ranges[0].last == last);
}

/* Writes the report of a station, made from the records of deliver. */
static void report(uint32_t u, uint32_t without, const char *path)
{
    struct roster_options o = { .plan = &plan, .round = 3, .station = u };
    struct hagg_err err = { 0 };
    struct roster *r = roster_new(&o, &err);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    CHECK(fd >= 0 && roster_add(r, deliver(u, without), &err) == 0);
    CHECK(roster_find(r, &err) == 0 && roster_check(r, &err) == 0);
    CHECK(roster_write(r, fd, path, &err) == 0);
    CHECK_STR(err.text, "");
    close(fd);
    roster_free(r);
}

static void finds_who_is_complete(void)
{
    struct roster_options o = { .plan = &plan, .round = 3 };
    struct rangeset loaded = { 0 };
    struct roster_gap gap = { 0 };
    const char *path = scratch_path("report"), *issued = scratch_path("roster");
    struct hagg_err err = { 0 };
    struct roster *r = roster_new(&o, &err);
    uint64_t round = 0;
    size_t at = 0;
    int fd;

    for (uint32_t u = 1; u <= 3; u++) {
        report(u, u == 2 ? 3 : 0, path);
        CHECK(roster_add(r, path, &err) == 0);
    }
    CHECK(roster_find(r, &err) == 0 && roster_check(r, &err) == 0);
    has(roster_clients(r), 1, 2);
    CHECK(roster_next_gap(r, &at, &gap, &err) == 1 && gap.client == 3 && gap.mixed.n == 0);
    has(&gap.missing, 2, 2);
    roster_gap_free(&gap);
    CHECK(roster_next_gap(r, &at, &gap, &err) == 0);
    CHECK(roster_find_issued(r, issued, &err) == 0);
    fd = open(issued, O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && roster_write(r, fd, issued, &err) == 0);
    close(fd);
    CHECK(roster_find_issued(r, issued, &err) == 1);
    CHECK(roster_load(issued, &plan, NULL, &loaded, &round, NULL, &err) == 0 && round == 3);
    has(&loaded, 1, 2);
    CHECK_STR(err.text, "");
    CHECK(roster_load(path, &plan, NULL, &loaded, &round, NULL, &err) == -1 &&
          err.status == HAGG_E_MISMATCH);
    rangeset_free(&loaded);
    roster_free(r);
}

/* Client 1 has shared again for station 3. */
static void leaves_out_mixed_runs(void)
{
    static const uint8_t second[HEADER_RUN_BYTES] = { 2 };
    struct roster_options o = { .plan = &plan, .round = 3 };
    const char *path = scratch_path("report"), *issued = scratch_path("mixed");
    struct rangeset loaded = { 0 };
    struct roster_gap gap = { 0 };
    struct runs runs = { 0 };
    struct hagg_err err = { 0 };
    struct roster *r = roster_new(&o, &err);
    uint64_t round = 0;
    size_t at = 0;
    int fd;

    again_at = 3;
    for (uint32_t u = 1; u <= 3; u++) {
        report(u, 0, path);
        CHECK(roster_add(r, path, &err) == 0);
    }
    again_at = 0;
    CHECK(roster_find(r, &err) == 0 && roster_check(r, &err) == 0);
    has(roster_clients(r), 2, 3);
    CHECK(roster_next_gap(r, &at, &gap, &err) == 1 && gap.client == 1 && gap.missing.n == 0);
    has(&gap.mixed, 3, 3);
    CHECK(gap.like == 1);
    roster_gap_free(&gap);
    CHECK(roster_next_gap(r, &at, &gap, &err) == 0);
    fd = open(issued, O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && roster_write(r, fd, issued, &err) == 0);
    close(fd);
    CHECK(roster_load(issued, &plan, NULL, &loaded, &round, &runs, &err) == 0);
    CHECK(!runs_of(&runs, 1) && !runs_of(&runs, 4) && !runs_of(NULL, 2));
    CHECK(memcmp(runs_of(&runs, 2), second, sizeof second) == 0 && runs_of(&runs, 3)[0] == 3);
    CHECK_STR(err.text, "");
    runs_free(&runs);
    rangeset_free(&loaded);
    roster_free(r);
}

/* The whole command, for a station or the issuer. */
static int make(const struct roster_options *o, const char *delivered, const char *reported,
                const char *issued, struct text *out, struct hagg_err *err)
{
    struct rangeset clients = { 0 };
    struct roster *r = roster_new(o, err);
    uint64_t round;
    int status = -1, fd = open("/dev/null", O_WRONLY);

    if (r && roster_add(r, delivered, err) == 0 &&
        (!reported || roster_add(r, reported, err) == 0) && roster_find(r, err) == 0 &&
        roster_check(r, err) == 0 && roster_json(r, out, err) == 0 &&
        (!issued || roster_find_issued(r, issued, err) >= 0) &&
        roster_write(r, fd, "null", err) == 0)
        status = issued ? roster_load(issued, &plan, NULL, &clients, &round, NULL, err) : 0;
    close(fd);
    rangeset_free(&clients);
    roster_free(r);
    return status;
}

/* If any allocation fails, an error is reported. */
static void fails_cleanly_without_memory(const struct roster_options *o, const char *delivered,
                                         const char *reported, const char *issued)
{
    unsigned long at = 0;
    bool refused;

    do {
        struct text out = { 0 };
        struct hagg_err err = { 0 };
        int status;

        alloc_refuse(at++);
        status = make(o, delivered, reported, issued, &out, &err);
        refused = alloc_refused();
        CHECK((status == 0) == !refused);
        CHECK((err.status != HAGG_OK) == refused);
        text_free(&out);
    } while (refused && at < 100000);
    CHECK(at > 20 && at < 100000);
    alloc_watch();
}

int main(void)
{
    struct header_range first = { 1, 2 };
    struct rangeset two = { &first, 1, 0 };
    struct roster_options station = { .plan = &plan, .round = 3, .station = 2 };
    struct roster_options issuer = { .plan = &plan, .round = 3, .clients = &two };
    const char *some = scratch_path("some"), *report_3 = scratch_path("report-3");
    struct hagg_err err = { 0 };

    CHECK(plan_load(&plan, feed_keys(text), &err) == 0);
    CHECK_STR(err.text, "");
    finds_who_is_complete();
    leaves_out_mixed_runs();
    fails_cleanly_without_memory(&station, deliver(2, 1), NULL, NULL);
    /* the records of stations 1 and 2, and the report of station 3 */
    for (uint32_t i = 1; i <= 2; i++) {
        write_record(some, i, 1, false);
        write_record(some, i, 1, true);
        write_record(some, i, 2, false);
    }
    report(3, 0, report_3);
    fails_cleanly_without_memory(&issuer, some, report_3, scratch_path("roster"));
    plan_free(&plan);
    return check_end();
}
