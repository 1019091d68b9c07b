#include "feed.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

/* Ends the program, because a test that cannot be set up has failed. */
static void need(int held, const char *what)
{
    if (!held) {
        perror(what);
        exit(1);
    }
}

const char *feed_path(int fd)
{
    static char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

const char *feed_file(const void *bytes, size_t n)
{
    static int fd = -1;
    const unsigned char *from = bytes;

    if (fd >= 0)
        close(fd);
    fd = memfd_create("feed", MFD_CLOEXEC);
    need(fd >= 0, "memfd_create");
    while (n > 0) {
        ssize_t now = write(fd, from, n);

        need(now > 0, "write");
        from += now;
        n -= (size_t)now;
    }
    return feed_path(fd);
}

const char *feed_keys(const char *text)
{
    char *all = NULL;
    int n = asprintf(&all, "%s\nprotocol keys\n", text);
    const char *path;

    need(n > 0, "asprintf");
    path = feed_file(all, (size_t)n);
    free(all);
    return path;
}

unsigned char *feed_content(const char *path, size_t *n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char *bytes;
    struct stat st;

    need(fd >= 0 && fstat(fd, &st) == 0, path);
    bytes = malloc((size_t)st.st_size + 1);
    need(bytes && read(fd, bytes, (size_t)st.st_size) == st.st_size, path);
    close(fd);
    *n = (size_t)st.st_size;
    return bytes;
}

/* Runs in the child. */
static void fill(int fd, const unsigned char *bytes, size_t n, size_t n_write)
{
    signal(SIGPIPE, SIG_DFL);
    while (n > 0) {
        ssize_t now = write(fd, bytes, n < n_write ? n : n_write);

        if (now <= 0)
            _exit(1);
        bytes += now;
        n -= (size_t)now;
    }
    _exit(0);
}

int feed_pipe(const void *bytes, size_t n, size_t n_write, pid_t *child)
{
    int ends[2];

    need(pipe2(ends, O_CLOEXEC) == 0, "pipe");
    *child = fork();
    need(*child >= 0, "fork");
    if (*child == 0) {
        close(ends[0]);
        fill(ends[1], bytes, n, n_write);
    }
    close(ends[1]);
    return ends[0];
}

void feed_wait(pid_t child)
{
    while (waitpid(child, NULL, 0) < 0)
        need(errno == EINTR, "waitpid");
}
