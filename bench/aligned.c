/*
 * aligned.c - compares the steps of protocol aligned with hagg-share of scheme ramp and with
 * programs that only move the same bytes. bench/aligned_inputs.py prepares the folder, and checks
 * what was written.
 */
#include <unistd.h>

#include "lines.h"
#include "report.h"

#define SHARE(options)                                                                             \
    "exec hagg-share -q " options " --plan thirteen/plan --client 1 --round 1 "                    \
    "thirteen/vector-1.npy -o 'thirteen/shared/{}' 2>/dev/null"
#define RAMP "exec hagg-share -n 13 -k 13 -z 6 thirteen/vector-1.npy -o 'thirteen/ramp/{}'"

#define ADD(options)                                                                               \
    "exec hagg-aggregate " options " --plan five/plan --station 1 five/station-1/*.cbor "          \
    ">/dev/null 2>&1"
#define CAT "exec cat five/station-1/*.cbor >/dev/null"

/* a dealing never replaces a file */
#define DEAL(round)                                                                                \
    "rm -f " round "/dealt/[0-9]*; exec hagg-keygen --no-state --plan " round "/plan --round 1 "   \
    "--station $(cat " round "/dealer) --length $(cat " round "/length) -o '" round "/dealt/{}' "  \
    "2>/dev/null"
#define WRITE(round)                                                                               \
    "cd " round "/dealt; rm -f copy.*; exec bench-write-files copy [0-9]* >/dev/null"

#define DECODE(round, options)                                                                     \
    "exec hagg-decode -q --no-state " options " --plan " round "/plan --clients $(cat " round      \
    "/clients) " round "/sums/* -o " round "/total.npy 2>/dev/null"
#define READ_AND_WRITE(round)                                                                      \
    "cat " round "/sums/* >/dev/null; cd " round "; exec bench-write-files copy total.npy"

static const struct lines lines[] = {
    { "share over 13 of 20 stations / ramp", SHARE("--no-state"), RAMP, ROUNDS_CPU, 1.05, 0 },
    { "  with a state directory", SHARE("--state state"), RAMP, ROUNDS_CPU, 0, 0 },
    { "sum of 100 clients, 5 part counts / cat", ADD("--no-state"), CAT, ROUNDS_CPU, 1.6, 64 },
    { "  with a state directory", ADD("--state state"), CAT, ROUNDS_CPU, 0, 0 },
    { "  with --threads 2", ADD("--no-state --threads 2"), CAT, ROUNDS_CPU, 0, 0 },
    { "deal for 100 stations, partial / writing", DEAL("partial"), WRITE("partial"), ROUNDS_WALL, 2,
      0 },
    { "deal for 100 stations, full / writing", DEAL("full"), WRITE("full"), ROUNDS_WALL, 2, 0 },
    { "decode 100, many rows / cat in, cp out", DECODE("partial", ""), READ_AND_WRITE("partial"),
      ROUNDS_WALL, 2, 0 },
    { "  with --threads 2", DECODE("partial", "--threads 2"), READ_AND_WRITE("partial"),
      ROUNDS_WALL, 0, 0 },
    { "decode 100, one row / cat in, cp out", DECODE("spread", ""), READ_AND_WRITE("spread"),
      ROUNDS_WALL, 2, 0 },
    { "load a plan of 10000 clients / keys", "exec hagg-plan --digest many/plan >/dev/null",
      "exec hagg-plan --digest many/keys >/dev/null", ROUNDS_CPU, 0, 0 },
};

/* takes seconds */
static const struct lines audit = { "audit 10000 clients / load the plan",
                                    "exec hagg-audit many/plan >/dev/null",
                                    "exec hagg-plan --digest many/plan >/dev/null",
                                    ROUNDS_CPU,
                                    0,
                                    0 };

int main(int argc, char **argv)
{
    struct report_args args = report_args(argc, argv, "FOLDER");
    struct hagg_err err;

    if (chdir(args.operand)) {
        err_errno(&err, "%s", args.operand);
        report_die(&err);
    }
    report_heading("protocol aligned");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        lines_compare(&lines[i], args.quick ? 3 : 31);
    lines_compare(&audit, args.quick ? 1 : 3);
    return 0;
}
