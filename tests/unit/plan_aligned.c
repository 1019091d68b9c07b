#include "plan/plan_aligned.h"

#include <stdlib.h>

#include "check.h"
#include "feed.h"

/* The example of the paper: docs/aligned.md has its rates and costs. */
#define CITY                                                                                       \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\n"                                                                     \
    "client 3 via 1-5\n"                                                                           \
    "client 4 via 2-5\n"                                                                           \
    "client 5 via 1 2 4 5\n"                                                                       \
    "client 6 via 1 2 5\n"
#define PARTIAL "protocol aligned\ncollude partial clients=1 stations=2\n"
#define FULL    "protocol aligned\ncollude full clients=1 stations=2\n"

static void loads(struct plan *p, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, feed_file(text, strlen(text)), &err) == 0);
    CHECK_STR(err.text, "");
}

/* want is the message after the name of the file. */
static void refuses_with(const char *text, enum hagg_status status, const char *want)
{
    const char *path = feed_file(text, strlen(text));
    struct hagg_err err = { 0 };
    struct plan p;

    CHECK(plan_load(&p, path, &err) == -1 && err.status == status);
    CHECK(strncmp(err.text, path, strlen(path)) == 0);
    CHECK_STR(err.text + strlen(path), want);
}

static void refuses(const char *text, const char *want)
{
    refuses_with(text, HAGG_E_MALFORMED, want);
}

/* Checks the canonical form, and that it is the canonical form of itself. */
static void prints(const char *text, const char *want)
{
    const char *given = text;

    for (int i = 0; i < 2; i++) {
        struct text printed = { 0 };
        struct plan p;

        loads(&p, given);
        topology_print(&p.topology, &printed);
        CHECK(text_ok(&printed));
        CHECK_STR(printed.bytes, want);
        text_free(&printed);
        plan_free(&p);
        given = want;
    }
}

static void derives_the_numbers(void)
{
    static const uint32_t rows[] = { 6, 6, 4, 4, 6 };
    const struct plan_aligned *a;
    struct plan p;
    uint32_t holders[5];

    loads(&p, PARTIAL CITY);
    a = p.aligned;
    CHECK(a->sharing.n == 5 && a->sharing.k == 5 && a->sharing.z == 2);
    CHECK(a->sharing.n_segments == 6); /* part counts 1, 2 and 3 */
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(a->stations.numbers[i] == i + 1 && a->holder_of[i + 1] == i);
        CHECK(a->n_rows[i] == rows[i]);
        CHECK(hagg_load(a->sharing.points, i, 4) == 6 + i);
    }
    CHECK(a->holder_of[0] == UINT32_MAX);
    /* the three stations with the highest rates: one deals, two are bare */
    CHECK(p.topology.dealers.n == 1 && p.topology.dealers.numbers[0] == 1);
    CHECK(!a->bare[0] && a->bare[1] && !a->bare[2] && !a->bare[3] && a->bare[4]);
    CHECK(a->chunks == 1);
    CHECK(plan_aligned_dealer(&p, 1) == 0 && plan_aligned_dealer(&p, 2) == 1);
    for (size_t i = 0; i < a->classes.n; i++)
        CHECK(a->parts[i] + 2 == plan_aligned_holders(a, i, holders));
    CHECK(a->classes.n == 5);
    plan_free(&p);

    loads(&p, FULL CITY);
    CHECK(p.topology.dealers.n == 5 && p.aligned->chunks == 3);
    for (uint32_t i = 0; i < 5; i++)
        CHECK(!p.aligned->bare[i]);
    plan_free(&p);
}

static void counts_stations_in_use(void)
{
    struct plan p;

    loads(&p, "protocol aligned\nstations 9\nsegments 4\ncollude full stations=1\n"
              "drop stations=1\nclient 1 via 2-9 shares 8 2 4\nclient 2 via 8 9 2 4\n");
    CHECK(p.aligned->sharing.n == 4 && p.aligned->sharing.k == 3);
    CHECK(p.aligned->stations.numbers[3] == 9 && p.aligned->holder_of[3] == UINT32_MAX);
    CHECK(hagg_load(p.aligned->sharing.points, 3, 4) == 4 + 9 - 1);
    CHECK(p.aligned->parts[0] == 1 && p.aligned->parts[1] == 2);
    CHECK(p.topology.dealers.n == 4 && p.aligned->chunks == 2);
    plan_free(&p);
    /* one class: nothing to hide */
    loads(&p, "protocol aligned\nstations 4\ncollude full stations=1\nclient 1-3 via 1-4\n");
    CHECK(p.topology.dealers.n == 0 && p.aligned->chunks == 0 && p.topology.segments == 3);
    plan_free(&p);
}

static void limits_segments(void)
{
    struct plan p;

    loads(&p, "length 3\nsamples\n" PARTIAL CITY);
    CHECK(p.topology.segments == 4);
    plan_free(&p);
    loads(&p, "field prime:p=31\n" PARTIAL CITY);
    CHECK(p.topology.segments == 6);
    plan_free(&p);
    loads(&p, "field prime:p=13\nprotocol aligned\nstations 10\nminimum 2\nclient 1 via 1-4\n"
              "client 2 via 3-10\n");
    CHECK(p.topology.segments == 3);
    plan_free(&p);
    loads(&p, "field prime:p=13\nprotocol aligned\nstations 10\nsegments 3\nclient 1 via 1-4\n"
              "client 2 via 3-10\n");
    plan_free(&p);
    refuses("field prime:p=13\nprotocol aligned\nstations 10\nsegments 4\nclient 1 via 1-4\n"
            "client 2 via 3-10\n",
            ": field 'prime:p=13' has too few points for 4 segments and 10 stations: use a larger "
            "one or fewer segments");
    refuses("field prime:p=7\nprotocol aligned\nstations 10\nclient 1 via 1-4\nclient 2 via 3-10\n",
            ": field 'prime:p=7' has too few points for 21 segments and 10 stations: use a larger "
            "one or fewer segments");
    /* 11, 9, 7 and 8 divide nothing small */
    loads(&p, "protocol aligned\nstations 11\nclient 1 via 1-11\nclient 2 via 1-9\n"
              "client 3 via 1-7\nclient 4 via 1-8\n");
    CHECK(p.topology.segments == 840);
    plan_free(&p);
}

static void has_one_canonical_form(void)
{
    prints("protocol aligned\nstations 4\ncollude full clients=1 stations=1\n"
           "client 1 2 via 4 3 2 1 shares 3 1\nclient 3 via 1-3\n",
           "field m31\nscheme aligned\ncollude full clients=1 stations=1 relays=0\n"
           "protocol aligned\nsegments 2\ndealers 1-3\nminimum 3\nstations 4\n"
           "client 1-2 via 1-4 shares 1 3\nclient 3 via 1-3\n");
    prints("protocol keys\ncollude partial stations=0\nstations 1\nclient 1 2 via 1\n",
           "field m31\nscheme ramp\ncollude partial clients=0 stations=0 relays=0\n"
           "protocol keys\nminimum 2\nstations 1\nclient 1-2 via 1\n");
    /* the order of dealers is kept */
    prints("dealers 3 1\nsegments 5\nprotocol aligned\nstations 3\nclient 1 via 1-3\n"
           "client 2 via 1 2\n",
           "field m31\nscheme aligned\ncollude partial clients=0 stations=1 relays=0\n"
           "protocol aligned\nsegments 5\ndealers 3 1\nminimum 2\nstations 3\nclient 1 via 1-3\n"
           "client 2 via 1-2\n");
}

static void refuses_what_does_not_fit(void)
{
    refuses("protocol masks\n" CITY, ":1: 'masks': must be keys or aligned");
    refuses("protocol\n" CITY, ":1: 'protocol': must be keys or aligned");
    refuses("protocol aligned\nprotocol keys\n" CITY, ":2: 'protocol': appears twice");
    refuses("segments 0\n" PARTIAL CITY, ":1: '0': number must be at least 1");
    refuses("scheme ramp\n" PARTIAL CITY,
            ": scheme 'ramp' cannot be used with protocol aligned: remove the scheme line, or "
            "add a line protocol keys");
    refuses("dealers 6\n" PARTIAL CITY, ":1: '6': there are only 5 stations");
    refuses("dealers 1 1\n" PARTIAL CITY, ":1: '1': station appears twice");
    refuses("dealers 1 2\n" FULL CITY,
            ":1: 'dealers': 2 dealers are too few: 2 may collude and 0 may be missing, so at least "
            "3 are needed");
    refuses("protocol aligned\nstations 4\ndealers 4\nclient 1 2 via 1-3\n",
            ":3: '4': dealers names a station that no client uses");
    refuses_with(
        "protocol aligned\ncollude full stations=1\ndrop stations=1\nstations 3\n"
        "client 1 2 via 1-3\n",
        HAGG_E_PRIVACY,
        ": 3 stations are too few: 1 may collude and 1 may be missing, so two totals of one "
        "round could be decoded: use drop stations=0, or at least 4 stations");
    refuses("protocol aligned\ncollude full stations=2\nstations 3\nclient 1 2 via 1-2\n",
            ":4: 'via': 2 stations are too few: 2 may collude and 0 may be missing, so at least 3 "
            "are needed: for computational privacy instead, add a line fallback "
            "computational");
}

/* Clients 1 to 300 have 100 to 399 parts: more counts than a record may have. Those that others
 * divide are left out, and the rows are the same. */
static void leaves_out_counts(void)
{
    struct text text = { 0 };
    uint32_t n_rows = 0;
    struct plan p;

    text_printf(&text, "collude partial stations=1\nstations 400\n");
    for (unsigned i = 1; i <= 300; i++)
        text_printf(&text, "client %u via 1-%u\n", i, 100 + i);
    loads(&p, text.bytes);
    CHECK(p.topology.segments == 512);
    CHECK(p.aligned->blocks[0].n_counts <= LIMIT_COUNTS);
    for (uint32_t segment = 0; segment < 512; segment++) {
        bool cut = false;

        for (uint32_t parts = 100; parts <= 399; parts++)
            cut = cut || segment % parts == 0;
        n_rows += cut;
        CHECK(cut == blocks_begins(&p.aligned->blocks[0], segment));
    }
    CHECK(p.aligned->n_rows[0] == n_rows);
    plan_free(&p);
    text_free(&text);
}

int main(void)
{
    leaves_out_counts();
    derives_the_numbers();
    counts_stations_in_use();
    limits_segments();
    has_one_canonical_form();
    refuses_what_does_not_fit();
    return check_end();
}
