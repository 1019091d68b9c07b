/*
 * child.h - runs other programs, one after the other or joined by a pipe, and waits for them.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

struct child {
    const char *const *argv;   /* argv[0] is the program, looked for in $PATH */
    const char *const *feeder; /* NULL, or the argv of what writes into its standard input */
    long max_rss_kb; /* the most that the program took, or this one before it became that one */
};

/* Runs arg, a struct child, with no output. Anything but exit status 0 ends this program too. */
void child_run(void *arg);

#endif
