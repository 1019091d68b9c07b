#include "records/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/disk_hint.h"

/* Shares on their way: each to a file of its own, or into memory until its turn comes. */
struct spreader {
    struct sharing_sink sink; /* first, so that the sink is the spreader */
    const struct spread_what *what;
    size_t part_length, size; /* of a block */
    struct writer **writers;  /* by share */
    unsigned char *held;      /* all shares, or NULL when they go to files of their own */
    const struct outfiles *out;
    size_t at;            /* columns taken so far */
    size_t unsynced;      /* bytes of each file since the kernel was asked to write them out */
    unsigned char *mixed; /* symbols of a share, column by column */
    size_t mixed_elems;
};

/* A share's next n columns as its payload has them: column by column, symbol by symbol. */
static const void *mix(struct spreader *sp, void *const *rows, size_t n, struct hagg_err *err)
{
    size_t symbols = sp->what->sharing->shape.symbols, size = sp->size;

    if (symbols == 1)
        return rows[0];
    if (sp->mixed_elems < n * symbols) {
        free(sp->mixed);
        sp->mixed_elems = n * symbols;
        sp->mixed = calloc(sp->mixed_elems, size);
        if (!sp->mixed) {
            err_errno(err, "no memory to share a vector");
            return NULL;
        }
    }
    for (size_t e = 0; e < n * symbols; e++)
        memcpy(sp->mixed + e * size, (const unsigned char *)rows[e % symbols] + e / symbols * size,
               size);
    return sp->mixed;
}

static int take(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err)
{
    struct spreader *sp = (struct spreader *)sink;
    const struct sharing *s = sp->what->sharing;
    size_t symbols = s->shape.symbols;
    size_t share_bytes = sp->what->n_blocks * sp->part_length * symbols * sp->size;

    for (uint32_t u = 0; u < s->n; u++) {
        const void *elems = mix(sp, rows + u * symbols, n, err);

        if (!elems)
            return -1;
        if (sp->held)
            memcpy(sp->held + u * share_bytes + sp->at * symbols * sp->size, elems,
                   n * symbols * sp->size);
        else if (writer_elems(sp->writers[u], elems, n * symbols, err))
            return -1;
    }
    sp->at += n;
    sp->unsynced += n * symbols * sp->size;
    if (!sp->held && sp->unsynced >= DISK_HINT_BYTES) {
        outfiles_start_sync(sp->out);
        sp->unsynced = 0;
    }
    progress_add(sp->what->progress, s->n * n * symbols * sp->size);
    return 0;
}

static uint64_t share_elems(const struct spreader *sp)
{
    return (uint64_t)sp->what->n_blocks * sp->part_length * sp->what->sharing->shape.symbols;
}

/* Begins the record of share u. */
static int begin(struct spreader *sp, uint32_t u, struct hagg_err *err)
{
    const struct sharing *s = sp->what->sharing;
    const struct header_tier *holders = &sp->what->route[0];
    struct header h = *sp->what->header;

    h.route = sp->what->route;
    h.n_route = sp->what->n_route;
    memcpy(h.to.tier, holders->name, sizeof h.to.tier);
    h.to.number = holders->numbers[u];
    if (sp->what->passed_on) {
        h.scheme = *sp->what->passed_on;
        h.has_carrier = true;
        h.carrier = u;
    } else {
        h.scheme = (struct header_scheme){ .n = s->n, .k = s->k, .z = s->z, .index = u };
        snprintf(h.scheme.name, sizeof h.scheme.name, "%s", sp->what->scheme);
        h.scheme.has_point = s->points != NULL;
        h.scheme.point = s->points ? hagg_load(s->points, u, sp->size) : 0;
    }
    return writer_begin(sp->writers[u], &h, sp->size, share_elems(sp), err);
}

/* All blocks, one after the other. */
static int split(struct spreader *sp, struct random *random, struct parallel *pool,
                 struct hagg_err *err)
{
    const struct sharing *s = sp->what->sharing;
    size_t block_bytes = s->shape.parts * sp->part_length * sp->size;

    for (size_t i = 0; i < sp->what->n_blocks; i++)
        if (sharing_split(s, (const unsigned char *)sp->what->parts + i * block_bytes,
                          sp->part_length, random, pool, &sp->sink, err))
            return -1;
    return 0;
}

/* Every share to a file of its own, all at once. */
static int spread_to_files(struct spreader *sp, struct random *random, struct parallel *pool,
                           struct hagg_err *err)
{
    const struct sharing *s = sp->what->sharing;

    for (uint32_t u = 0; u < s->n; u++)
        if (begin(sp, u, err))
            return -1;
    outfiles_reserve(sp->out, writer_size(sp->writers[0]));
    if (split(sp, random, pool, err))
        return -1;
    for (uint32_t u = 0; u < s->n; u++)
        if (writer_end(sp->writers[u], err))
            return -1;
    return 0;
}

/* One share after the other into one file. */
static int spread_in_turn(struct spreader *sp, struct random *random, struct parallel *pool,
                          struct hagg_err *err)
{
    const struct sharing *s = sp->what->sharing;
    size_t n_elems = (size_t)share_elems(sp);
    int status;

    sp->held = calloc(s->n * n_elems + 1, sp->size);
    if (!sp->held)
        return err_errno(err, "no memory for %u shares", s->n);
    status = split(sp, random, pool, err);
    for (uint32_t u = 0; u < s->n && status == 0; u++) {
        status = begin(sp, u, err);
        if (status == 0)
            status = writer_elems(sp->writers[u], sp->held + u * n_elems * sp->size, n_elems, err);
        if (status == 0)
            status = writer_end(sp->writers[u], err);
    }
    explicit_bzero(sp->held, s->n * n_elems * sp->size);
    free(sp->held);
    return status;
}

int spread_shares(const struct spread_what *what, struct random *random, struct parallel *pool,
                  struct outfiles *out, struct hagg_err *err)
{
    const struct sharing *s = what->sharing;
    struct spreader sp = {
        .sink = { take },
        .what = what,
        .out = out,
        .part_length = (size_t)sharing_part_length(s, what->block_length),
        .size = field_elem_size(s->field),
    };
    int status = -1;

    sp.writers = calloc(s->n, sizeof *sp.writers);
    if (!sp.writers) {
        err_errno(err, "no memory for %u shares", s->n);
        goto out;
    }
    for (uint32_t u = 0; u < s->n; u++) {
        sp.writers[u] = outfiles_writer(out, what->route[0].numbers[u], err);
        if (!sp.writers[u])
            goto out;
    }
    progress_expect(what->progress, s->n * share_elems(&sp) * sp.size);
    status = outfiles_is_single(out) ? spread_in_turn(&sp, random, pool, err)
                                     : spread_to_files(&sp, random, pool, err);
out:
    free(sp.mixed);
    free(sp.writers);
    return status;
}
