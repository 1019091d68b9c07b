#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"

enum { MAX = 5000 };

struct job {
    atomic_uint times[MAX];
    unsigned plain[MAX]; /* not atomic: must be visible after the run */
    atomic_uint running, most_running;
    unsigned sleep_us;
};

static void work(void *arg, size_t i)
{
    struct job *j = arg;
    unsigned now = atomic_fetch_add(&j->running, 1) + 1, most = atomic_load(&j->most_running);

    while (now > most && !atomic_compare_exchange_weak(&j->most_running, &most, now))
        ;
    if (j->sleep_us > 0)
        usleep(j->sleep_us);
    atomic_fetch_add(&j->times[i], 1);
    j->plain[i]++;
    atomic_fetch_sub(&j->running, 1);
}

static void runs(struct parallel *p, size_t n)
{
    static struct job j;
    size_t wrong = 0;

    memset(&j, 0, sizeof j);
    parallel_run(p, work, &j, n);
    CHECK(j.running == 0);
    for (size_t i = 0; i < MAX; i++)
        wrong += j.times[i] != (i < n) || j.plain[i] != (i < n);
    CHECK(wrong == 0);
}

/* Runs every item once, in consecutive runs of all sizes. */
static void runs_each_piece_once(unsigned n_threads)
{
    struct hagg_err err = { 0 };
    struct parallel *p = parallel_new(n_threads, &err);

    CHECK(p && parallel_threads(p) == n_threads);
    for (size_t n = 0; n < 12; n++)
        for (int i = 0; i < 20; i++)
            runs(p, n);
    runs(p, MAX);
    runs(p, 1);
    runs(p, MAX);
    parallel_free(p);
}

/* Runs as many items in parallel as there are threads, and no more. */
static void runs_at_once(void)
{
    static struct job j = { .sleep_us = 3000 };
    struct hagg_err err = { 0 };
    struct parallel *p = parallel_new(3, &err);

    parallel_run(p, work, &j, 30);
    CHECK(j.most_running == 3);
    parallel_free(p);
}

/* Counts the items that run where SIGTERM is blocked. */
static void count_blocked(void *arg, size_t i)
{
    atomic_int *n = arg;
    sigset_t now;

    (void)i;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    atomic_fetch_add(n, sigismember(&now, SIGTERM));
    usleep(1000);
}

/* Only the calling thread gets signals, and its own mask does not change. */
static void leaves_signals_to_the_caller(void)
{
    struct hagg_err err = { 0 };
    struct parallel *p = parallel_new(3, &err);
    atomic_int n_blocked = 0;
    sigset_t now;

    parallel_run(p, count_blocked, &n_blocked, 60);
    CHECK(n_blocked > 0 && n_blocked < 60);
    parallel_free(p);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0 && !sigismember(&now, SIGTERM));
}

/* A pool that is never used, or whose threads may not have started to wait. */
static void starts_and_stops(void)
{
    for (int i = 0; i < 100; i++) {
        struct hagg_err err = { 0 };
        struct parallel *p = parallel_new(1 + (unsigned)i % 4, &err);

        if (i % 3 == 0)
            runs(p, (size_t)i);
        parallel_free(p);
    }
    parallel_free(NULL);
    CHECK(parallel_threads(NULL) == 1);
    runs(NULL, 100);
}

static void fails_cleanly_without_memory(void)
{
    for (unsigned long at = 0; at < 2; at++) {
        struct hagg_err err = { 0 };

        alloc_refuse(at);
        CHECK(parallel_new(3, &err) == NULL && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "cannot set up 3 threads: Cannot allocate memory");
    }
    alloc_watch();
}

int main(void)
{
    for (unsigned n_threads = 1; n_threads <= 8; n_threads++)
        runs_each_piece_once(n_threads);
    runs_at_once();
    leaves_signals_to_the_caller();
    starts_and_stops();
    fails_cleanly_without_memory();
    return check_end();
}
