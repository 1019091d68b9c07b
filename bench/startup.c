/*
 * startup.c - measures the time that two plugins, and confinement, add to the start and end of a
 * command.
 */
#include "child.h"
#include "report.h"
#include "rounds.h"

#define MAX_MILLISECONDS         3
#define MAX_CONFINE_MILLISECONDS 0.3

int main(int argc, char **argv)
{
    struct report_args args = report_args(argc, argv, "FILE");
    const char *const inspect[] = { "hagg-inspect", args.operand, NULL };
    const char *const version[] = { "hagg-inspect", "--version", NULL };
    struct child ours = { .argv = inspect }, peer = { .argv = version };
    struct rounds_side sides[] = { { .run = child_run, .arg = &ours, .n_calls = 1 },
                                   { .run = child_run, .arg = &peer, .n_calls = 1 } };

    rounds_run(sides, 2, args.quick ? 21 : 101);
    report_heading("hagg-inspect FILE / --version");
    report_longer("a field and a scheme to load, or none", &sides[0], &sides[1], MAX_MILLISECONDS);
    ours.argv =
        (const char *const[]){ "env", "HAGG_NO_CONFINEMENT=0", "hagg-inspect", args.operand, NULL };
    peer.argv =
        (const char *const[]){ "env", "HAGG_NO_CONFINEMENT=1", "hagg-inspect", args.operand, NULL };
    rounds_run(sides, 2, args.quick ? 21 : 101);
    report_longer("confined, or not", &sides[0], &sides[1], MAX_CONFINE_MILLISECONDS);
    return 0;
}
