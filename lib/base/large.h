/*
 * large.h - a hint for large buffers: pages of 2 MB cost the kernel far fewer faults than small
 * ones.
 */
#ifndef HAGG_LARGE_H
#define HAGG_LARGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* For memory that malloc or calloc just gave and nobody has touched. Small buffers are left alone,
 * and a kernel that does not know the hint ignores it. */
static inline void large_hint(void *p, size_t n_bytes)
{
    const uintptr_t page = 4096;
    uintptr_t first = ((uintptr_t)p + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)p + n_bytes) & ~(page - 1);

    if (p && n_bytes >= (size_t)4 << 20 && end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

#endif
