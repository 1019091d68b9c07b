/*
 * large.h - asks the kernel for 2 MB pages for large buffers, which saves most of the page faults.
 */
#ifndef HAGG_LARGE_H
#define HAGG_LARGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* p is memory fresh from malloc or calloc that has not been accessed yet; may be NULL. Buffers
 * below 4 MB are left alone, and a kernel without support for the hint ignores it. */
static inline void large_hint(void *p, size_t n_bytes)
{
    const uintptr_t page = 4096;
    uintptr_t first = ((uintptr_t)p + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)p + n_bytes) & ~(page - 1);

    if (p && n_bytes >= (size_t)4 << 20 && end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

#endif
