#include "report.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

static const char *current;
static bool found;
static unsigned n_passed, n_failed;
static sigjmp_buf before_check;
static volatile sig_atomic_t crash;

bool report_wrong(const char *format, ...)
{
    va_list args;

    if (found)
        return false;
    found = true;
    printf("FAILED %s: ", current);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    return false;
}

bool report_found(void)
{
    return found;
}

static void on_crash(int sig)
{
    crash = sig;
    siglongjmp(before_check, 1);
}

void report_check(const char *name, void (*check)(struct subject *), struct subject *s)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
    const size_t n_crashes = sizeof crashes / sizeof *crashes;
    struct sigaction action = { .sa_handler = on_crash }, before[sizeof crashes / sizeof *crashes];

    current = name;
    found = false;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < n_crashes; i++)
        sigaction(crashes[i], &action, &before[i]);
    if (sigsetjmp(before_check, 1) == 0)
        check(s);
    else if (crash == SIGSEGV || crash == SIGBUS)
        report_wrong("touched memory outside the buffers");
    else
        report_wrong("stopped by signal %d", (int)crash);
    for (size_t i = 0; i < n_crashes; i++)
        sigaction(crashes[i], &before[i], NULL);
    if (found)
        n_failed++;
    else
        n_passed++;
}

int report_close(void)
{
    printf("%u passed, %u failed\n", n_passed, n_failed);
    if (fflush(stdout) != 0 || n_failed != 0)
        return 1;
    return 0;
}
