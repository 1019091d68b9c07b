#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"

/* So many calls are interrupted by a signal, and then a call moves so many bytes at the most. */
static int n_interrupted;
static size_t n_at_once = SIZE_MAX;

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);

static bool interrupted(void)
{
    if (n_interrupted == 0)
        return false;
    n_interrupted--;
    errno = EINTR;
    return true;
}

ssize_t __wrap_read(int fd, void *to, size_t n)
{
    return interrupted() ? -1 : __real_read(fd, to, n < n_at_once ? n : n_at_once);
}

ssize_t __wrap_write(int fd, const void *from, size_t n)
{
    return interrupted() ? -1 : __real_write(fd, from, n < n_at_once ? n : n_at_once);
}

static void goes_on(void)
{
    struct hagg_err err = { 0 };
    char out[16] = "";
    int ends[2];

    CHECK(pipe(ends) == 0);
    for (n_at_once = 1; n_at_once < 8; n_at_once++) {
        n_interrupted = 3;
        CHECK(fd_write(ends[1], "pipe", "abcdefg", 7, &err) == 0 && n_interrupted == 0);
        n_interrupted = 3;
        for (size_t at = 0; at < 7;) {
            ssize_t n = fd_read(ends[0], "pipe", out + at, 7 - at, &err);

            /* what one read gives, and not more */
            if (!CHECK(n == (ssize_t)(7 - at < n_at_once ? 7 - at : n_at_once)))
                return;
            at += (size_t)n;
        }
        CHECK(n_interrupted == 0);
        CHECK_STR(out, "abcdefg");
        memset(out, 0, sizeof out);
    }
    n_at_once = SIZE_MAX;
    CHECK(fd_write(ends[1], "pipe", NULL, 0, &err) == 0);
    close(ends[1]);
    CHECK(fd_read(ends[0], "pipe", out, sizeof out, &err) == 0);
    CHECK(err.status == HAGG_OK);
    close(ends[0]);
}

static void reports_the_system(void)
{
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    struct hagg_err err = { 0 };
    char out[4];

    CHECK(fd_write(full, "f\nll", "x", 1, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "f?ll: No space left on device");
    CHECK(fd_write(-1, "none", "x", 1, &err) == -1);
    CHECK_STR(err.text, "none: Bad file descriptor");
    err = (struct hagg_err){ 0 };
    CHECK(fd_read(full, "full", out, 4, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "full: Bad file descriptor");
    close(full);
}

int main(void)
{
    goes_on();
    reports_the_system();
    return check_end();
}
