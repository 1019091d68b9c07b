#include "fd.h"

#include <errno.h>
#include <unistd.h>

int fd_write(int fd, const char *name, const void *bytes, size_t n, struct hagg_err *err)
{
    const char *from = bytes;

    while (n > 0) {
        ssize_t now = write(fd, from, n);

        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return err_errno(err, "%s", name);
        from += now;
        n -= (size_t)now;
    }
    return 0;
}

ssize_t fd_read(int fd, const char *name, void *to, size_t n, struct hagg_err *err)
{
    ssize_t now;

    do
        now = read(fd, to, n);
    while (now < 0 && errno == EINTR);
    return now < 0 ? err_errno(err, "%s", name) : now;
}
