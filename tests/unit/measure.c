#include "cost/measure/measure.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "cost/measure/measure_report.h"
#include "scratch.h"

enum { LENGTH = 4 };

static const char topology[] = "collude partial stations=1\nstations 2\nclient 1 2 via 1 2\n";
static uint64_t n_written;

/* Writes one record of the plan, or of none. Each record has different elements. */
static void write_record(const char *path, const struct plan *p, struct header_node from,
                         struct header_node to, bool is_key, struct header_range clients)
{
    static uint32_t stations[] = { 1, 2 };
    struct header_tier tier = { .name = "station", .numbers = stations, .n_numbers = 2 };
    uint64_t elems[LENGTH] = { ++n_written };
    struct header h = {
        .kind = is_key ? HEADER_VECTOR : HEADER_SHARE,
        .secret = is_key ? HEADER_KEY : HEADER_PADDED,
        .field = "m31",
        .from = from,
        .to = to,
        .has_round = true,
        .round = 3,
        .length = LENGTH,
        .clients = &clients,
        .n_clients = 1,
        .has_plan = p != NULL,
    };

    if (p)
        memcpy(h.plan, p->digest, sizeof h.plan);
    if (!is_key) {
        uint32_t station = strcmp(from.tier, "station") ? to.number : from.number;

        h.scheme = (struct header_scheme){ "ramp", 2, 2, 1, station - 1, true, station };
        h.route = &tier;
        h.n_route = 1;
    }
    scratch_record(path, &h, 4, elems, LENGTH);
}

/* Writes all records of a round, sent and kept, to the directory round and returns its name. */
static const char *write_round(const struct plan *p)
{
    const char *directory = scratch_path("round"), *path = scratch_path("round/all");
    struct header_node federator = { "federator", 1 }, nobody = { 0 };

    CHECK(mkdir(directory, 0700) == 0);
    for (uint32_t i = 1; i <= 2; i++) {
        struct header_node client = { "client", i }, station = { "station", i };
        struct header_node first = { "station", 1 }, second = { "station", 2 };
        struct header_range own = { i, i }, both = { 1, 2 };

        write_record(path, p, client, first, false, own);
        write_record(path, p, client, second, false, own);
        write_record(path, p, client, first, true, own);
        write_record(path, p, client, nobody, true, own);
        write_record(path, p, station, federator, false, both);
        write_record(path, p, station, i == 1 ? second : federator, true, both);
    }
    scratch_write(scratch_path("round/notes"), "no record", 9);
    return directory;
}

static int measure(const struct measure_options *o, const char *path, struct text *text,
                   struct hagg_err *err)
{
    struct measure *m = measure_new(o, err);
    struct measure_result result = { 0 };
    int status = -1;

    if (m && measure_add(m, path, err) == 0 && measure_finish(m, &result, err) == 0) {
        measure_report_tsv(text, &result);
        status = text_ok(text) ? measure_verdict(&result, err) : err_errno(err, "no memory");
    }
    measure_result_free(&result);
    measure_free(m);
    return status;
}

/* A share has as many symbols as the vector here. */
static void agrees_with_the_plan(const struct plan *p, const char *directory)
{
    struct measure_options o = { .plan = p };
    struct measure_result result;
    struct hagg_err err = { 0 };
    struct measure *m = measure_new(&o, &err);
    struct stat st;

    CHECK(measure_add(m, directory, &err) == 0 && measure_finish(m, &result, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(measure_verdict(&result, &err) == 0 && result.n_differences == 0);
    CHECK(result.n_rows == 5 && result.length == LENGTH);
    CHECK(result.n_files == 1 && result.n_other_files == 1 && result.n_kept == 2);
    CHECK(result.sent.n_records == 10 && result.sent.n_symbols == 10 * LENGTH);
    CHECK(result.predicted.n_records == 10 && result.predicted.n_symbols == 10 * LENGTH);
    CHECK(result.sent.n_bytes == result.predicted.n_bytes);
    CHECK(result.rows[1].what == FLOW_KEYS && result.rows[1].sent.n_records == 2);
    CHECK(stat(scratch_path("round/all"), &st) == 0);
    /* the other records of the file are the keys that clients keep. They equal the keys sent,
     * without "to", an array of "station" and 1, which has 3, 1, 8 and 1 bytes */
    CHECK(result.sent.n_bytes + result.rows[1].sent.n_bytes - 2 * (3 + 1 + 8 + 1) ==
          (uint64_t)st.st_size);
    measure_result_free(&result);
    measure_free(m);
}

/* A field that cannot be opened is not an error: its elements are not checked. */
static void fails_cleanly_without_memory(const struct plan *p, const char *directory)
{
    struct measure_options o = { .plan = p };
    unsigned n_failed = 0;
    bool refused = true;

    for (unsigned long at = 0; refused; at++) {
        struct hagg_err err = { 0 };
        struct text text = { 0 };
        int status;

        alloc_refuse(at);
        status = measure(&o, directory, &text, &err);
        refused = alloc_refused();
        n_failed += status != 0;
        CHECK(status == 0 || refused);
        CHECK(err.status == (status ? HAGG_E_SYSTEM : HAGG_OK));
        text_free(&text);
    }
    alloc_watch();
    CHECK(n_failed > 20);
}

/* Unknown tiers are counted, up to a limit. */
static void counts_other_tiers(void)
{
    struct measure_options o = { 0 };
    struct hagg_err err = { 0 };
    struct text text = { 0 };

    for (uint32_t i = 1; i <= FLOW_MAX_TIERS - 6; i++) {
        struct header_node from = { "client", 1 }, to = { .number = i };

        snprintf(to.tier, sizeof to.tier, "tier-%u", i);
        write_record(scratch_path("tiers"), NULL, from, to, true, (struct header_range){ 1, 1 });
    }
    CHECK(measure(&o, scratch_path("tiers"), &text, &err) == 0);
    CHECK(strstr(text.bytes, "client\ttier-58\tkeys\t1\t4\t") != NULL);
    write_record(scratch_path("tiers"), NULL, (struct header_node){ "client", 1 },
                 (struct header_node){ "many", 1 }, true, (struct header_range){ 1, 1 });
    CHECK(measure(&o, scratch_path("tiers"), &text, &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    CHECK(strstr(err.text, ": tier 'many' exceeds the limit: at most 63 tiers are counted") !=
          NULL);
    text_free(&text);
}

/* Symbols are counted even without the plugin of the field. */
static void counts_unknown_fields(void)
{
    struct header_range clients = { 1, 1 };
    struct header h = {
        .kind = HEADER_VECTOR,
        .secret = HEADER_PLAIN,
        .field = "nowhere",
        .from = { "client", 1 },
        .to = { "station", 1 },
        .length = 2,
        .clients = &clients,
        .n_clients = 1,
    };
    struct measure_options o = { 0 };
    struct hagg_err err = { 0 };
    struct text text = { 0 };

    scratch_record(scratch_path("unknown"), &h, 8, (const uint64_t[]){ 1, 2 }, 2);
    CHECK(measure(&o, scratch_path("unknown"), &text, &err) == 0);
    CHECK(strstr(text.bytes, "client\tstation\tvectors\t1\t2\t") != NULL);
    text_free(&text);
}

int main(void)
{
    struct hagg_err err = { 0 };
    const char *directory;
    struct plan p;

    CHECK(plan_load(&p, feed_keys(topology), &err) == 0);
    directory = write_round(&p);
    agrees_with_the_plan(&p, directory);
    fails_cleanly_without_memory(&p, directory);
    counts_other_tiers();
    counts_unknown_fields();
    plan_free(&p);
    return check_end();
}
