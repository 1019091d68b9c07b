/*
 * image.c - preloaded into a command: writes its writable memory to a file when it exits, and logs
 * the random bytes that it gets from the kernel.
 *
 * WIPED_IMAGE is the file of the image and WIPED_RANDOM that of the random bytes. For controls,
 * WIPED_CONTROL=keep makes explicit_bzero do nothing, and with WIPED_CONTROL=wiped the image has
 * the bytes that explicit_bzero wipes, and nothing else.
 *
 * It must be linked with -z now: binding functions late would save registers on the stack.
 */
#undef _FORTIFY_SOURCE /* otherwise a header defines explicit_bzero */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Prototypes are in headers under other names, or only with some options. */
EXPORT void __explicit_bzero_chk(void *to, size_t n, size_t room);

static const char *control(void)
{
    const char *value = getenv("WIPED_CONTROL");

    return value ? value : "";
}

static void write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t now = write(fd, bytes, n);

        if (now <= 0)
            return; /* a mapping that cannot be read */
        bytes += now;
        n -= (size_t)now;
    }
}

/* The mappings are read with a small buffer on the stack, so that the image of the heap is not
 * changed by taking it. */
static void take_image(void)
{
    const char *path = getenv("WIPED_IMAGE");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    int maps = fd >= 0 ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
    char line[512], c;
    size_t n = 0;

    while (maps >= 0 && read(maps, &c, 1) == 1) {
        unsigned long begin, end;
        char mode[8];

        if (c != '\n') {
            if (n + 1 < sizeof line)
                line[n++] = c;
            continue;
        }
        line[n] = 0;
        n = 0;
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, mode) == 3 && mode[0] == 'r' &&
            mode[1] == 'w')
            write_all(fd, (const char *)begin, end - begin);
    }
    if (maps >= 0)
        close(maps);
    if (fd >= 0)
        close(fd);
}

__attribute__((destructor)) static void end(void)
{
    if (strcmp(control(), "wiped"))
        take_image();
}

static void append(const char *path, const void *bytes, size_t n)
{
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

    if (fd < 0)
        return;
    write_all(fd, bytes, n);
    close(fd);
}

static void wipe(void *to, size_t n)
{
    if (strcmp(control(), "keep") == 0)
        return;
    if (strcmp(control(), "wiped") == 0)
        append(getenv("WIPED_IMAGE"), to, n);
    memset(to, 0, n);
    __asm__ volatile("" ::"r"(to) : "memory");
}

EXPORT void explicit_bzero(void *to, size_t n)
{
    wipe(to, n);
}

EXPORT void __explicit_bzero_chk(void *to, size_t n, size_t room)
{
    (void)room;
    wipe(to, n);
}

/* Our own code draws 32 bytes at once. */
EXPORT ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    long got = syscall(SYS_getrandom, to, n, flags);

    if (got == 32)
        append(getenv("WIPED_RANDOM"), to, 32);
    return got;
}
