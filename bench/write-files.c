/*
 * write-files.c - bench-write-files PREFIX FILE...: for each file, writes a new file of the same
 * size that contains zeros, one after the other, in large calls, then syncs and renames it. Unlike
 * the commands it does not reserve disk space first, and the kernel starts writing only at the
 * sync.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "fd.h"
#include "records/outfile.h"
#include "report.h"

#define CALL_BYTES (1024u * 1024)

static const char zeros[CALL_BYTES];

static int write_file(const char *prefix, const char *like, struct hagg_err *err)
{
    struct outfile file;
    struct stat st;
    char path[4096];

    if (stat(like, &st))
        return err_errno(err, "%s", like);
    snprintf(path, sizeof path, "%s.%s", prefix, like);
    if (outfile_open(&file, path, 0600, false, err))
        return -1;
    for (off_t left = st.st_size; left > 0; left -= CALL_BYTES)
        if (fd_write(file.fd, path, zeros, left < (off_t)CALL_BYTES ? (size_t)left : CALL_BYTES,
                     err))
            return -1;
    outfile_start_sync(&file);
    if (outfile_finish(&file, err))
        return -1;
    outfile_discard(&file);
    return 0;
}

int main(int argc, char **argv)
{
    struct hagg_err err;

    for (int i = 2; i < argc; i++)
        if (write_file(argv[1], argv[i], &err))
            report_die(&err);
    return 0;
}
