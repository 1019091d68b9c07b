/*
 * report.h - the lines that the benchmarks print: what, ours, peer, ratio, the same ratio by wall
 * time, target, ok or MISSED.
 *
 * Figures and the ratio come from CPU time, which other work on the machine disturbs least. A
 * target of 0 is none: the line informs.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "err.h"
#include "rounds.h"

struct report_args {
    int quick;           /* few rounds, small inputs: does it run at all? */
    const char *operand; /* NULL for a program that takes none */
};

/* Reads the line [--quick] [OPERAND]; any other ends the program. operand is the operand's name in
 * the usage line, NULL when there is none. */
struct report_args report_args(int argc, char **argv, const char *operand);

/* The names of the columns, under a title. */
void report_heading(const char *title);

/* How much a call of a side does, in units: a speed is that many per nanosecond. */
struct report_work {
    const struct rounds_side *side;
    double units;
};

/* Speeds, and how many times the peer's ours is: at least the target. */
void report_speed(const char *what, const char *unit, struct report_work ours,
                  struct report_work peer, double target);

/* Times, and how many times the peer's ours is, by either clock: at most the target, by the one
 * that is named. */
void report_time(const char *what, const struct rounds_side *ours, const struct rounds_side *peer,
                 enum rounds_clock clock, double target);

/* Times in milliseconds, and how much longer ours is: at most the target. */
void report_longer(const char *what, const struct rounds_side *ours, const struct rounds_side *peer,
                   double target);

/* One number, at most the target. */
void report_amount(const char *what, const char *unit, double ours, double peer, double target);

/* Ends the program. */
void report_die(const struct hagg_err *err) __attribute__((noreturn));

#endif
