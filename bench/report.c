#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const char *what;
    char ours[24], peer[24], ratio[24], wall[24], target[24];
    const char *verdict;
};

static void print(const struct line *l)
{
    printf("%-40s %13s %13s %9s %9s %9s  %s\n", l->what, l->ours, l->peer, l->ratio, l->wall,
           l->target, l->verdict);
    fflush(stdout);
}

static const char *verdict(int ok)
{
    return ok ? "ok" : "MISSED";
}

struct report_args report_args(int argc, char **argv, const char *operand)
{
    struct report_args args = { 0 };
    int at = 1;

    if (at < argc && strcmp(argv[at], "--quick") == 0) {
        args.quick = 1;
        at++;
    }
    if (at < argc && operand)
        args.operand = argv[at++];
    if (at == argc && !operand == !args.operand)
        return args;
    fprintf(stderr, "usage: %s [--quick] %s\n", argv[0], operand ? operand : "");
    exit(2);
}

void report_heading(const char *title)
{
    const struct line names = { title, "ours", "peer", "ratio", "by wall", "target", "" };

    printf("\n");
    print(&names);
}

static double speed(struct report_work w)
{
    return w.units * 1e-9 / rounds_seconds(w.side, ROUNDS_CPU);
}

void report_speed(const char *what, const char *unit, struct report_work ours,
                  struct report_work peer, double target)
{
    double work = ours.units / peer.units;
    double ratio = work * rounds_ratio(peer.side, ours.side, ROUNDS_CPU);
    struct line l = { .what = what, .verdict = "" };

    snprintf(l.ours, sizeof l.ours, "%.2f %s", speed(ours), unit);
    snprintf(l.peer, sizeof l.peer, "%.2f %s", speed(peer), unit);
    snprintf(l.ratio, sizeof l.ratio, "%.2f", ratio);
    snprintf(l.wall, sizeof l.wall, "%.2f", work * rounds_ratio(peer.side, ours.side, ROUNDS_WALL));
    if (target > 0) {
        snprintf(l.target, sizeof l.target, ">= %g", target);
        l.verdict = verdict(ratio >= target);
    }
    print(&l);
}

void report_time(const char *what, const struct rounds_side *ours, const struct rounds_side *peer,
                 enum rounds_clock clock, double target)
{
    struct line l = { .what = what, .verdict = "" };

    snprintf(l.ours, sizeof l.ours, "%.0f ms", 1e3 * rounds_seconds(ours, ROUNDS_CPU));
    snprintf(l.peer, sizeof l.peer, "%.0f ms", 1e3 * rounds_seconds(peer, ROUNDS_CPU));
    snprintf(l.ratio, sizeof l.ratio, "%.2f", rounds_ratio(ours, peer, ROUNDS_CPU));
    snprintf(l.wall, sizeof l.wall, "%.2f", rounds_ratio(ours, peer, ROUNDS_WALL));
    if (target > 0) {
        snprintf(l.target, sizeof l.target, "<= %g", target);
        l.verdict = verdict(rounds_ratio(ours, peer, clock) <= target);
    }
    print(&l);
}

static double longer(const struct rounds_side *ours, const struct rounds_side *peer,
                     enum rounds_clock clock)
{
    return 1e3 * (rounds_seconds(ours, clock) - rounds_seconds(peer, clock));
}

void report_longer(const char *what, const struct rounds_side *ours, const struct rounds_side *peer,
                   double target)
{
    double by_cpu = longer(ours, peer, ROUNDS_CPU);
    struct line l = { .what = what, .verdict = verdict(by_cpu <= target) };

    snprintf(l.ours, sizeof l.ours, "%.2f ms", 1e3 * rounds_seconds(ours, ROUNDS_CPU));
    snprintf(l.peer, sizeof l.peer, "%.2f ms", 1e3 * rounds_seconds(peer, ROUNDS_CPU));
    snprintf(l.ratio, sizeof l.ratio, "%+.2f ms", by_cpu);
    snprintf(l.wall, sizeof l.wall, "%+.2f ms", longer(ours, peer, ROUNDS_WALL));
    snprintf(l.target, sizeof l.target, "<= %g ms", target);
    print(&l);
}

void report_amount(const char *what, const char *unit, double ours, double peer, double target)
{
    struct line l = { .what = what, .verdict = verdict(ours <= target) };

    snprintf(l.ours, sizeof l.ours, "%.1f %s", ours, unit);
    snprintf(l.peer, sizeof l.peer, "%.1f %s", peer, unit);
    snprintf(l.target, sizeof l.target, "<= %g", target);
    print(&l);
}

void report_die(const struct hagg_err *err)
{
    fflush(stdout);
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}
