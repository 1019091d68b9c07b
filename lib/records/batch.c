#include "records/batch.h"

#include <stdlib.h>
#include <string.h>

/* Records in memory. So many that the entries of a batch are worth syncing the state. */
#define BATCH_BYTES ((size_t)32 * 1024 * 1024)
#define MAX_NODES   4096

struct slot {
    void *node;
    struct outfiles *out; /* in memory */
    struct hagg_err err;
};

struct batch {
    const struct batch_job *job;
    struct outfiles *out; /* of all nodes; if each has its own, only a model of them */
    bool is_own;          /* True if each node has files of its own. */
    struct slot *slots;
    size_t n_slots;    /* that were made */
    size_t first, n;   /* nodes of the batch */
    size_t node_bytes; /* the largest records of a node so far */
    bool readable;
};

static int open_slots(struct batch *b, struct hagg_err *err)
{
    while (b->n_slots < b->n) {
        struct slot *s = &b->slots[b->n_slots];

        s->node = calloc(1, b->job->size + 1);
        s->out = s->node ? outfiles_new_memory(b->out, err) : NULL;
        if (!s->node)
            err_errno(err, "no memory for %zu nodes", b->n);
        b->n_slots++;
        if (!s->out)
            return -1;
    }
    return 0;
}

static void drop_nodes(struct batch *b)
{
    for (size_t i = 0; i < b->n_slots; i++) {
        struct slot *s = &b->slots[i];

        if (s->node && b->job->drop)
            b->job->drop(b->job->arg, s->node);
        if (s->node)
            memset(s->node, 0, b->job->size);
    }
}

/* Puts the node before the message. */
static int fail(const struct batch *b, size_t i, const struct hagg_err *cause, struct hagg_err *err)
{
    struct hagg_err copy = *cause;

    return err_set(err, copy.status, "%s %u: %s", b->job->tier, b->job->numbers[b->first + i],
                   copy.text);
}

static void make_node(void *batch, size_t i)
{
    const struct batch *b = batch;
    struct slot *s = &b->slots[i];

    s->err.status = HAGG_OK;
    b->job->make(b->job->arg, b->first + i, s->node, s->out, &s->err);
}

static int make_nodes(struct batch *b, struct hagg_err *err)
{
    const struct batch_job *job = b->job;
    struct hagg_err cause = { 0 };

    if (open_slots(b, err))
        return -1;
    for (size_t i = 0; job->take && i < b->n; i++)
        if (job->take(job->arg, b->first + i, b->slots[i].node, &cause))
            return fail(b, i, &cause, err);
    parallel_run(job->pool, make_node, b, b->n);
    for (size_t i = 0; i < b->n; i++) {
        if (b->slots[i].err.status)
            return fail(b, i, &b->slots[i].err, err);
        if (job->enter && job->enter(job->arg, b->first + i, b->slots[i].node, &cause))
            return fail(b, i, &cause, err);
    }
    return job->commit ? job->commit(job->arg, err) : 0;
}

/* Writes the records of a node to its own files. */
static int write_own(struct batch *b, size_t i, struct hagg_err *err)
{
    const struct batch_job *job = b->job;
    char *path = outfiles_replace(job->output, job->mark, job->numbers[b->first + i]);
    struct outfiles *out = path ? outfiles_new(path, job->allow_terminal, err) : NULL;
    int status = -1;

    if (!path)
        err_errno(err, "%s", job->output);
    if (out)
        outfiles_set_folders(out);
    if (out && job->exclusive)
        outfiles_set_exclusive(out);
    if (out && outfiles_move(out, b->slots[i].out, err) == 0)
        status = outfiles_publish(out, err);
    b->readable = b->readable || (out && outfiles_is_readable(out));
    outfiles_free(out);
    free(path);
    return status;
}

static int write_nodes(struct batch *b, struct hagg_err *err)
{
    for (size_t i = 0; i < b->n; i++) {
        size_t n_bytes = outfiles_collected(b->slots[i].out);

        if (b->node_bytes < n_bytes)
            b->node_bytes = n_bytes;
        if (b->is_own ? write_own(b, i, err) : outfiles_move(b->out, b->slots[i].out, err))
            return -1;
        progress_add(b->job->progress, 1);
    }
    return 0;
}

/* The first batch is one node, which shows how large the records are. */
static size_t choose_nodes(const struct batch *b)
{
    size_t n = b->first == 0 ? 1 : BATCH_BYTES / (b->node_bytes + 1);
    size_t least = b->first == 0 ? 1 : parallel_threads(b->job->pool);

    n = n < least ? least : n > MAX_NODES ? MAX_NODES : n;
    return b->job->n - b->first < n ? b->job->n - b->first : n;
}

/* A file with the same name may have been there for long: better before the work than after it. */
static int check_own(const struct batch *b, struct hagg_err *err)
{
    const struct batch_job *job = b->job;
    int status = 0;

    for (size_t i = 0; b->is_own && job->exclusive && i < job->n && status == 0; i++) {
        char *path = outfiles_replace(job->output, job->mark, job->numbers[i]);

        status = path ? outfile_check_absent(path, err) : err_errno(err, "%s", job->output);
        free(path);
    }
    return status;
}

static int run(struct batch *b, struct hagg_err *err)
{
    progress_expect(b->job->progress, b->job->n);
    for (; b->first < b->job->n; b->first += b->n) {
        int status;

        b->n = choose_nodes(b);
        status = make_nodes(b, err);
        if (status == 0)
            status = write_nodes(b, err);
        drop_nodes(b);
        if (status)
            return -1;
    }
    return b->is_own ? 0 : outfiles_publish(b->out, err);
}

int batch_run(const struct batch_job *job, bool *readable, struct hagg_err *err)
{
    struct batch b = { .job = job, .is_own = job->mark && strstr(job->output, job->mark) };
    int status = -1;

    b.out = outfiles_new(job->output, job->allow_terminal, err);
    if (b.out)
        outfiles_set_sealer(b.out, job->sealer);
    b.slots = calloc(MAX_NODES > job->n ? job->n + 1 : MAX_NODES, sizeof *b.slots);
    if (b.out && job->exclusive)
        outfiles_set_exclusive(b.out);
    if (!b.slots)
        err_errno(err, "no memory for %zu nodes", job->n);
    else if (b.out && check_own(&b, err) == 0) {
        status = run(&b, err);
        if (status && !b.is_own)
            outfiles_cut(b.out);
    }
    *readable = b.readable || (b.out && outfiles_is_readable(b.out));
    for (size_t i = 0; i < b.n_slots; i++) {
        outfiles_free(b.slots[i].out);
        free(b.slots[i].node);
    }
    free(b.slots);
    outfiles_free(b.out);
    return status;
}
