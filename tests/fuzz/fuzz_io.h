/*
 * fuzz_io.h - what several targets need: files in memory, and a stop if the target itself fails.
 */
#ifndef HAGG_FUZZ_IO_H
#define HAGG_FUZZ_IO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void need(bool holds)
{
    if (!holds)
        abort();
}

static inline void write_all(int fd, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);

        need(n > 0);
        data += n;
        size -= (size_t)n;
    }
}

static inline int new_memfd(void)
{
    int fd = memfd_create("fuzz", 0);

    need(fd >= 0);
    return fd;
}

/* A path that opens the file again, at its start. */
#define FD_PATH_BYTES 32
static inline const char *fd_path(char path[FD_PATH_BYTES], int fd)
{
    snprintf(path, FD_PATH_BYTES, "/proc/self/fd/%d", fd);
    return path;
}

#endif
