/*
 * disk_hint.h - hints about a file that will be synced, given while it is written: they cost little
 * and save most of the wait. What they cannot do the writes and the sync will do, or report.
 */
#ifndef HAGG_DISK_HINT_H
#define HAGG_DISK_HINT_H

#include <fcntl.h>
#include <stdint.h>

/* What is worth a hint. */
#define DISK_HINT_BYTES ((uint64_t)2 << 20)

/* Room for a new file of this size, in one piece where the disk has one, which files that grow side
 * by side would not get. */
static inline void disk_hint_reserve(int fd, uint64_t n_bytes)
{
    int ignored = 0;

    if (n_bytes >= DISK_HINT_BYTES && n_bytes <= INT64_MAX)
        ignored = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n_bytes);
    (void)ignored;
}

/* Has the kernel begin to write to disk what is in the file now. */
static inline void disk_hint_sync(int fd)
{
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

#endif
