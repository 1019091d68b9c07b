#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

extern char **environ;

static void die(const char *program, const char *why)
{
    struct hagg_err err;

    err_set(&err, HAGG_E_SYSTEM, "%s: %s", program, why);
    report_die(&err);
}

/* in: the child's standard input; out: its standard output, -1 for none. */
static pid_t start(const char *const *argv, int in, int out)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int error;

    posix_spawn_file_actions_init(&actions);
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    /* posix_spawn declares argv without const, but does not change the strings */
    error = posix_spawnp(&pid, argv[0], &actions, NULL, (char **)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        die(argv[0], strerror(error));
    return pid;
}

static void finish(pid_t pid, const char *program, long *max_rss_kb)
{
    struct rusage usage;
    int status;

    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            die(program, strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        die(program, "failed");
    if (*max_rss_kb < usage.ru_maxrss)
        *max_rss_kb = usage.ru_maxrss;
}

void child_run(void *arg)
{
    struct child *c = arg;
    int ends[2] = { -1, -1 };
    pid_t feeder = -1, pid;
    long ignored = 0;

    if (c->feeder) {
        if (pipe2(ends, O_CLOEXEC) < 0)
            die(c->argv[0], strerror(errno));
        feeder = start(c->feeder, -1, ends[1]);
        close(ends[1]);
    }
    pid = start(c->argv, ends[0], -1);
    if (c->feeder)
        close(ends[0]);
    finish(pid, c->argv[0], &c->max_rss_kb);
    if (c->feeder)
        finish(feeder, c->feeder[0], &ignored);
}
