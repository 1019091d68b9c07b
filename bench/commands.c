/*
 * commands.c - compares whole commands with programs that only move the same bytes (cat, cp, a
 * writer of the same files) and with openssl rand and gfsplit. bench/run prepares the folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "report.h"
#include "rounds.h"

/* A child that runs a shell command line. */
struct line {
    const char *argv[4];
    struct child child;
};

static void set_line(struct line *l, const char *text)
{
    *l = (struct line){ .argv = { "sh", "-c", text, NULL } };
    l->child.argv = l->argv;
}

/* Runs both lines in turn, in the folder. If both write files and wait for the disk, the clock
 * should be ROUNDS_WALL; if only one does, ROUNDS_CPU. */
static void compare(const char *what, const char *ours, const char *peer, enum rounds_clock clock,
                    double target, size_t n_rounds, double max_megabytes)
{
    struct line lines[2];
    struct rounds_side sides[2];

    set_line(&lines[0], ours);
    set_line(&lines[1], peer);
    for (int i = 0; i < 2; i++)
        sides[i] = (struct rounds_side){ .run = child_run, .arg = &lines[i].child, .n_calls = 1 };
    rounds_run(sides, 2, n_rounds);
    report_time(what, &sides[0], &sides[1], clock, target);
    if (max_megabytes > 0)
        report_amount("  peak memory", "MB", (double)lines[0].child.max_rss_kb * 1024e-6,
                      (double)lines[1].child.max_rss_kb * 1024e-6, max_megabytes);
}

int main(int argc, char **argv)
{
    struct report_args args = report_args(argc, argv, "FOLDER");
    size_t n = args.quick ? 3 : 11;
    struct hagg_err err;

    if (chdir(args.operand)) {
        err_errno(&err, "%s", args.operand);
        report_die(&err);
    }
    report_heading("commands / programs that only move the bytes");
    compare("aggregate 100 files / cat", "exec hagg-aggregate clients/*.cbor >/dev/null",
            "exec cat clients/*.cbor >/dev/null", ROUNDS_CPU, 1.4, n, 64);
    compare("  with --threads 2", "exec hagg-aggregate --threads 2 clients/*.cbor >/dev/null",
            "exec cat clients/*.cbor >/dev/null", ROUNDS_CPU, 0, n, 0);
    compare("share over 13 / writing the files",
            "exec hagg-share -n 13 -k 13 -z 6 vector.npy -o 'share-{}.cbor'",
            "exec bench-write-files copy share-*.cbor", ROUNDS_WALL, 2.2, n, 0);
    compare("  with --threads 2",
            "exec hagg-share --threads 2 -n 13 -k 13 -z 6 vector.npy -o 'share-{}.cbor'",
            "exec bench-write-files copy share-*.cbor", ROUNDS_WALL, 0, n, 0);
    compare("decode 13 / cat in, cp out", "exec hagg-decode -q share-*.cbor -o total.npy",
            "cat share-*.cbor >/dev/null; exec bench-write-files copy total.npy", ROUNDS_WALL, 2, n,
            0);
    compare("  with --threads 2", "exec hagg-decode --threads 2 -q share-*.cbor -o total.npy",
            "cat share-*.cbor >/dev/null; exec bench-write-files copy total.npy", ROUNDS_WALL, 0, n,
            0);
    compare("keygen / openssl rand", "exec hagg-keygen --plan plan --client 1 --round 1 >/dev/null",
            "exec openssl rand -out /dev/null $(cat key-bytes)", ROUNDS_CPU, 1, n, 0);
    /* without sync, the kernel would write gfsplit's files while hagg-share is timed */
    compare("gf256 3 of 5 / gfsplit and sync",
            "exec hagg-share -n 5 -k 3 -z 2 --field gf256 --type u1 --format raw bytes -o 'b-{}'",
            "rm -f g.*; gfsplit -n 3 -m 5 bytes g && exec sync g.*", ROUNDS_CPU, 0.2, n, 0);
    compare("gf256 3 of 5 / writing the files",
            "exec hagg-share -n 5 -k 3 -z 2 --field gf256 --type u1 --format raw bytes -o 'b-{}'",
            "exec bench-write-files copy b-1 b-2 b-3 b-4 b-5", ROUNDS_WALL, 1.6, n, 0);
    compare("transform (13,13,3) to (10,9,2) / share",
            "cat old-*.cbor | hagg-transform --step contribute --method direct --holders 1-10 -k 9 "
            "-z 2 | hagg-transform --step finish >/dev/null",
            "exec hagg-share -n 13 -k 13 -z 3 tenth.npy -o 'old-{}.cbor'", ROUNDS_CPU, 3, n, 0);
    return 0;
}
