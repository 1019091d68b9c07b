/*
 * child.h - runs other programs, one after the other or joined by a pipe, and waits for them.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

struct child {
    const char *const *argv;   /* argv[0] is the program, searched in $PATH */
    const char *const *feeder; /* NULL, or argv of a program that writes to its standard input */
    long max_rss_kb; /* peak memory of the program, or of this process if that is more, because
                        the child starts as a copy of it */
};

/* Runs arg, a struct child, and discards its output. If its exit status is not 0, this program
 * ends too. */
void child_run(void *arg);

#endif
