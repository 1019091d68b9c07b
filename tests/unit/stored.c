#include "records/stored.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "payload.h"
#include "reference.h"
#include "sample.h"
#include "scratch.h"

static struct field *field;
static uint64_t state = 13;

enum { RECORDS = 5, MOST = 5000 };

static uint64_t elems[RECORDS][MOST];
static size_t lengths[RECORDS] = { 1000, 0, MOST, 1, 1000 };

static void plain_header(struct header *h, uint64_t length)
{
    *h = (struct header){ .kind = HEADER_VECTOR, .length = length };
    strcpy(h->field, "m31");
}

static const char *write_records(const char *name)
{
    const char *path = scratch_path(name);
    struct header h;

    unlink(path);
    for (size_t r = 0; r < RECORDS; r++) {
        for (size_t i = 0; i < lengths[r]; i++)
            elems[r][i] = reference_next(&state) % 0x7fffffff;
        plain_header(&h, lengths[r]);
        scratch_record(path, &h, 4, elems[r], lengths[r]);
    }
    return path;
}

/* Stores all records of a stream, as positions in a file if placed is true, otherwise in memory. */
static size_t keep_all(struct stored *stored, struct filecache *c, const char *path, bool placed)
{
    struct hagg_err err = { 0 };
    struct reader *r = reader_open(path, NULL, &err);
    size_t file, n = 0;

    CHECK(r && filecache_add(c, path, &file, &err) == 0);
    while (reader_next(r, &err) > 0) {
        CHECK(stored_keep(&stored[n], file, r, &err) == 0);
        CHECK((stored[n].payload != NULL) == placed && stored[n].n_elems == lengths[n]);
        n++;
    }
    CHECK_STR(err.text, "");
    reader_free(r);
    return n;
}

static bool is_next(struct stored *s, struct filecache *c, size_t record, size_t at, size_t n)
{
    unsigned char buf[4 * MOST];
    struct hagg_err err = { 0 };
    size_t wrong = 0;

    if (!CHECK(stored_read(s, c, field, buf, n, &err) == 0)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        wrong += hagg_load(buf, i, 4) != elems[record][at + i];
    return wrong == 0;
}

/* The same, added to a vector whose elements are near the largest. */
static bool is_added_next(struct stored *s, struct filecache *c, size_t record, size_t at, size_t n)
{
    const uint64_t p = 0x7fffffff, start = p - 2;
    unsigned char buf[4 * MOST], sum[4 * MOST];
    struct hagg_err err = { 0 };
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        hagg_store(sum, i, 4, start);
    if (!CHECK(stored_add(s, c, field, sum, buf, n, &err) == 0)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        wrong += hagg_load(sum, i, 4) != (start + elems[record][at + i]) % p;
    return wrong == 0;
}

/* Reads or adds pieces of various sizes, of all records in turn. */
static void reads_side_by_side(struct stored *stored, struct filecache *c)
{
    size_t at[RECORDS] = { 0 }, left = RECORDS;

    CHECK(is_next(&stored[1], c, 1, 0, 0)); /* the empty one */
    while (left > 0) {
        size_t r = reference_next(&state) % RECORDS, n = reference_next(&state) % 700;

        left = 0;
        for (size_t i = 0; i < RECORDS; i++)
            left += at[i] < lengths[i];
        n = n > lengths[r] - at[r] ? lengths[r] - at[r] : n;
        CHECK(n % 2 ? is_next(&stored[r], c, r, at[r], n)
                    : is_added_next(&stored[r], c, r, at[r], n));
        at[r] += n;
    }
    for (size_t r = 0; r < RECORDS; r++)
        stored_free(&stored[r]);
}

static void reads_files_and_pipes(void)
{
    const char *path = write_records("many");
    struct stored stored[RECORDS];
    struct filecache c = { 0 };
    unsigned char *bytes;
    size_t n;
    pid_t child;
    int fd;

    CHECK(keep_all(stored, &c, path, true) == RECORDS);
    reads_side_by_side(stored, &c);
    filecache_free(&c);
    bytes = feed_content(path, &n);
    fd = feed_pipe(bytes, n, 777, &child);
    CHECK(keep_all(stored, &c, feed_path(fd), false) == RECORDS);
    reads_side_by_side(stored, &c);
    filecache_free(&c);
    close(fd);
    feed_wait(child);
    free(bytes);
}

/* Reads record 2, the long one, to its end in pieces, and returns the result. */
static int read_long(struct stored *stored, struct filecache *c, struct hagg_err *err)
{
    unsigned char buf[4 * 500];
    int status = 0;

    for (size_t at = 0; at < MOST && status == 0; at += 500)
        status = stored_read(&stored[2], c, field, buf, 500, err);
    return status;
}

static void refuses(const char *path, struct stored *stored, struct filecache *c, const char *want)
{
    char whole[8192];
    struct hagg_err err = { 0 };
    const char *got;

    CHECK(read_long(stored, c, &err) == -1 && err.status == HAGG_E_MALFORMED);
    got = strstr(err.text, want);
    snprintf(whole, sizeof whole, "%s: record 3 (byte ", path);
    CHECK(strncmp(err.text, whole, strlen(whole)) == 0);
    if (!CHECK(got && strlen(got) == strlen(want)))
        fprintf(stderr, "%s\n", err.text);
    for (size_t r = 0; r < RECORDS; r++)
        stored_free(&stored[r]);
    filecache_free(c);
}

/* Files that change after their headers were read, or are damaged from the start. */
static void notices_changes(void)
{
    const char *path = write_records("changing");
    struct stored stored[RECORDS];
    struct filecache c = { 0 };
    struct stat st;
    int fd;

    CHECK(stat(path, &st) == 0);
    /* the third record ends before two of at most 4150 bytes */
    keep_all(stored, &c, path, true);
    CHECK(truncate(path, st.st_size - 8300) == 0);
    refuses(path, stored, &c, "ends too early: it became shorter while it was being read");

    path = write_records("changing");
    keep_all(stored, &c, path, true);
    fd = open(path, O_RDWR);
    CHECK(pwrite(fd, "\1\2\3\0", 4, 4 * 1000 + 4 * 2500) == 4);
    close(fd);
    refuses(path, stored, &c, "digest does not match, so the record is damaged: get it again");

    path = write_records("changing");
    keep_all(stored, &c, path, true);
    CHECK(truncate(path, 0) == 0);
    refuses(path, stored, &c, "ends too early: it became shorter while it was being read");
}

/* 2^31 - 1 is not an element of m31, although the digest is right. */
static void checks_elements(void)
{
    uint64_t bad[3000] = { 0 };
    struct filecache c = { 0 };
    struct hagg_err err = { 0 };
    const char *path = scratch_path("bad");
    struct reader *r;
    struct stored s;
    struct header h;
    unsigned char buf[8000], sum[8000] = { 0 };
    char want[8192];
    size_t file;

    bad[2345] = 0x7fffffff;
    plain_header(&h, 3000);
    scratch_record(path, &h, 4, bad, 3000);
    for (int round = 0; round < 4; round++) {
        bool piped = round % 2, adds = round / 2;
        pid_t child = 0;
        size_t n;
        unsigned char *bytes = feed_content(path, &n);
        int fd = feed_pipe(bytes, n, 1000, &child);
        const char *name = piped ? feed_path(fd) : path;

        CHECK(filecache_add(&c, name, &file, &err) == 0);
        r = reader_open(name, NULL, &err);
        CHECK(reader_next(r, &err) == 1 && stored_keep(&s, file, r, &err) == 0);
        CHECK(stored_read(&s, &c, field, buf, 1500, &err) == 0);
        CHECK((adds ? stored_add(&s, &c, field, sum, buf, 1500, &err)
                    : stored_read(&s, &c, field, buf, 1500, &err)) == -1);
        CHECK(err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want, "%s: element 2345 is not an element of field 'm31'", name);
        CHECK_STR(err.text, want);
        stored_free(&s);
        filecache_free(&c);
        reader_free(r);
        close(fd);
        feed_wait(child);
        free(bytes);
    }
}

/* A pipe that declares 2^40 elements and has three uses memory for three. */
static void takes_no_memory_for_promises(void)
{
    uint8_t header[128], *bytes;
    size_t n_header = sample_plain_header(header, "m31", 1ull << 40), n;
    struct hagg_err err = { 0 };
    struct stored s;
    struct reader *r;
    pid_t child;
    int fd;

    /* a head that declares 2^42 bytes, and twelve bytes */
    bytes = sample_record(header, n_header, 70, "abcdefghijkl", 12, &n);
    {
        uint8_t *large = malloc(n + 16), *at = large;
        static const uint8_t head[] = { 0xd8, 70, 0x5b, 0, 0, 4, 0, 0, 0, 0, 0 };

        memcpy(at, bytes, 6 + n_header);
        at += 6 + n_header;
        memcpy(at, head, sizeof head);
        at += sizeof head;
        memcpy(at, "abcdefghijkl", 12);
        at += 12;
        fd = feed_pipe(large, (size_t)(at - large), 4096, &child);
        r = reader_open(feed_path(fd), NULL, &err);
        CHECK(r && reader_next(r, &err) == 1 && reader_n_elems(r) == 1ull << 40);
        CHECK_STR(err.text, "");
        alloc_watch();
        CHECK(stored_keep(&s, 0, r, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK(alloc_bytes() < 4u << 20);
        reader_free(r);
        free(large);
    }
    close(fd);
    feed_wait(child);
    free(bytes);
}

int main(void)
{
    struct hagg_err err = { 0 };

    field = field_open("m31", &err);
    CHECK(field != NULL);
    reads_files_and_pipes();
    notices_changes();
    checks_elements();
    takes_no_memory_for_promises();
    payload_free(NULL);
    field_free(field);
    return check_end();
}
