/* The reader with an opener, and the payloads that it gives away, on sealed records. */
#include "reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "sample.h"
#include "toy_seal.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MOST = 200000, UNTOUCHED = 0xa7 };

static uint8_t plain[MOST], out[MOST];
static bool quick;

static uint8_t *make(unsigned width, size_t n_bytes, size_t *n)
{
    return toy_seal_record(sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES, width, plain,
                           n_bytes, n);
}

/* Where the chunks of a record begin. */
static size_t first_chunk(size_t n_record, size_t n_bytes)
{
    return n_record - 17 - (size_t)seal_length(n_bytes);
}

/* Reads the rest of a record in pieces. Returns false if an element is wrong. */
static bool read_pieces(struct reader *r, size_t piece, struct hagg_err *err)
{
    size_t width = reader_elem_size(r), done = 0, n;

    memset(out, UNTOUCHED, sizeof out);
    do {
        if (reader_read(r, out + done * width, piece, &n, err))
            return false;
        done += n;
    } while (n > 0);
    return done == reader_n_elems(r) && memcmp(out, plain, done * width) == 0;
}

/* Two records, then an unsealed one, and an end. */
static void check_stream(const char *path, size_t width, size_t n_bytes, size_t piece)
{
    struct hagg_err err = { 0 };
    struct toy_opener toy;
    struct reader *r;
    bool right = true;

    toy_seal_opener(&toy);
    r = reader_open(path, &toy.base, &err);
    for (int i = 0; i < 2 && right; i++) {
        right &= reader_next(r, &err) == 1 && reader_is_sealed(r) && !reader_is_closed(r);
        right &= reader_n_elems(r) == n_bytes / width && reader_elem_size(r) == width;
        right &= toy.had_head && toy.head.width == width && toy.head.n_bytes == n_bytes;
        right &= toy.head.from_key[0] == 0xf1 && toy.head.from_key[7] == 0xf1;
        right &= toy.head.to_key[0] == 0xf2 && toy.head.to_key[7] == 0xf2;
        right &= toy.head.enc[0] == 0xf3 && toy.head.enc[31] == 0xf3;
        right &= read_pieces(r, piece, &err);
    }
    right &= reader_next(r, &err) == 1 && !reader_is_sealed(r) && !reader_is_closed(r);
    right &= !toy.had_head && reader_n_elems(r) == 5;
    right &= reader_next(r, &err) == 0 && err.status == HAGG_OK;
    reader_free(r);
    right &= toy.log.n_freed == 2 && toy.log.n_bytes == 2 * n_bytes;
    if (!CHECK(right))
        fprintf(stderr, "%zu bytes in pieces of %zu: %s\n", n_bytes, piece, err.text);
}

static void reads_in_pieces(void)
{
    static const size_t totals[] = { 0, 8, 4000, 16384, 65536, 65544, 131072, 200000 };
    static const size_t pieces[] = { 1, 33, 2048, 8191, 8192, 8193, 16384, 25000, 70000 };
    static const unsigned widths[] = { 1, 4, 8 };

    for (size_t t = 0; t < COUNT(totals); t++)
        for (size_t i = 0; i < COUNT(widths); i += quick ? 2 : 1) {
            size_t n;
            uint8_t *one = make(widths[i], totals[t], &n);
            uint8_t *all = malloc(2 * n + SAMPLE_SHARE_BYTES);
            size_t len = 2 * n + SAMPLE_SHARE_BYTES;

            memcpy(all, one, n);
            memcpy(all + n, one, n);
            memcpy(all + 2 * n, sample_share, SAMPLE_SHARE_BYTES);
            for (size_t p = 0; p < COUNT(pieces); p += quick ? 3 : 1) {
                pid_t child;
                int fd;

                if (totals[t] / widths[i] / pieces[p] > 4000)
                    continue;
                check_stream(feed_file(all, len), widths[i], totals[t], pieces[p]);
                if (p % 3)
                    continue;
                fd = feed_pipe(all, len, p == 0 ? 777 : 60000, &child);
                check_stream(feed_path(fd), widths[i], totals[t], pieces[p]);
                close(fd);
                feed_wait(child);
            }
            free(all);
            free(one);
        }
}

/* Without an opener, or if it leaves the record closed: the elements cannot be read, but the record
 * can be passed over, and its digest is verified. */
static void refuses_elements_of_closed_records(bool with_opener)
{
    size_t n, n_elems = 99;
    uint8_t *record = make(4, 100000, &n), *all = malloc(2 * n);
    struct hagg_err err = { 0 };
    struct toy_opener toy;
    char want[300];

    memcpy(all, record, n);
    memcpy(all + n, record, n);
    toy_seal_opener(&toy);
    toy.leave = true;
    for (int how = 0; how < 3; how++) {
        const char *path = feed_file(all, 2 * n);
        struct reader *r = reader_open(path, with_opener ? &toy.base : NULL, &err);

        CHECK(reader_next(r, &err) == 1 && reader_is_sealed(r) && reader_is_closed(r));
        CHECK(reader_n_elems(r) == 25000 && reader_elem_size(r) == 4);
        memset(out, UNTOUCHED, 8);
        CHECK(reader_read(r, out, 2, &n_elems, &err) == -1 && n_elems == 0);
        CHECK(err.status == HAGG_E_PRIVACY && out[0] == UNTOUCHED);
        snprintf(want, sizeof want,
                 "%s: record 1 (byte 0): is sealed: give the private key of its receiver with "
                 "--identity (or HAGG_IDENTITY)",
                 path);
        CHECK_STR(err.text, want);
        err = (struct hagg_err){ 0 };
        if (how == 1)
            CHECK(reader_finish(r, &err) == 0 && reader_len_bytes(r) == n &&
                  memcmp(reader_digest(r), record + n - 16, 16) == 0);
        if (how == 2)
            CHECK(reader_skip(r, &err) == 0);
        CHECK(reader_next(r, &err) == 1 && reader_record(r) == 2 && reader_offset(r) == n);
        CHECK(reader_next(r, &err) == 0 && err.status == HAGG_OK);
        reader_free(r);
    }
    free(all);
    free(record);
}

/* The rest of an opened record is passed over without opening it, after any number of elements. */
static void passes_over_the_rest(void)
{
    static const size_t begun[] = { 0, 1, 16384, 20000, 32768, 40000 };
    size_t n;
    uint8_t *record = make(4, MOST, &n), *all = malloc(2 * n);

    memcpy(all, record, n);
    memcpy(all + n, record, n);
    for (size_t i = 0; i < COUNT(begun); i++)
        for (int how = 0; how < 3; how++) {
            struct hagg_err err = { 0 };
            struct toy_opener toy;
            struct reader *r;
            size_t n_elems = 0;
            uint64_t opened;

            toy_seal_opener(&toy);
            r = reader_open(feed_file(all, 2 * n), &toy.base, &err);
            CHECK(reader_next(r, &err) == 1);
            if (begun[i] > 0)
                CHECK(reader_read(r, out, begun[i], &n_elems, &err) == 0);
            CHECK(n_elems == begun[i] && memcmp(out, plain, 4 * n_elems) == 0);
            opened = toy.log.n_chunks;
            if (how == 1)
                CHECK(reader_finish(r, &err) == 0 && reader_len_bytes(r) == n);
            if (how == 2)
                CHECK(reader_skip(r, &err) == 0);
            CHECK(reader_next(r, &err) == 1 && reader_offset(r) == n);
            /* only the first chunk of the next record was opened */
            CHECK(toy.log.n_chunks == opened + 1 && toy.log.n_freed == 1);
            CHECK(read_pieces(r, 9999, &err) && reader_next(r, &err) == 0);
            reader_free(r);
        }
    free(all);
    free(record);
}

/* The opener decides about every record, sealed or not. */
static void refuses_what_the_opener_refuses(void)
{
    size_t n;
    uint8_t *record = make(4, 20, &n);
    struct hagg_err err = { 0 };
    struct toy_opener toy;
    char want[200];

    for (int sealed = 0; sealed < 2; sealed++) {
        const char *path =
            feed_file(sealed ? record : sample_share, sealed ? n : SAMPLE_SHARE_BYTES);
        struct reader *r;

        toy_seal_opener(&toy);
        toy.refuse = "is not for you";
        r = reader_open(path, &toy.base, &err);
        CHECK(reader_next(r, &err) == -1 && err.status == HAGG_E_PRIVACY);
        CHECK(toy.had_head == sealed);
        snprintf(want, sizeof want, "%s: record 1 (byte 0): is not for you", path);
        CHECK_STR(err.text, want);
        reader_free(r);
    }
    free(record);
}

/* Chunk k does not open: the elements of the chunks before it may be returned, and no other. */
static void stops_at_a_bad_chunk(void)
{
    static const size_t pieces[] = { 1000, 65536, 65537, 131072, MOST };
    size_t n;
    uint8_t *record = make(1, MOST, &n);
    char want[300];

    for (size_t k = 0; k < 4; k++)
        for (size_t p = 0; p < COUNT(pieces); p++)
            for (int detached = 0; detached < 2; detached++) {
                size_t at = first_chunk(n, MOST) + k * 65552 + (k < 3 ? 65536 : MOST - 3 * 65536);
                struct hagg_err err = { 0 };
                struct payload *payload = NULL;
                struct toy_opener toy;
                size_t done = 0, now = 0, wrong = 0;
                const char *path;
                struct reader *r;
                int fd, status;

                record[at] ^= 1; /* in its tag */
                path = feed_file(record, n);
                record[at] ^= 1;
                toy_seal_opener(&toy);
                memset(out, UNTOUCHED, sizeof out);
                r = reader_open(path, &toy.base, &err);
                fd = open(path, O_RDONLY | O_CLOEXEC);
                /* the first chunk is opened before the header is returned */
                status = reader_next(r, &err);
                CHECK(status == (k == 0 ? -1 : 1));
                if (k > 0 && detached)
                    CHECK((payload = reader_detach(r, &err)) != NULL);
                if (k > 0)
                    do {
                        status = payload
                                     ? payload_read(payload, fd, out + done, pieces[p], &now, &err)
                                     : reader_read(r, out + done, pieces[p], &now, &err);
                        done += now;
                    } while (status == 0 && now > 0);
                CHECK(status == -1 && now == 0 && err.status == HAGG_E_PRIVACY);
                snprintf(want, sizeof want,
                         "%s: record 1 (byte 0): is not what its sender sealed: it was damaged or "
                         "changed: get it again from its sender",
                         path);
                CHECK_STR(err.text, want);
                CHECK(done <= 65536 * k && memcmp(out, plain, done) == 0);
                for (size_t i = 65536 * k; i < MOST; i++)
                    wrong += out[i] != UNTOUCHED && out[i] != 0;
                CHECK(wrong == 0);
                payload_free(payload);
                reader_free(r);
                CHECK(toy.log.n_freed == 1);
                close(fd);
            }
    free(record);
}

/* A stream that ends within a sealed record is malformed, whatever comes before. */
static void check_cut(const uint8_t *record, size_t n, size_t n_bytes, size_t cut, bool from_pipe)
{
    size_t first = first_chunk(n, n_bytes), whole = cut < first ? 0 : (cut - first) / 65552;
    struct hagg_err err = { 0 };
    size_t done = 0, now = 0, wrong = 0;
    struct toy_opener toy;
    struct reader *r;
    pid_t child = 0;
    int status, fd = -1;

    if (cut >= n - 17) /* only the digest is missing */
        whole = n_bytes / 65536 + 1;
    if (from_pipe)
        fd = feed_pipe(record, cut, 5000, &child);
    toy_seal_opener(&toy);
    memset(out, UNTOUCHED, n_bytes);
    r = reader_open(from_pipe ? feed_path(fd) : feed_file(record, cut), &toy.base, &err);
    status = reader_next(r, &err);
    if (status == 1)
        do {
            status = reader_read(r, out + done, 3333, &now, &err);
            done += now;
        } while (status == 0 && now > 0);
    CHECK(status == (cut == 0 ? 0 : -1));
    CHECK(cut == 0 ? err.status == HAGG_OK : err.status == HAGG_E_MALFORMED);
    CHECK(cut == 0 || strstr(err.text, ": record 1 (byte 0): ends too early, in its "));
    for (size_t i = 65536 * whole; i < n_bytes; i++)
        wrong += out[i] != UNTOUCHED;
    if (!CHECK(wrong == 0))
        fprintf(stderr, "%zu elements of a chunk that is not complete, cut at %zu\n", wrong, cut);
    reader_free(r);
    if (from_pipe) {
        close(fd);
        feed_wait(child);
    }
}

static void notices_truncation(void)
{
    size_t n;
    uint8_t *record = make(1, 100, &n);

    for (size_t cut = 0; cut < n; cut++)
        check_cut(record, n, 100, cut, false);
    for (size_t cut = 0; cut < n; cut += 40)
        check_cut(record, n, 100, cut, true);
    free(record);
    record = make(1, MOST, &n);
    for (size_t k = 0; k < 4; k++)
        for (size_t near = 0; near < 40; near += quick ? 13 : 1) {
            check_cut(record, n, MOST, first_chunk(n, MOST) + 65552 * k + near - (k ? 20 : 0),
                      near % 8 == 0);
        }
    for (size_t back = 1; back < 40; back++)
        check_cut(record, n, MOST, n - back, false);
    free(record);
}

/* The payloads of many records, read side by side in blocks that end within chunks. */
static void reads_side_by_side(void)
{
    enum { RECORDS = 6 };
    static const size_t totals[RECORDS] = { 0, 100, 65536, 70000, 140000, MOST };
    static const size_t blocks[] = { 997, 65536, 100000 };
    uint8_t *all = malloc(RECORDS * (MOST + 1000)), *buf = malloc(100000);
    size_t len = 0, n;

    for (size_t i = 0; i < RECORDS; i++) {
        uint8_t *record = make(1, totals[i], &n);

        memcpy(all + len, record, n);
        len += n;
        free(record);
    }
    for (size_t b = 0; b < COUNT(blocks); b++) {
        const char *path = feed_file(all, len);
        struct payload *payloads[RECORDS];
        size_t done[RECORDS] = { 0 }, n_ended = 0, wrong = 0;
        struct hagg_err err = { 0 };
        struct toy_opener toy;
        struct reader *r;
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        toy_seal_opener(&toy);
        r = reader_open(path, &toy.base, &err);
        for (size_t i = 0; i < RECORDS; i++)
            CHECK(reader_next(r, &err) == 1 && (payloads[i] = reader_detach(r, &err)));
        CHECK(reader_next(r, &err) == 0);
        reader_free(r); /* payloads have their own seals */
        CHECK(toy.log.n_freed == 0);
        while (n_ended < RECORDS) {
            n_ended = 0;
            for (size_t i = 0; i < RECORDS; i++) {
                size_t left = totals[i] - done[i];

                if (!CHECK(payload_read(payloads[i], fd, buf, blocks[b], &n, &err) == 0) ||
                    !CHECK(n == (left < blocks[b] ? left : blocks[b])))
                    return;
                wrong += memcmp(buf, plain + done[i], n) != 0;
                done[i] += n;
                n_ended += n == 0;
            }
        }
        /* the first chunk of each was opened twice: by reader_next too */
        CHECK(wrong == 0 &&
              toy.log.n_bytes == 100 + 65536 + 70000 + 140000 + MOST + 100 + 4 * 65536);
        for (size_t i = 0; i < RECORDS; i++)
            payload_free(payloads[i]);
        CHECK(toy.log.n_freed == RECORDS);
        close(fd);
    }
    free(buf);
    free(all);
}

static void refuses_payloads_of_closed_records(void)
{
    size_t n, n_elems = 99;
    uint8_t *record = make(4, 20, &n);
    const char *path = feed_file(record, n);
    struct hagg_err err = { 0 };
    struct reader *r = reader_open(path, NULL, &err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct payload *p = NULL;
    char want[300];

    CHECK(reader_next(r, &err) == 1 && (p = reader_detach(r, &err)));
    CHECK(payload_read(p, fd, out, 5, &n_elems, &err) == -1 && n_elems == 0);
    CHECK(err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "%s: record 1 (byte 0): is sealed: give the private key of its receiver with "
             "--identity (or HAGG_IDENTITY)",
             path);
    CHECK_STR(err.text, want);
    payload_free(p);
    reader_free(r);
    close(fd);
    free(record);
}

/* Every chunk opens, but the digest is another one: damaged on the way, so malformed. */
static void notices_a_wrong_digest(void)
{
    size_t n, n_elems;
    uint8_t *record = make(1, 70000, &n);
    const char *path;
    struct hagg_err err = { 0 };
    struct toy_opener toy;
    struct payload *p = NULL;
    struct reader *r;
    int fd;

    record[n - 1] ^= 1;
    path = feed_file(record, n);
    toy_seal_opener(&toy);
    r = reader_open(path, &toy.base, &err);
    CHECK(reader_next(r, &err) == 1 && !read_pieces(r, 1000, &err));
    CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, "digest does not match"));
    reader_free(r);
    err = (struct hagg_err){ 0 };
    r = reader_open(path, &toy.base, &err);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(reader_next(r, &err) == 1 && (p = reader_detach(r, &err)));
    CHECK(payload_read(p, fd, out, 70000, &n_elems, &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, "digest does not match"));
    payload_free(p);
    reader_free(r);
    close(fd);
    free(record);
}

/* A payload that cannot be detached stays with its reader, also its seal. */
static void keeps_the_seal_without_memory(void)
{
    size_t n;
    uint8_t *record = make(1, 1000, &n);
    struct hagg_err err = { 0 };
    struct toy_opener toy;
    struct reader *r;
    unsigned long at = 0;

    toy_seal_opener(&toy);
    r = reader_open(feed_file(record, n), &toy.base, &err);
    CHECK(reader_next(r, &err) == 1);
    for (; at < 2; at++) {
        alloc_refuse(at);
        CHECK(reader_detach(r, &err) == NULL && err.status == HAGG_E_SYSTEM && alloc_refused());
        alloc_watch();
        err = (struct hagg_err){ 0 };
    }
    CHECK(toy.log.n_freed == 0 && !reader_is_closed(r));
    CHECK(read_pieces(r, 333, &err));
    reader_free(r);
    CHECK(toy.log.n_freed == 1);
    free(record);
}

static void reports_missing_memory(void)
{
    size_t n;
    uint8_t *record = make(1, 100000, &n);
    unsigned long at = 0;

    for (bool refused = true; refused; at++) {
        struct hagg_err err = { 0 };
        struct toy_opener toy;
        struct reader *r;
        bool right;

        toy_seal_opener(&toy);
        r = reader_open(feed_file(record, n), &toy.base, &err);
        alloc_refuse(at);
        right = reader_next(r, &err) == 1 && read_pieces(r, 9000, &err);
        refused = alloc_refused();
        alloc_watch();
        CHECK(right == !refused);
        CHECK(refused ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
        reader_free(r);
    }
    CHECK(at > 4);
    free(record);
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    for (size_t i = 0; i < MOST; i++) {
        plain[i] = (uint8_t)(i * 73 + i / 253);
        if (plain[i] == UNTOUCHED)
            plain[i] = 1;
    }
    reads_in_pieces();
    refuses_elements_of_closed_records(false);
    refuses_elements_of_closed_records(true);
    passes_over_the_rest();
    refuses_what_the_opener_refuses();
    stops_at_a_bad_chunk();
    notices_truncation();
    reads_side_by_side();
    refuses_payloads_of_closed_records();
    notices_a_wrong_digest();
    keeps_the_seal_without_memory();
    reports_missing_memory();
    return check_end();
}
