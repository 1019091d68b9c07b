#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct parallel {
    pthread_mutex_t lock;
    pthread_cond_t begun, ended;
    pthread_t *threads; /* without the calling one */
    unsigned n_threads, n_started;
    bool quit;
    void (*work)(void *arg, size_t i);
    void *arg;
    size_t n, next; /* number of items, and the first that is not started */
    size_t n_busy;  /* items that are started and not finished */
};

/* Runs items until none is left to start. Called and left with the lock held; work runs without
 * it. */
static void run_items(struct parallel *p)
{
    while (p->next < p->n) {
        size_t i = p->next++;

        p->n_busy++;
        pthread_mutex_unlock(&p->lock);
        p->work(p->arg, i);
        pthread_mutex_lock(&p->lock);
        p->n_busy--;
    }
    if (p->n_busy == 0)
        pthread_cond_broadcast(&p->ended);
}

static void *serve(void *pool)
{
    struct parallel *p = pool;

    pthread_mutex_lock(&p->lock);
    while (!p->quit) {
        if (p->next < p->n)
            run_items(p);
        else
            pthread_cond_wait(&p->begun, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Starts a thread without signals, so that the calling thread alone decides when they arrive. */
static int start(struct parallel *p)
{
    sigset_t all, before;
    int status;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    status = pthread_create(&p->threads[p->n_started], NULL, serve, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

struct parallel *parallel_new(unsigned n_threads, struct hagg_err *err)
{
    struct parallel *p = calloc(1, sizeof *p);

    if (!p || !(p->threads = calloc(n_threads, sizeof *p->threads))) {
        err_errno(err, "cannot set up %u threads", n_threads);
        free(p);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begun, NULL);
    pthread_cond_init(&p->ended, NULL);
    p->n_threads = n_threads;
    while (p->n_started + 1 < n_threads) {
        if (start(p)) {
            err_set(err, HAGG_E_SYSTEM, "cannot start %u threads", n_threads);
            parallel_free(p);
            return NULL;
        }
        p->n_started++;
    }
    return p;
}

void parallel_free(struct parallel *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->begun);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->n_started; i++)
        pthread_join(p->threads[i], NULL);
    pthread_cond_destroy(&p->begun);
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
    free(p->threads);
    free(p);
}

unsigned parallel_threads(const struct parallel *p)
{
    return p ? p->n_threads : 1;
}

void parallel_run(struct parallel *p, void (*work)(void *arg, size_t i), void *arg, size_t n)
{
    if (!p || p->n_threads < 2 || n < 2) {
        for (size_t i = 0; i < n; i++)
            work(arg, i);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->arg = arg;
    p->next = 0;
    p->n = n;
    pthread_cond_broadcast(&p->begun);
    run_items(p);
    while (p->n_busy > 0)
        pthread_cond_wait(&p->ended, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
