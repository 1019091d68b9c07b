#include "records/input.h"

#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"

#define MAX_BYTES 400000

/* Larger than the read-ahead buffer, and than the initial buffer of input_rest. */
static unsigned char bytes[MAX_BYTES];
static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 65535, 65536, 65537, MAX_BYTES };

#define N_SIZES (sizeof sizes / sizeof *sizes)

static void fill(void)
{
    unsigned state = 1;

    for (size_t i = 0; i < MAX_BYTES; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(state >> 24);
    }
}

/* Peeks, reads some bytes, reads the rest, and checks each. */
static void check_stream(const char *path, size_t n, size_t n_read, size_t max)
{
    struct hagg_err err = { 0 };
    struct input in;
    unsigned char start[5000];
    const uint8_t *ahead;
    void *rest = NULL;
    size_t got, left;

    if (!CHECK(input_open(&in, path, &err) == 0))
        return;
    CHECK(input_peek(&in, &ahead, &got, &err) == 0);
    CHECK(got == (n < INPUT_AHEAD ? n : INPUT_AHEAD) && memcmp(ahead, bytes, got) == 0);
    CHECK(input_read(&in, start, n_read, &got, &err) == 0);
    CHECK(got == (n < n_read ? n : n_read) && memcmp(start, bytes, got) == 0);
    left = n - got;
    alloc_watch();
    CHECK(input_rest(&in, max, &rest, &got, &err) == 0);
    CHECK(got == (left < max ? left : max) && memcmp(rest, bytes + n - left, got) == 0);
    /* doubling requests less than four times the final size, and at least 65536 bytes */
    CHECK(alloc_bytes() <= 65537 + 4 * left);
    CHECK(input_at_end(&in, &err) == (got == left));
    if (got < left) {
        CHECK(input_read(&in, start, 1, &got, &err) == 0);
        CHECK(got == 1 && start[0] == bytes[n - left + max]);
    }
    CHECK_STR(err.text, "");
    free(rest);
    input_close(&in);
}

static void reads_files(void)
{
    for (size_t i = 0; i < N_SIZES; i++) {
        check_stream(feed_file(bytes, sizes[i]), sizes[i], 0, SIZE_MAX);
        check_stream(feed_file(bytes, sizes[i]), sizes[i], 10, 1ull << 52);
        check_stream(feed_file(bytes, sizes[i]), sizes[i], 5000, 100);
        check_stream(feed_file(bytes, sizes[i]), sizes[i], 100, 0);
        check_stream(feed_file(bytes, sizes[i]), sizes[i], 0, 65536);
    }
}

static void check_pipe(size_t n, size_t n_write, size_t n_read, size_t max)
{
    pid_t child;
    int fd = feed_pipe(bytes, n, n_write, &child);

    check_stream(feed_path(fd), n, n_read, max);
    close(fd);
    feed_wait(child);
}

static void reads_pipes(void)
{
    for (size_t i = 0; i < N_SIZES; i++) {
        check_pipe(sizes[i], 100000, 0, SIZE_MAX);
        check_pipe(sizes[i], 997, 10, 1ull << 52);
        check_pipe(sizes[i], 4096, 5000, 100);
        check_pipe(sizes[i], 65536, 0, 65536);
    }
}

/* Standard input need not be at its start: another process may have read a part of it. */
static void reads_standard_input(void)
{
    struct hagg_err err = { 0 };
    struct input in;
    void *rest = NULL;
    size_t got;
    int saved = dup(STDIN_FILENO), fds[2];

    CHECK(freopen(feed_file(bytes, 1000), "rb", stdin) != NULL);
    CHECK(lseek(STDIN_FILENO, 400, SEEK_SET) == 400);
    CHECK(input_open(&in, "-", &err) == 0);
    CHECK_STR(in.name, "standard input");
    CHECK(in.left == 600);
    CHECK(input_rest(&in, SIZE_MAX, &rest, &got, &err) == 0);
    CHECK(got == 600 && memcmp(rest, bytes + 400, 600) == 0);
    free(rest);
    input_close(&in);
    CHECK(dup2(saved, STDIN_FILENO) == STDIN_FILENO);
    close(saved);
    CHECK(pipe(fds) == 0); /* input_close must not have closed 0, or the pipe would get it */
    CHECK(fds[0] != STDIN_FILENO && fds[1] != STDIN_FILENO);
    close(fds[0]);
    close(fds[1]);
}

static void says_why_not(void)
{
    struct hagg_err err = { 0 };
    struct input in;

    CHECK(input_open(&in, "/nowhere/at all", &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/nowhere/at all: No such file or directory");
    CHECK(input_open(&in, "/", &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/: is a directory: name a file in it");
}

static void lives_without_memory(void)
{
    struct hagg_err err = { 0 };
    unsigned long n = 0;

    for (;; n++) {
        pid_t child;
        int fd = feed_pipe(bytes, MAX_BYTES, 65536, &child);
        struct input in;
        void *rest = NULL;
        size_t got;

        CHECK(input_open(&in, feed_path(fd), &err) == 0);
        alloc_refuse(n);
        if (input_rest(&in, SIZE_MAX, &rest, &got, &err) == 0)
            CHECK(!alloc_refused() && got == MAX_BYTES);
        else
            CHECK(err.status == HAGG_E_SYSTEM && strstr(err.text, ": Cannot allocate memory"));
        free(rest);
        input_close(&in);
        close(fd);
        feed_wait(child);
        if (!alloc_refused())
            break;
    }
    alloc_watch();
    CHECK(n > 2);
}

int main(void)
{
    fill();
    reads_files();
    reads_pipes();
    reads_standard_input();
    says_why_not();
    lives_without_memory();
    return check_end();
}
