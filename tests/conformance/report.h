/*
 * What was checked and what failed. A check is a function; the first thing it finds wrong becomes
 * one line on stdout, and a crash inside it is its finding too.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

struct subject;

/* Runs check(s) as the check called name and counts it as passed or failed. */
void report_check(const char *name, void (*check)(struct subject *), struct subject *s);

/* Says what is wrong. Only the first call within a check is printed; the check should return soon
 * afterwards. Always false, so that `return report_wrong(...)` ends a helper that says true. */
bool report_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Did the check in progress find something? */
bool report_found(void);

/* The closing line; the exit status. */
int report_close(void);

#endif
