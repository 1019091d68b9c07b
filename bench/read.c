/*
 * read.c - compares reading a large record, with a check of its digest and of every element, with
 * hashing the same file: from a file that the kernel has cached, and through a pipe.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "child.h"
#include "report.h"
#include "rounds.h"

#define MAX_TIMES     1.6
#define MAX_MEGABYTES 16

static void compare(const char *what, struct child *ours, struct child *peer, size_t n_rounds)
{
    struct rounds_side sides[] = { { .run = child_run, .arg = ours, .n_calls = 1 },
                                   { .run = child_run, .arg = peer, .n_calls = 1 } };

    rounds_run(sides, 2, n_rounds);
    report_time(what, &sides[0], &sides[1], ROUNDS_CPU, MAX_TIMES);
    report_amount("  peak memory", "MB", (double)ours->max_rss_kb * 1024e-6,
                  (double)peer->max_rss_kb * 1024e-6, MAX_MEGABYTES);
}

int main(int argc, char **argv)
{
    struct report_args args = report_args(argc, argv, "FILE");
    const char *const cat[] = { "cat", args.operand, NULL };
    const char *const inspect[] = { "hagg-inspect", args.operand, NULL };
    const char *const inspect_pipe[] = { "hagg-inspect", "-", NULL };
    const char *const xxhsum[] = { "xxhsum", "-q", "-H2", args.operand, NULL };
    const char *const xxhsum_pipe[] = { "xxhsum", "-q", "-H2", "-", NULL };
    size_t n_rounds = args.quick ? 3 : 11;
    struct hagg_err err;
    struct stat file;
    char what[64];

    if (stat(args.operand, &file) < 0) {
        err_errno(&err, "%s", args.operand);
        report_die(&err);
    }
    snprintf(what, sizeof what, "an m31 record of %lld MB", (long long)file.st_size / 1000000);
    report_heading("hagg-inspect / xxhsum -H2");
    compare(what, &(struct child){ .argv = inspect }, &(struct child){ .argv = xxhsum }, n_rounds);
    compare("the same through a pipe from cat",
            &(struct child){ .argv = inspect_pipe, .feeder = cat },
            &(struct child){ .argv = xxhsum_pipe, .feeder = cat }, n_rounds);
    return 0;
}
