/*
 * report.h - the lines that the benchmarks print: what, ours, peer, ratio, the same ratio by wall
 * time, target, ok or MISSED.
 *
 * Figures and the ratio are based on CPU time, which other work on the machine affects least. A
 * target of 0 means that there is none.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "err.h"
#include "rounds.h"

struct report_args {
    int quick;           /* few rounds and small inputs, to test that the program runs */
    const char *operand; /* NULL for a program without an operand */
};

/* Parses the command line [--quick] [OPERAND]; any other ends the program. operand is the name of
 * the operand in the usage line, NULL if there is none. */
struct report_args report_args(int argc, char **argv, const char *operand);

/* Prints a title and the names of the columns. */
void report_heading(const char *title);

/* The work of one call of a side, in units; a speed is in units per nanosecond. */
struct report_work {
    const struct rounds_side *side;
    double units;
};

/* Prints both speeds and the ratio of ours to the peer's, which should be at least the target. */
void report_speed(const char *what, const char *unit, struct report_work ours,
                  struct report_work peer, double target);

/* Prints both times and the ratio of ours to the peer's, by either clock. By the clock given, it
 * should be at most the target. */
void report_time(const char *what, const struct rounds_side *ours, const struct rounds_side *peer,
                 enum rounds_clock clock, double target);

/* Prints both times in milliseconds and their difference, which should be at most the target. */
void report_longer(const char *what, const struct rounds_side *ours, const struct rounds_side *peer,
                   double target);

/* Prints one number, which should be at most the target. */
void report_amount(const char *what, const char *unit, double ours, double peer, double target);

/* Prints the error and ends the program. */
void report_die(const struct hagg_err *err) __attribute__((noreturn));

#endif
