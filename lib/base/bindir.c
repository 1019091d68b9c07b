#include "base/bindir.h"

#include <string.h>
#include <unistd.h>

int bindir_get(char *dir, size_t size)
{
    ssize_t len = readlink("/proc/self/exe", dir, size - 1);
    char *slash;

    if (len <= 0 || (size_t)len == size - 1)
        return -1;
    dir[len] = 0;
    slash = strrchr(dir, '/');
    if (!slash)
        return -1;
    *slash = 0;
    return 0;
}
