#include "vector/vector_writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "little_endian.h"
#include "vector/vector.h"

/* Writes elements in blocks of this size and returns the content of the file. */
static unsigned char *written(const char *format, const char *type, const uint64_t *shape,
                              size_t n_shape, const void *elems, size_t block, size_t *len)
{
    int fd = memfd_create("vector", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct vector_writer *w = vector_writer_new(fd, "out", format, type, shape, n_shape, &err);
    const unsigned char *from = elems;
    unsigned char *bytes;
    size_t n;

    if (!w || !vector_count(shape, n_shape, &n))
        exit(1);
    for (size_t at = 0; at < n && err.status == HAGG_OK; at += block) {
        size_t now = n - at < block ? n - at : block;

        vector_writer_elems(w, from + at * vector_type_size(type), now, &err);
    }
    CHECK(vector_writer_end(w, &err) == 0);
    CHECK_STR(err.text, "");
    vector_writer_free(w);
    bytes = feed_content(feed_path(fd), len);
    close(fd);
    return bytes;
}

static void writes_small_vectors(void)
{
    static const uint64_t shape[] = { 1, 3 };
    static const int16_t elems[] = { 1, -2, 0x1234 };
    static const unsigned char packed[] = { 1, 0, 0xfe, 0xff, 0x34, 0x12 };
    size_t len;
    unsigned char *bytes;

    for (size_t block = 1; block < 4; block++) {
        bytes = written("raw", "i2", shape, 2, elems, block, &len);
        CHECK(len == 6 && memcmp(bytes, packed, 6) == 0);
        free(bytes);
        bytes = written("text", "i2", shape, 2, elems, block, &len);
        CHECK(len == 10 && memcmp(bytes, "1\n-2\n4660\n", 10) == 0);
        free(bytes);
        bytes = written("npy", "i2", shape, 2, elems, block, &len);
        CHECK(len == 134 && memcmp(bytes + 128, packed, 6) == 0);
        CHECK(memcmp(bytes,
                     "\x93NUMPY\x01\0v\0{'descr': '<i2', 'fortran_order': False, 'shape': "
                     "(1, 3), }   ",
                     70) == 0);
        free(bytes);
    }
}

static void writes_vectors_without_elements(void)
{
    static const uint64_t shape[] = { 4, 0 };
    size_t len;
    unsigned char *bytes = written("npy", "f8", shape, 2, NULL, 1, &len);

    CHECK(len == 128);
    free(bytes);
    bytes = written("raw", "f8", shape, 2, NULL, 1, &len);
    CHECK(len == 0);
    free(bytes);
    bytes = written("text", "f8", shape, 2, NULL, 1, &len);
    CHECK(len == 0);
    free(bytes);
}

static bool holds(unsigned char *bytes, const uint64_t *elems, size_t n)
{
    little_endian(bytes, n, sizeof *elems);
    return memcmp(bytes, elems, n * sizeof *elems) == 0;
}

/* More than several buffers of the writer, in blocks that end before, at and after their ends. */
static void writes_large_vectors(void)
{
    static const size_t blocks[] = { 1021, 131072, 131056, 262144, 300007 };
    static const uint64_t n = 300007;
    uint64_t *elems = malloc(n * sizeof *elems);
    unsigned char *bytes;
    size_t len;

    for (size_t i = 0; i < n; i++)
        elems[i] = i * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        bytes = written("npy", "u8", &n, 1, elems, blocks[i], &len);
        CHECK(len == 128 + 8 * n && holds(bytes + 128, elems, n));
        free(bytes);
        bytes = written("raw", "u8", &n, 1, elems, blocks[i], &len);
        CHECK(len == 8 * n && holds(bytes, elems, n));
        free(bytes);
    }
    free(elems);
}

/* Text of several buffers is read back unchanged. */
static void writes_long_text(void)
{
    enum { N = 70000 };
    static const uint64_t n = N;
    double *elems = malloc(N * sizeof *elems);
    struct hagg_err err = { 0 };
    unsigned char *bytes;
    struct vector v;
    size_t len;

    for (size_t i = 0; i < N; i++)
        elems[i] = (double)i / 7 - 1000;
    bytes = written("text", "f8", &n, 1, elems, 30011, &len);
    CHECK(len > 1 << 20);
    CHECK(vector_load(&v, feed_file(bytes, len), "text", "f8", &err) == 0);
    CHECK(v.n_elems == N && memcmp(v.data, elems, N * sizeof *elems) == 0);
    vector_free(&v);
    free(bytes);
    free(elems);
}

static void reports_a_full_disk(void)
{
    static const uint64_t n = 1 << 18;
    uint64_t *elems = calloc(n, sizeof *elems);
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    struct hagg_err err = { 0 };
    struct vector_writer *w = vector_writer_new(fd, "full", "npy", "u8", &n, 1, &err);

    CHECK(vector_writer_elems(w, elems, n, &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "full: No space left on device");
    vector_writer_free(w);
    w = vector_writer_new(fd, "full", "text", "u1", (const uint64_t[]){ 1 }, 1, &err);
    err = (struct hagg_err){ 0 };
    CHECK(vector_writer_elems(w, elems, 1, &err) == 0);
    CHECK(vector_writer_end(w, &err) == -1);
    CHECK_STR(err.text, "full: No space left on device");
    vector_writer_free(w);
    close(fd);
    free(elems);
}

static void refuses_bad_requests(void)
{
    static const uint64_t huge[] = { 1ull << 48, 2 };
    uint64_t ones[LIMIT_DIMENSIONS + 1] = { 0 };
    struct hagg_err err = { 0 };

    CHECK(!vector_writer_new(1, "out", "csv", "f4", huge, 1, &err));
    CHECK(err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "unknown format 'csv': use npy, raw or text");
    CHECK(!vector_writer_new(1, "out", "npy", "f2", huge, 1, &err));
    CHECK(err.status == HAGG_E_USAGE);
    CHECK(!vector_writer_new(1, "out", "npy", "f4", huge, 2, &err));
    CHECK(err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, "out: the shape is too large to be written");
    CHECK(!vector_writer_new(1, "out", "raw", "f4", ones, LIMIT_DIMENSIONS + 1, &err));
    vector_writer_free(NULL);
}

static void lives_without_memory(void)
{
    struct hagg_err err = { 0 };
    struct vector_writer *w;

    for (unsigned long n = 0; n < 2; n++) {
        alloc_refuse(n);
        CHECK(!vector_writer_new(1, "out", "npy", "f4", NULL, 0, &err));
        CHECK(alloc_refused());
        CHECK_STR(err.text, "out: Cannot allocate memory");
    }
    alloc_refuse(2);
    w = vector_writer_new(1, "out", "npy", "f4", NULL, 0, &err);
    CHECK(w && !alloc_refused());
    alloc_watch();
    vector_writer_free(w);
}

int main(void)
{
    writes_small_vectors();
    writes_vectors_without_elements();
    writes_large_vectors();
    writes_long_text();
    reports_a_full_disk();
    refuses_bad_requests();
    lives_without_memory();
    return check_end();
}
