/*
 * disk_hint.h - hints to the kernel about a file that will be synced, given while it is written.
 * They cost little and save most of the wait. Failures are ignored, because the writes and the sync
 * repeat the work and report errors.
 */
#ifndef HAGG_DISK_HINT_H
#define HAGG_DISK_HINT_H

#include <fcntl.h>
#include <stdint.h>

/* Smaller amounts are not worth a hint. */
#define DISK_HINT_BYTES ((uint64_t)2 << 20)

/* Reserves space for a new file of this size, contiguous if possible. Files that grow in parallel
 * would otherwise be fragmented. */
static inline void disk_hint_reserve(int fd, uint64_t n_bytes)
{
    int ignored = 0;

    if (n_bytes >= DISK_HINT_BYTES && n_bytes <= INT64_MAX)
        ignored = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n_bytes);
    (void)ignored;
}

/* Makes the kernel start writing the current content of the file to disk. */
static inline void disk_hint_sync(int fd)
{
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

#endif
