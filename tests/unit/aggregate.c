#include "aggregate/aggregate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "reader.h"
#include "reference.h"
#include "scratch.h"

enum { LENGTH = 600000 }; /* several blocks */

static const struct reference m31 = { "m31", (1ull << 31) - 1 };
static uint64_t state = 19;
static uint64_t elems[LENGTH], sums[LENGTH];

/* Properties of a record, some of which a test changes. */
struct record {
    uint32_t client, last, station, index;
    uint64_t round;
    enum header_secret secret;
    const char *field;
};

static const struct record usual = { .client = 1,
                                     .last = 1,
                                     .station = 2,
                                     .index = 1,
                                     .round = 7,
                                     .secret = HEADER_PADDED,
                                     .field = "m31" };

static void add_record(const char *path, const struct record *r, size_t n)
{
    static uint32_t stations[] = { 1, 2, 3 };
    struct header_tier tier = { .name = "station", .numbers = stations, .n_numbers = 3 };
    struct header_range clients = { r->client, r->last };
    struct header h = {
        .kind = r->secret == HEADER_KEY ? HEADER_VECTOR : HEADER_SHARE,
        .secret = r->secret,
        .from = { "client", r->client },
        .to = { "station", r->station },
        .has_round = true,
        .round = r->round,
        .length = n,
        .clients = &clients,
        .n_clients = r->client > 0,
        .has_id = true,
        .id = { (uint8_t)r->client, 2, 3 },
    };

    if (h.kind == HEADER_SHARE) {
        h.scheme = (struct header_scheme){ .name = "ramp", .n = 3, .k = 2, .z = 1 };
        h.scheme.index = r->index;
        h.scheme.has_point = true;
        h.scheme.point = r->index + 1;
        h.route = &tier;
        h.n_route = 1;
    }
    if (r->client == 0)
        h.from = (struct header_node){ 0 };
    strcpy(h.field, r->field);
    scratch_record(path, &h, strcmp(r->field, "m61") ? 4 : 8, elems, n);
}

/* Writes a file with one record of random elements, and adds these to the expected sums. */
static const char *new_file(const char *name, const struct record *r)
{
    const char *path = scratch_path(name);

    unlink(path);
    for (size_t i = 0; i < LENGTH; i++) {
        elems[i] = reference_elem(&m31, &state);
        sums[i] = reference_add(&m31, sums[i], elems[i]);
    }
    add_record(path, r, LENGTH);
    return path;
}

static int run(const struct aggregate_options *o, const char *const *paths, struct hagg_err *err)
{
    struct aggregate *a = aggregate_new(o, err);
    struct outfiles *out = outfiles_new(scratch_path("out"), false, err);
    int status = a && out ? 0 : -1;

    unlink(scratch_path("out"));
    for (; *paths && status == 0; paths++)
        status = aggregate_add(a, *paths, err);
    if (status == 0)
        status = aggregate_write(a, out, err);
    if (status == 0)
        status = outfiles_publish(out, err);
    aggregate_free(a);
    outfiles_free(out);
    return status;
}

/* Checks that the current record has the expected sums. */
static void holds_sums(struct reader *r)
{
    unsigned char *got = malloc(4 * (LENGTH + 1));
    struct hagg_err err = { 0 };
    size_t n, wrong = 0;

    CHECK(reader_read(r, got, LENGTH + 1, &n, &err) == 0 && n == LENGTH);
    for (size_t i = 0; i < n; i++)
        wrong += hagg_load(got, i, 4) != sums[i];
    CHECK(wrong == 0);
    free(got);
}

static void adds(struct parallel *pool, bool piped)
{
    const struct aggregate_options o = { .pool = pool };
    const char *paths[6] = { 0 };
    struct hagg_err err = { 0 };
    const struct header *h;
    unsigned char *bytes = NULL;
    char fifo[64];
    struct reader *r;
    pid_t child = 0;
    int fd = -1;
    size_t n;

    memset(sums, 0, sizeof sums);
    for (uint32_t i = 0; i < 5; i++) {
        struct record record = usual;
        char name[8];

        record.client = record.last = i == 4 ? 100 : i + 1;
        snprintf(name, sizeof name, "c%u", i);
        paths[i] = new_file(name, &record);
    }
    if (piped) {
        bytes = feed_content(paths[2], &n);
        fd = feed_pipe(bytes, n, 50000, &child);
        snprintf(fifo, sizeof fifo, "%s", feed_path(fd));
        paths[2] = fifo;
    }
    CHECK(run(&o, paths, &err) == 0);
    CHECK_STR(err.text, "");
    r = reader_open(scratch_path("out"), NULL, &err);
    CHECK(r && reader_next(r, &err) == 1);
    h = reader_header(r);
    CHECK(h->n_clients == 2 && h->clients[0].first == 1 && h->clients[0].last == 4);
    CHECK(h->clients[1].first == 100 && h->clients[1].last == 100);
    CHECK(strcmp(h->from.tier, "station") == 0 && h->from.number == 2);
    CHECK(strcmp(h->to.tier, "federator") == 0 && h->scheme.index == 1);
    /* the XOR of all ids, so that sums over the same runs have the same id */
    CHECK(h->has_id && h->id[0] == (1 ^ 2 ^ 3 ^ 4 ^ 100) && h->id[1] == 2 && h->id[2] == 3);
    holds_sums(r);
    CHECK(reader_next(r, &err) == 0);
    reader_free(r);
    if (piped) {
        close(fd);
        feed_wait(child);
        free(bytes);
    }
}

static void refuses(const struct aggregate_options *o, const struct record *second,
                    enum hagg_status status, const char *want)
{
    const char *paths[] = { scratch_path("one"), scratch_path("two"), NULL };
    struct hagg_err err = { 0 };

    unlink(paths[0]);
    unlink(paths[1]);
    add_record(paths[0], &usual, 10);
    add_record(paths[1], second, 10);
    CHECK(run(o, paths, &err) == -1 && err.status == status);
    if (!CHECK(strstr(err.text, want) != NULL))
        fprintf(stderr, "%s\n", err.text);
    CHECK(access(scratch_path("out"), F_OK) == -1);
}

static void refuses_what_does_not_belong(void)
{
    struct aggregate_options o = { 0 };
    struct record r = usual;
    const char *none[] = { NULL }, *lengths[3] = { 0 };
    struct hagg_err err = { 0 };

    refuses(&o, &r, HAGG_E_MISMATCH, "/two: client 1 is already in the sum (from ");
    refuses(&o, &r, HAGG_E_MISMATCH, "/one)");
    r.client = r.last = 2;
    r.round = 8;
    refuses(&o, &r, HAGG_E_MISMATCH, "/two: round is 8, but ");
    r.round = 7;
    r.field = "m61";
    refuses(&o, &r, HAGG_E_MISMATCH, "/two: field is m61, but ");
    r.field = "m31";
    r.client = 0;
    refuses(&o, &r, HAGG_E_MISMATCH, "does not list its clients, but other records of this sum do");
    r = usual;
    r.client = r.last = 2;
    o.station = 2;
    r.station = 3;
    refuses(&o, &r, HAGG_E_MISMATCH, "is for station 3, but this is station 2");
    o.station = 0;
    CHECK(run(&o, none, &err) == -1 && err.status == HAGG_E_TOO_FEW);
    CHECK_STR(err.text, "nothing to add up: the input has no records");
    err = (struct hagg_err){ 0 };
    r = usual;
    r.client = r.last = 2;
    lengths[0] = scratch_path("ten");
    lengths[1] = scratch_path("nine");
    add_record(lengths[0], &usual, 10);
    add_record(lengths[1], &r, 9);
    CHECK(run(&o, lengths, &err) == -1 && err.status == HAGG_E_MISMATCH);
    CHECK(strstr(err.text, "length is 9, but ") != NULL);
}

/* Only keys, only shares, and only some clients. */
static void chooses(void)
{
    struct aggregate_options o = { .only = AGGREGATE_KEYS };
    struct hagg_err err = { 0 };
    struct rangeset set = { 0 };
    const char *paths[] = { scratch_path("mixed"), NULL };
    struct record r = usual;
    struct reader *reader;

    unlink(paths[0]);
    for (uint32_t i = 1; i <= 4; i++) {
        r.client = r.last = i;
        r.secret = HEADER_PADDED;
        add_record(paths[0], &r, 10);
        r.secret = HEADER_KEY;
        add_record(paths[0], &r, 10);
    }
    for (int only = AGGREGATE_ALL; only <= AGGREGATE_KEYS; only++) {
        size_t n = 0;

        o.only = (enum aggregate_only)only;
        CHECK(run(&o, paths, &err) == 0);
        reader = reader_open(scratch_path("out"), NULL, &err);
        while (reader_next(reader, &err) > 0) {
            bool is_key = reader_header(reader)->secret == HEADER_KEY;

            n++;
            CHECK(only == AGGREGATE_ALL || is_key == (only == AGGREGATE_KEYS));
            CHECK(reader_header(reader)->n_clients == 1 &&
                  reader_header(reader)->clients[0].last == 4);
            /* without a plan the next station is unknown */
            CHECK(!is_key || reader_header(reader)->to.tier[0] == 0);
        }
        CHECK(n == (only == AGGREGATE_ALL ? 2 : 1));
        reader_free(reader);
    }
    o.only = AGGREGATE_SHARES;
    o.clients = &set;
    CHECK(rangeset_add(&set, 2, 3, &err) == 0 && rangeset_add(&set, 9, 9, &err) == 0);
    CHECK(run(&o, paths, &err) == 0);
    reader = reader_open(scratch_path("out"), NULL, &err);
    CHECK(reader_next(reader, &err) == 1 && reader_header(reader)->n_clients == 1);
    CHECK(reader_header(reader)->clients[0].first == 2 &&
          reader_header(reader)->clients[0].last == 3);
    reader_free(reader);
    /* a sum of wanted and other clients cannot be separated */
    r = usual;
    r.client = 3;
    r.last = 5;
    add_record(paths[0], &r, 10);
    CHECK(run(&o, paths, &err) == -1 && err.status == HAGG_E_MISMATCH);
    CHECK(strstr(err.text, "is a sum that includes clients outside --clients") != NULL);
    rangeset_free(&set);
}

/* Damage in the payload is detected while it is added, on one thread and on three. */
static void finds_damage(struct parallel *pool)
{
    const struct aggregate_options o = { .pool = pool };
    const char *paths[4] = { 0 };
    struct hagg_err err = { 0 };
    int fd;

    for (uint32_t i = 0; i < 3; i++) {
        struct record record = usual;
        char name[8];

        record.client = record.last = i + 1;
        snprintf(name, sizeof name, "c%u", i);
        paths[i] = new_file(name, &record);
    }
    fd = open(paths[1], O_WRONLY);
    CHECK(pwrite(fd, "\1\2\3\0", 4, 300000) == 4);
    close(fd);
    CHECK(run(&o, paths, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK(strstr(err.text, "/c1: record 1 (byte 0): digest does not match") != NULL);
    CHECK(access(scratch_path("out"), F_OK) == -1);
}

int main(void)
{
    struct hagg_err err = { 0 };
    struct parallel *pool = parallel_new(3, &err);

    for (int piped = 0; piped < 2; piped++) {
        adds(NULL, piped);
        adds(pool, piped);
    }
    refuses_what_does_not_belong();
    chooses();
    finds_damage(NULL);
    finds_damage(pool);
    aggregate_free(NULL);
    parallel_free(pool);
    return check_end();
}
