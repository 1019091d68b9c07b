/* The same call gives the same result: again, with another context, and in two threads at once. No
 * call changes the context. */
#include "checks.h"

#include <err.h>
#include <pthread.h>
#include <stdlib.h>

#include "report.h"
#include "subject.h"

#define N        3000
#define N_ROWS   4
#define REPEATS  40
#define N_RANDOM (9 * N)
#define ARENA    ((size_t)(4 + 2 * N_ROWS) * N)

/* Calls every function once on data from seed and folds all results into one number. */
static uint64_t digest(const struct subject *s, const void *ctx, uint64_t seed)
{
    const struct hagg_field *f = s->field;
    size_t elem_size = s->info.elem_size, used, made;
    unsigned char *arena = subject_vector(s, ARENA), *a = arena, *b = a + N * elem_size;
    unsigned char *sum = b + N * elem_size, *sampled = sum + N * elem_size, random[N_RANDOM];
    const void *in[N_ROWS];
    void *out[N_ROWS];
    int64_t *ints = calloc(N, sizeof *ints);
    struct prng g = { .state = seed };
    uint64_t hash = 1469598103934665603;

    if (!ints)
        err(1, "integers");
    subject_random(s, &g, a, N);
    subject_random(s, &g, b, N);
    prng_bytes(&g, random, sizeof random);
    for (size_t r = 0; r < N_ROWS; r++) {
        in[r] = memcpy(sampled + (1 + r) * N * elem_size, r % 2 ? a : b, N * elem_size);
        out[r] = sampled + (1 + N_ROWS + r) * N * elem_size;
    }
    f->add(ctx, sum, a, b, N);
    if (subject_has_add_checked(s))
        hash += f->add_checked(ctx, sum, sum, b, N);
    f->sub(ctx, b, a, b, N);
    f->scale_add(ctx, sum, a, b, N);
    made = f->sample(ctx, sampled, N, random, sizeof random, &used);
    /* The rest of out is undefined if there were too few bytes. */
    memset(sampled + made * elem_size, 0, (N - made) * elem_size);
    if (f->mat_apply)
        f->mat_apply(ctx, out, N_ROWS, in, N_ROWS, a, N);
    f->to_int(ctx, ints, sum, N);
    f->from_int(ctx, a, ints, N);
    hash += made * 3 + used * 5 + f->check(ctx, random, N_RANDOM / elem_size) +
            (uint64_t)f->inv(ctx, b, sum);
    for (size_t i = 0; i < ARENA * elem_size; i++)
        hash = (hash ^ arena[i]) * 1099511628211;
    for (size_t i = 0; i < N; i++)
        hash = (hash ^ (uint64_t)ints[i]) * 1099511628211;
    free(ints);
    free(arena);
    return hash;
}

static void check_again(struct subject *s)
{
    struct hagg_field_info info;
    char why[HAGG_WHY_SIZE];
    void *other = subject_new_ctx(s, 0x33);

    if (s->field->init(other, s->params, s->n_params, &info, why) != 0)
        report_wrong("init refuses the second time what it accepted the first");
    for (uint64_t seed = 100; seed < 110 && !report_found(); seed++) {
        uint64_t first = digest(s, s->ctx, seed);

        if (digest(s, s->ctx, seed) != first)
            report_wrong("the same calls give other results the second time");
        else if (digest(s, other, seed) != first)
            report_wrong("a second context of the same field gives other results");
    }
    free(other);
}

static void check_constant_context(struct subject *s)
{
    void *before = subject_new_ctx(s, 0);

    memcpy(before, s->ctx, s->field->ctx_size);
    digest(s, s->ctx, 200);
    if (memcmp(before, s->ctx, s->field->ctx_size) != 0)
        report_wrong("a call changes the context");
    free(before);
}

struct worker {
    const struct subject *s;
    uint64_t seed, wanted;
    bool differs;
};

static void *work(void *arg)
{
    struct worker *w = arg;

    for (int i = 0; i < REPEATS; i++)
        w->differs |= digest(w->s, w->s->ctx, w->seed) != w->wanted;
    return NULL;
}

static void check_threads(struct subject *s)
{
    struct worker workers[2] = { { .s = s, .seed = 300 }, { .s = s, .seed = 301 } };
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        workers[i].wanted = digest(s, s->ctx, workers[i].seed);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
            errx(1, "cannot start a thread");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (workers[0].differs || workers[1].differs)
        report_wrong("two threads that call at once disturb each other");
}

void repeat_run(struct subject *s)
{
    report_check("same results again", check_again, s);
    report_check("constant context", check_constant_context, s);
    report_check("threads", check_threads, s);
}
