#include "records/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/disk_hint.h"
#include "sharing/expand.h"

/* Writes shares to one file each, or buffers them all to write them one after the other. */
struct spreader {
    struct sharing_sink sink; /* must be first: it is cast to the spreader */
    const struct spread_job *job;
    size_t part_length, size; /* elements of a part of a block; bytes of an element */
    struct writer **writers;  /* by share */
    unsigned char *buffered;  /* all shares, or NULL if each has its own file */
    const struct outfiles *out;
    size_t at;                  /* columns received so far */
    size_t unsynced;            /* bytes of each file since the last hint to the kernel */
    unsigned char *interleaved; /* symbols of a share, interleaved */
    size_t interleaved_elems;
    unsigned char (*seeds)[EXPAND_SEED_BYTES]; /* by share; NULL if there are none */
    const unsigned char **seed_of;             /* by share: its seed, or NULL */
};

static bool is_seed(const struct spreader *sp, uint32_t u)
{
    return sp->seeds && sp->seed_of[u];
}

/* Returns the next n columns of a share in the order of the payload: all symbols of a column, then
 * the next column. */
static const void *interleave(struct spreader *sp, void *const *rows, size_t n,
                              struct hagg_err *err)
{
    size_t symbols = sp->job->sharing->shape.symbols, size = sp->size;

    if (symbols == 1)
        return rows[0];
    if (sp->interleaved_elems < n * symbols) {
        free(sp->interleaved);
        sp->interleaved_elems = n * symbols;
        sp->interleaved = calloc(sp->interleaved_elems, size);
        if (!sp->interleaved) {
            err_errno(err, "no memory to share a vector");
            return NULL;
        }
    }
    for (size_t e = 0; e < n * symbols; e++)
        memcpy(sp->interleaved + e * size,
               (const unsigned char *)rows[e % symbols] + e / symbols * size, size);
    return sp->interleaved;
}

static int receive(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err)
{
    struct spreader *sp = (struct spreader *)sink;
    const struct sharing *s = sp->job->sharing;
    size_t symbols = s->shape.symbols;
    size_t share_bytes = sp->job->n_blocks * sp->part_length * symbols * sp->size;

    for (uint32_t u = 0; u < s->n; u++) {
        const void *elems;

        if (is_seed(sp, u))
            continue;
        elems = interleave(sp, rows + u * symbols, n, err);
        if (!elems)
            return -1;
        if (sp->buffered)
            memcpy(sp->buffered + u * share_bytes + sp->at * symbols * sp->size, elems,
                   n * symbols * sp->size);
        else if (writer_elems(sp->writers[u], elems, n * symbols, err))
            return -1;
    }
    sp->at += n;
    sp->unsynced += n * symbols * sp->size;
    if (!sp->buffered && sp->unsynced >= DISK_HINT_BYTES) {
        outfiles_start_sync(sp->out);
        sp->unsynced = 0;
    }
    progress_add(sp->job->progress, s->n * n * symbols * sp->size);
    return 0;
}

static uint64_t share_elems(const struct spreader *sp)
{
    return (uint64_t)sp->job->n_blocks * sp->part_length * sp->job->sharing->shape.symbols;
}

static uint32_t holder_of(const struct spread_job *job, uint32_t u)
{
    return job->holders ? job->holders[u] : job->route[0].numbers[u];
}

static int begin(const struct spreader *sp, uint32_t u, struct hagg_err *err)
{
    const struct sharing *s = sp->job->sharing;
    struct header h = *sp->job->header;

    h.seed = is_seed(sp, u);
    h.route = sp->job->route;
    h.n_route = sp->job->n_route;
    memcpy(h.to.tier, sp->job->route[0].name, sizeof h.to.tier);
    h.to.number = holder_of(sp->job, u);
    if (sp->job->schemes) {
        h.scheme = sp->job->schemes[u];
    } else if (sp->job->carried) {
        h.scheme = *sp->job->carried;
        h.has_carrier = true;
        h.carrier = u;
    } else {
        h.scheme = (struct header_scheme){ .n = s->n, .k = s->k, .z = s->z, .index = u };
        snprintf(h.scheme.name, sizeof h.scheme.name, "%s", sp->job->scheme);
        h.scheme.has_point = s->points != NULL;
        h.scheme.point = s->points ? hagg_load(s->points, u, sp->size) : 0;
    }
    return h.seed ? writer_begin(sp->writers[u], &h, 1, EXPAND_SEED_BYTES, err)
                  : writer_begin(sp->writers[u], &h, sp->size, share_elems(sp), err);
}

/* Draws the seeds. */
static int draw_seeds(struct spreader *sp, struct random *random, struct hagg_err *err)
{
    uint32_t n = sp->job->sharing->n;

    if (!sp->job->seeds)
        return 0;
    sp->seeds = calloc(n, sizeof *sp->seeds);
    sp->seed_of = calloc(n, sizeof *sp->seed_of);
    if (!sp->seeds || !sp->seed_of)
        return err_errno(err, "no memory for %u shares", n);
    for (uint32_t u = 0; u < n; u++) {
        if (!sp->job->seeds[u])
            continue;
        sp->seed_of[u] = sp->seeds[u];
        if (random_bytes(random, sp->seeds[u], EXPAND_SEED_BYTES, err))
            return -1;
    }
    return 0;
}

/* Writes the records with seeds, which are complete before all others begin. */
static int write_seeds(const struct spreader *sp, struct hagg_err *err)
{
    for (uint32_t u = 0; u < sp->job->sharing->n; u++)
        if (is_seed(sp, u) && (begin(sp, u, err) ||
                               writer_elems(sp->writers[u], sp->seeds[u], EXPAND_SEED_BYTES, err) ||
                               writer_end(sp->writers[u], err)))
            return -1;
    return 0;
}

static int split(struct spreader *sp, struct random *random, struct parallel *pool,
                 struct hagg_err *err)
{
    const struct spread_job *job = sp->job;
    const struct sharing **blocks = calloc(job->n_blocks + 1, sizeof *blocks);
    int status;

    if (!blocks)
        return err_errno(err, "no memory to share a vector");
    for (size_t i = 0; i < job->n_blocks; i++)
        blocks[i] = job->blocks ? &job->blocks[i] : job->sharing;
    status = sharing_split_blocks(blocks, job->n_blocks, job->parts, sp->part_length, sp->seed_of,
                                  random, pool, &sp->sink, err);
    free(blocks);
    return status;
}

/* Writes each share to its own file, all in parallel. */
static int spread_to_files(struct spreader *sp, struct random *random, struct parallel *pool,
                           struct hagg_err *err)
{
    const struct sharing *s = sp->job->sharing;

    uint64_t size = 0;

    for (uint32_t u = 0; u < s->n; u++) {
        if (is_seed(sp, u))
            continue;
        if (begin(sp, u, err))
            return -1;
        size = writer_size(sp->writers[u]);
    }
    outfiles_reserve(sp->out, size);
    if (split(sp, random, pool, err))
        return -1;
    for (uint32_t u = 0; u < s->n; u++)
        if (!is_seed(sp, u) && writer_end(sp->writers[u], err))
            return -1;
    return 0;
}

/* Returns true if the elements of two shares go to the same file, so that one share must be written
 * after the other. */
static bool shares_files(const struct spreader *sp)
{
    if (outfiles_is_single(sp->out))
        return true;
    for (uint32_t u = 0; sp->job->outputs && u < sp->job->sharing->n; u++)
        for (uint32_t w = 0; w < u; w++)
            if (!is_seed(sp, u) && !is_seed(sp, w) && sp->writers[u] == sp->writers[w])
                return true;
    return false;
}

/* Writes one share after the other. */
static int spread_one_by_one(struct spreader *sp, struct random *random, struct parallel *pool,
                             struct hagg_err *err)
{
    const struct sharing *s = sp->job->sharing;
    size_t n_elems = (size_t)share_elems(sp);
    int status;

    sp->buffered = calloc(s->n * n_elems + 1, sp->size);
    if (!sp->buffered)
        return err_errno(err, "no memory for %u shares", s->n);
    status = split(sp, random, pool, err);
    for (uint32_t u = 0; u < s->n && status == 0; u++) {
        if (is_seed(sp, u))
            continue;
        status = begin(sp, u, err);
        if (status == 0)
            status =
                writer_elems(sp->writers[u], sp->buffered + u * n_elems * sp->size, n_elems, err);
        if (status == 0)
            status = writer_end(sp->writers[u], err);
    }
    explicit_bzero(sp->buffered, s->n * n_elems * sp->size);
    free(sp->buffered);
    return status;
}

int spread_shares(const struct spread_job *job, struct random *random, struct parallel *pool,
                  struct outfiles *out, struct hagg_err *err)
{
    const struct sharing *s = job->sharing;
    struct spreader sp = {
        .sink = { receive },
        .job = job,
        .out = out,
        .part_length = (size_t)sharing_part_length(s, job->block_length),
        .size = field_elem_size(s->field),
    };
    int status = -1;

    sp.writers = calloc(s->n, sizeof *sp.writers);
    if (!sp.writers) {
        err_errno(err, "no memory for %u shares", s->n);
        goto out;
    }
    for (uint32_t u = 0; u < s->n; u++) {
        sp.writers[u] =
            outfiles_writer(out, job->outputs ? job->outputs[u] : holder_of(job, u), err);
        if (!sp.writers[u])
            goto out;
    }
    progress_expect(job->progress, s->n * share_elems(&sp) * sp.size);
    if (draw_seeds(&sp, random, err) || write_seeds(&sp, err))
        goto out;
    status = shares_files(&sp) ? spread_one_by_one(&sp, random, pool, err)
                               : spread_to_files(&sp, random, pool, err);
out:
    if (sp.seeds)
        explicit_bzero(sp.seeds, s->n * sizeof *sp.seeds);
    free(sp.seeds);
    free(sp.seed_of);
    free(sp.interleaved);
    free(sp.writers);
    return status;
}
