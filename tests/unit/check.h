/*
 * check.h - a minimal unit test library: checks that print where they fail, and a final count.
 */
#ifndef HAGG_CHECK_H
#define HAGG_CHECK_H

#include <stdio.h>
#include <string.h>

static unsigned long check_passed, check_failed;

/* Counts a condition, and prints file, line and text if it is false. Returns the condition. */
#define CHECK(condition) check_that((condition) != 0, __FILE__, __LINE__, #condition)

/* Checks that two strings are equal. */
#define CHECK_STR(got, want) check_strings((got), (want), __FILE__, __LINE__)

static inline int check_that(int held, const char *file, int line, const char *text)
{
    if (held)
        check_passed++;
    else {
        check_failed++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    }
    return held;
}

static inline void check_strings(const char *got, const char *want, const char *file, int line)
{
    if (strcmp(got, want) == 0)
        check_passed++;
    else {
        check_failed++;
        fprintf(stderr, "%s:%d: got  '%s'\n%s:%d: want '%s'\n", file, line, got, file, line, want);
    }
}

/* Returns the exit status for main. A test without checks has failed. */
static inline int check_end(void)
{
    printf("%lu passed, %lu failed\n", check_passed, check_failed);
    return check_failed > 0 || check_passed == 0;
}

#endif
