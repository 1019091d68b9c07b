/*
 * Runs checks and reports failures. A check is a function. The first fault that it finds is printed
 * as one line on stdout, and so is a crash inside it.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

struct subject;

/* Runs check(s) as the check called name and counts it as passed or failed. */
void report_check(const char *name, void (*check)(struct subject *), struct subject *s);

/* Reports a fault. Only the first call within a check is printed; the check should return soon
 * afterwards. Always returns false, so that a helper that otherwise returns true can use `return
 * report_wrong(...)`. */
bool report_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* True if the current check has found a fault. */
bool report_found(void);

/* Prints the last line and returns the exit status. */
int report_close(void);

#endif
