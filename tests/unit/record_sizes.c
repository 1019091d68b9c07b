/* Sizes that are remembered, compared with the size of the record of each message. */
#include "cost/count/record_sizes.h"

#include "check.h"
#include "feed.h"

#define CLIENTS(few, many)                                                                         \
    "client 1 3 30 via 30-59" few "\nclient 300 70000 via 2-4 30-59" many "\n"
#define RELAYS "stations 60\nrelays 40\nstation 1-60 via 1-40\n"

struct round {
    struct plan plan;
    struct record_sizes *sizes;
    struct protocol_headers *headers;
    size_t n_messages, n_wrong;
    uint64_t n_bytes; /* of all records, and of those that were counted by groups */
    uint64_t n_group_bytes;
};

static int compare(void *round, const struct message *s, struct hagg_err *err)
{
    struct round *r = round;
    const struct header *h = protocol_headers_of(r->headers, s, NULL, err);
    uint64_t size, want;

    if (!CHECK(h && record_sizes_of(r->sizes, s, &size, err) == 0))
        return -1;
    want = record_size(&r->plan, s, h);
    r->n_wrong += size != want;
    r->n_bytes += want;
    r->n_messages++;
    return 0;
}

static int add_group(void *round, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct record_sizes_group group;
    struct round *r = round;
    uint64_t n_records = 0;

    if (!CHECK(record_sizes_of_group(r->sizes, s, n, &group, err) == 0))
        return -1;
    for (size_t i = 0; i < group.n_sizes; i++) {
        n_records += group.n[i];
        r->n_group_bytes += group.n[i] * group.size[i];
    }
    CHECK(n_records == n);
    return 0;
}

/* All messages of a round, one after the other, with the same sizes remembered. */
static void agrees(const char *path, uint64_t length)
{
    const struct protocol_presence all = { .prefixes = true };
    struct bytes_options options = { .length = length, .round = 7 };
    struct protocol_vector v = { .has_round = true,
                                 .round = 7,
                                 .has_shape = true,
                                 .shape = &length,
                                 .n_shape = 1,
                                 .length = length,
                                 .type = "i8",
                                 .has_ids = true };
    struct hagg_err err = { 0 };
    struct round r = { 0 };
    struct protocol *p;

    CHECK(plan_load(&r.plan, path, &err) == 0);
    CHECK_STR(err.text, "");
    v.length += r.plan.topology.samples;
    p = protocol_open(&r.plan, &all, &err);
    r.sizes = record_sizes_new(p, &options, &err);
    r.headers = protocol_headers_new(p, &v, &err);
    CHECK(protocol_each(p, compare, &r, &err) == 0);
    CHECK(protocol_each_group(p, add_group, &r, &err) == 0);
    CHECK(r.n_messages > 0 && r.n_wrong == 0 && r.n_group_bytes == r.n_bytes);
    protocol_headers_free(r.headers);
    record_sizes_free(r.sizes);
    protocol_free(p);
    plan_free(&r.plan);
}

/* Of sharings among 24 holders or more, indices and points differ in width: index 23 has one byte
 * and point 24 has two. The same holds for the source of a transfer. */
static void knows_widths_of_many_holders(void)
{
    static const char aligned[] =
        "protocol aligned\ncollude full stations=2\nstations 60\n" CLIENTS("", "");

    agrees(feed_file(aligned, sizeof aligned - 1), 5000);
    agrees(feed_keys("collude partial stations=1\nstations 60\n" CLIENTS("", "")), 100);
    agrees(feed_keys("collude full stations=1\nsamples\nstations 60\n" CLIENTS("", "")), 1);
    agrees(feed_keys("collude partial stations=1 relays=1\n" RELAYS CLIENTS(" relays 1-30",
                                                                            " relays 1-33")),
           100);
    agrees(feed_keys("transform direct\ncollude partial stations=1 relays=1\n" RELAYS CLIENTS(
               " relays 1-4", " relays 1-4")),
           1000);
    agrees(feed_keys("scheme staircase\ntransform direct\ncollude partial stations=1 relays=1\n"
                     "drop stations=1 relays=1\n" RELAYS CLIENTS(" relays 1-40", " relays 1-40")),
           1000);
}

/* Classes of clients whose shares and routes differ, within one round. */
static void knows_widths_of_classes(void)
{
    static const char clients[] = "client 1 2 via 1-3\nclient 3 via 2-5\nclient 23 24 via 1-5\n"
                                  "client 255 256 via 22-25\nclient 65535-65537 via 3 24 25 260\n";
    struct text lines = { 0 };

    text_printf(&lines, "collude partial stations=1\nstations 300\n%s", clients);
    agrees(feed_keys(lines.bytes), 24);
    agrees(feed_keys(lines.bytes), 65536);
    text_free(&lines);
}

/* 60 segments are 3 blocks of up to 23 as well as of up to 24 segments: the shares are as long, but
 * 24 has one more byte. */
static void knows_widths_of_blocks(void)
{
    static const char text[] =
        "protocol aligned\nsegments 60\ncollude full stations=2\nstations 60\n"
        "client 1 via 1-25\nclient 2 via 1-26\n";

    agrees(feed_file(text, sizeof text - 1), 6000);
}

/* Shares of many symbols, of which only a part is sent if all stations are there. */
static void knows_parts_of_shares(void)
{
    agrees(feed_keys("scheme staircase\ncollude partial stations=1\ndrop stations=4\n"
                     "stations 31\nclient 1 2 via 1-31\nclient 3 via 1-30\n"),
           40000);
}

int main(void)
{
    knows_widths_of_many_holders();
    knows_widths_of_classes();
    knows_widths_of_blocks();
    knows_parts_of_shares();
    return check_end();
}
