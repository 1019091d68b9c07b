#include <stdlib.h>
#include <string.h>

#include "decode/pattern_job.h"
#include "records/rows.h"
#include "sharing/aligned.h"

/* Bytes of a sum that are read at once: enough to make system calls cheap, unless the sum is so
 * short that the page faults of the buffer cost more than the calls. */
#define MAX_READ_BYTES (64u * 1024)
#define MIN_READ_BYTES (16u * 1024)
#define READS          8u

/* A stretch is a run of segments in which no interval of any sum begins, except at its first
 * segment. All sums have one value for it, so it is decoded with one matrix. */
struct aligned_job {
    struct pattern_job j;       /* must be first: it is cast to the aligned job */
    struct aligned_basis basis; /* without the suspects */
    struct source *sources;     /* by share */
    uint32_t n_segments;
    uint32_t first, end; /* segments of the stretch */
    size_t column, n;    /* columns of the tile */
};

/* The rows of a sum. */
struct source {
    struct aligned_job *a;
    size_t share;
    struct blocks blocks;
    bool begins;   /* True if a row begins with the stretch. */
    uint32_t next; /* segment at which the next row begins */
    struct rows rows;
};

/* Chooses the sums from which the others are predicted. There is nothing to choose if only a part
 * of the sum is wanted. */
static int choose_basis(struct aligned_job *a, const bool *left_out, struct hagg_err *err)
{
    const struct pattern_job *j = &a->j;

    if (j->tools->basis)
        return 0;
    aligned_basis_free(&a->basis);
    return aligned_basis_new(&a->basis, j->field, j->sharing.points, j->sharing.n, j->sharing.k,
                             left_out, err);
}

/* Makes the matrix of the stretch. */
static int make_matrix(const struct aligned_job *a, struct combine *c, struct hagg_err *err)
{
    const struct pattern_tools *tools = a->j.tools;

    if (tools->basis) {
        *c = (struct combine){ .n_parts = a->end - a->first };
        return aligned_factors(&c->matrix, tools->basis, tools->places, a->j.sharing.n, a->first,
                               a->end, err);
    }
    return aligned_combine(c, &a->basis, a->first, a->end, err);
}

/* The same without some sums, which are left out in all further stretches too. */
static int make_combine(struct pattern_job *j, const bool *left_out, struct combine *c,
                        struct hagg_err *err)
{
    struct aligned_job *a = (struct aligned_job *)j;

    return choose_basis(a, left_out, err) ? -1 : make_matrix(a, c, err);
}

static int read_rows(void *source, void *to, size_t n_elems, struct hagg_err *err)
{
    const struct source *s = source;
    struct pattern_job *j = &s->a->j;

    progress_add(j->tools->progress, n_elems * field_elem_size(j->field));
    return stored_read(&j->p->shares[s->share].stored, j->tools->files, j->field, to, n_elems, err);
}

/* Returns true if an interval of the sum is longer than a stretch, because there is a cut of
 * another sum in it. */
static bool spans(const struct aligned_job *a, const struct blocks *b)
{
    for (size_t i = 0; i < a->j.p->n_shares; i++) {
        const struct blocks *other = &a->sources[i].blocks;

        for (size_t k = 0; k < other->n_counts; k++)
            if (other->counts[k] < a->n_segments && !blocks_begins(b, other->counts[k]))
                return true;
    }
    return false;
}

/* Returns the number of segments of the longest stretch. The first one is as long as the smallest
 * part count, and every part count is the distance of cuts. */
static uint32_t longest_stretch(const struct aligned_job *a)
{
    uint32_t least = a->n_segments;

    for (size_t i = 0; i < a->j.p->n_shares; i++)
        for (size_t k = 0; k < a->sources[i].blocks.n_counts; k++)
            if (a->sources[i].blocks.counts[k] < least)
                least = a->sources[i].blocks.counts[k];
    return least;
}

static int open_rows(struct aligned_job *a, struct source *s, struct hagg_err *err)
{
    const struct pattern_job *j = &a->j;
    const struct rows_shape shape = {
        .elem_size = field_elem_size(j->field),
        .row_elems = j->part_length,
        .n_rows = j->part_length > 0 ? j->p->shares[s->share].stored.n_elems / j->part_length : 0,
        .piece_elems = j->tile_elems,
        .keeps = spans(a, &s->blocks),
    };

    uint64_t read_bytes = shape.n_rows * shape.row_elems * shape.elem_size / READS;

    if (read_bytes < MIN_READ_BYTES)
        read_bytes = MIN_READ_BYTES;
    if (read_bytes > MAX_READ_BYTES)
        read_bytes = MAX_READ_BYTES;
    return rows_new(&s->rows, &shape, (size_t)read_bytes, read_rows, s, err);
}

static int set_up_sharing(struct pattern_job *j, struct hagg_err *err)
{
    const struct header *h = &j->p->shares[0].header;
    uint32_t n = (uint32_t)j->p->n_shares;

    j->sharing = (struct sharing){
        .field = j->field,
        .n = n,
        .k = h->scheme.k,
        .z = h->scheme.z,
        .shape = { .parts = 1, .symbols = 1, .uses_points = 1 },
        .points = calloc(n, field_elem_size(j->field)),
    };
    j->is_polynomial = true;
    j->make_combine = make_combine;
    j->suspects = calloc(n, sizeof *j->suspects);
    if (!j->sharing.points || !j->suspects)
        return err_errno(err, "no memory to decode");
    if (pattern_job_points(j, j->sharing.points, err))
        return -1;
    for (uint32_t i = 0; i < n; i++)
        if (j->p->shares[i].header.scheme.point < h->n_segments)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s: its point belongs to a segment, not to a station",
                           filecache_name(j->tools->files, j->p->shares[i].stored.file));
    return 0;
}

static int set_up(struct aligned_job *a, struct hagg_err *err)
{
    struct pattern_job *j = &a->j;
    const struct header *h = &j->p->shares[0].header;
    size_t n = j->p->n_shares, n_out;

    a->n_segments = h->n_segments;
    a->sources = calloc(n, sizeof *a->sources);
    if (!a->sources)
        return err_errno(err, "no memory to decode");
    for (size_t i = 0; i < n; i++) {
        const struct header *own = &j->p->shares[i].header;

        a->sources[i] = (struct source){
            .a = a,
            .share = i,
            .blocks = { own->n_segments, own->blocks, own->n_blocks },
        };
    }
    if (set_up_sharing(j, err) || choose_basis(a, j->suspects, err))
        return -1;
    j->part_length = (size_t)blocks_segment_length(h->n_segments, h->length);
    n_out = longest_stretch(a) + a->basis.checks.rows;
    j->tile_elems = pattern_job_tile(j, n + n_out);
    if (j->tile_elems > j->part_length)
        j->tile_elems = j->part_length > 0 ? j->part_length : 1;
    for (size_t i = 0; i < n; i++)
        if (open_rows(a, &a->sources[i], err))
            return -1;
    return pattern_job_allocate(j, n, n_out, err);
}

static void tear_down(struct aligned_job *a)
{
    for (size_t i = 0; a->sources && i < a->j.p->n_shares; i++)
        rows_free(&a->sources[i].rows);
    free(a->sources);
    aligned_basis_free(&a->basis);
    pattern_job_free(&a->j);
}

/* Finds the tile of a sum, which is read if its row begins with the stretch. */
static void find_piece(void *job, size_t share)
{
    struct aligned_job *a = job;
    struct source *s = &a->sources[share];

    a->j.from[share] = rows_at(&s->rows, s->begins, a->column, a->n, &a->j.errs[share]);
}

static int decode_tile(struct aligned_job *a, const struct pattern_target *target,
                       struct hagg_err *err)
{
    struct pattern_job *j = &a->j;

    parallel_run(j->tools->pool, find_piece, a, j->p->n_shares);
    if (pattern_job_failed(j, err))
        return -1;
    pattern_job_aim(j, target, a->column, a->n);
    pattern_job_combine(j, 0, a->n);
    if (pattern_job_correct(j, a->n, err))
        return -1;
    pattern_job_put(j, target, a->column, a->n);
    return 0;
}

static int decode_stretch(struct aligned_job *a, enum pattern_use use, unsigned char *total,
                          struct hagg_err *err)
{
    struct pattern_job *j = &a->j;
    uint64_t length = j->p->shares[0].header.length, start = (uint64_t)a->first * j->part_length;
    struct pattern_target target = { .total = total, .use = use };

    /* the last segments may be zeros alone */
    if (start < length) {
        target.total += start * field_elem_size(j->field);
        target.length = length - start;
    }
    combine_free(&j->combine);
    if (make_matrix(a, &j->combine, err))
        return -1;
    a->column = 0;
    /* once even for an empty vector, so that digests are verified */
    do {
        size_t left = j->part_length - a->column;

        a->n = left < j->tile_elems ? left : j->tile_elems;
        if (decode_tile(a, &target, err))
            return -1;
        a->column += a->n;
    } while (a->column < j->part_length);
    return 0;
}

/* Finds the sums whose rows begin with the stretch, and its end. */
static void find_end(struct aligned_job *a)
{
    a->end = a->n_segments;
    for (size_t i = 0; i < a->j.p->n_shares; i++) {
        struct source *s = &a->sources[i];

        s->begins = s->next == a->first;
        if (s->begins)
            s->next = blocks_next(&s->blocks, a->first);
        a->end = s->next < a->end ? s->next : a->end;
    }
}

int pattern_decode_aligned(struct pattern *p, const struct pattern_tools *tools,
                           enum pattern_use use, unsigned char *total, struct hagg_err *err)
{
    struct aligned_job a = { .j = { .p = p, .tools = tools, .field = tools->field } };
    int status = set_up(&a, err);

    for (; status == 0 && a.first < a.n_segments; a.first = a.end) {
        find_end(&a);
        status = decode_stretch(&a, use, total, err);
    }
    tear_down(&a);
    return status;
}
