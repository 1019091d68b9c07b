/*
 * commands.c - compares whole commands with programs that only move the same bytes (cat, cp, a
 * writer of the same files) and with openssl rand and gfsplit. bench/run prepares the folder.
 */
#include <unistd.h>

#include "lines.h"
#include "report.h"

static const struct lines lines[] = {
    { "aggregate 100 files / cat", "exec hagg-aggregate clients/*.cbor >/dev/null",
      "exec cat clients/*.cbor >/dev/null", ROUNDS_CPU, 1.4, 64 },
    { "  with --threads 2", "exec hagg-aggregate --threads 2 clients/*.cbor >/dev/null",
      "exec cat clients/*.cbor >/dev/null", ROUNDS_CPU, 0, 0 },
    { "share over 13 / writing the files",
      "exec hagg-share -n 13 -k 13 -z 6 vector.npy -o 'share-{}.cbor'",
      "exec bench-write-files copy share-*.cbor", ROUNDS_WALL, 2.2, 0 },
    { "  with --threads 2",
      "exec hagg-share --threads 2 -n 13 -k 13 -z 6 vector.npy -o 'share-{}.cbor'",
      "exec bench-write-files copy share-*.cbor", ROUNDS_WALL, 0, 0 },
    { "decode 13 / cat in, cp out", "exec hagg-decode -q share-*.cbor -o total.npy",
      "cat share-*.cbor >/dev/null; exec bench-write-files copy total.npy", ROUNDS_WALL, 2, 0 },
    { "  with --threads 2", "exec hagg-decode --threads 2 -q share-*.cbor -o total.npy",
      "cat share-*.cbor >/dev/null; exec bench-write-files copy total.npy", ROUNDS_WALL, 0, 0 },
    { "keygen / openssl rand", "exec hagg-keygen --plan plan --client 1 --round 1 >/dev/null",
      "exec openssl rand -out /dev/null $(cat key-bytes)", ROUNDS_CPU, 1, 0 },
    /* without sync, the kernel would write gfsplit's files while hagg-share is timed */
    { "gf256 3 of 5 / gfsplit and sync",
      "exec hagg-share -n 5 -k 3 -z 2 --field gf256 --type u1 --format raw bytes -o 'b-{}'",
      "rm -f g.*; gfsplit -n 3 -m 5 bytes g && exec sync g.*", ROUNDS_CPU, 0.2, 0 },
    { "gf256 3 of 5 / writing the files",
      "exec hagg-share -n 5 -k 3 -z 2 --field gf256 --type u1 --format raw bytes -o 'b-{}'",
      "exec bench-write-files copy b-1 b-2 b-3 b-4 b-5", ROUNDS_WALL, 1.6, 0 },
    { "transform (13,13,3) to (10,9,2) / share",
      "cat old-*.cbor | hagg-transform --step contribute --method direct --holders 1-10 -k 9 "
      "-z 2 | hagg-transform --step finish >/dev/null",
      "exec hagg-share -n 13 -k 13 -z 3 tenth.npy -o 'old-{}.cbor'", ROUNDS_CPU, 3, 0 },
};

int main(int argc, char **argv)
{
    struct report_args args = report_args(argc, argv, "FOLDER");
    struct hagg_err err;

    if (chdir(args.operand)) {
        err_errno(&err, "%s", args.operand);
        report_die(&err);
    }
    report_heading("commands / programs that only move the bytes");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        lines_compare(&lines[i], args.quick ? 3 : 11);
    return 0;
}
