#include <stdlib.h>
#include <string.h>

#include "decode/pattern_job.h"
#include "sharing/aligned.h"

static struct blocks blocks_of(const struct pattern_job *j, size_t share)
{
    const struct header *h = &j->p->shares[share].header;

    return (struct blocks){ h->n_segments, h->blocks, h->n_blocks };
}

static int make_combine(const struct pattern_job *j, const bool *left_out, struct combine *c,
                        struct hagg_err *err)
{
    if (j->tools->basis) {
        *c = (struct combine){ .n_parts = j->end - j->first };
        return aligned_factors(&c->matrix, j->tools->basis, j->tools->places, j->sharing.n,
                               j->first, j->end, err);
    }
    return aligned_combine(c, j->field, j->sharing.points, j->sharing.n, j->sharing.k, j->first,
                           j->end, left_out, err);
}

/* Returns the first segment after this one at which an interval of any sum begins. */
static uint32_t next_cut(const struct pattern_job *j, uint32_t segment)
{
    uint32_t next = j->p->shares[0].header.n_segments;

    for (size_t i = 0; i < j->p->n_shares; i++) {
        struct blocks b = blocks_of(j, i);
        uint32_t own = blocks_next(&b, segment);

        next = own < next ? own : next;
    }
    return next;
}

/* Returns the number of segments of the longest stretch without a cut. */
static uint32_t longest_stretch(const struct pattern_job *j)
{
    uint32_t longest = 0, n_segments = j->p->shares[0].header.n_segments;

    for (uint32_t first = 0, end; first < n_segments; first = end) {
        end = next_cut(j, first);
        longest = end - first > longest ? end - first : longest;
    }
    return longest;
}

static int set_up(struct pattern_job *j, struct hagg_err *err)
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
            return err_set(err, HAGG_E_MALFORMED, "%s: its point is that of a segment",
                           filecache_name(j->tools->files, j->p->shares[i].stored.file));
    j->part_length = j->tile_elems = (size_t)blocks_segment_length(h->n_segments, h->length);
    return pattern_job_allocate(j, n, longest_stretch(j) + n, err);
}

/* Reads the next row of every sum whose interval begins with this segment. */
struct reading {
    struct pattern_job *j;
    uint32_t segment;
};

static void read_row(void *reading, size_t share)
{
    const struct reading *r = reading;
    struct pattern_job *j = r->j;
    struct blocks b = blocks_of(j, share);
    bool begins = false;

    for (size_t i = 0; i < b.n_counts; i++)
        begins = begins || r->segment % b.counts[i] == 0;
    if (begins)
        stored_read(&j->p->shares[share].stored, j->tools->files, j->field,
                    j->in + share * j->tile_elems * field_elem_size(j->field), j->tile_elems,
                    &j->errs[share]);
}

static int decode_stretch(struct pattern_job *j, bool subtract, unsigned char *total,
                          struct hagg_err *err)
{
    uint64_t length = j->p->shares[0].header.length, start = (uint64_t)j->first * j->part_length;
    struct reading reading = { j, j->first };

    parallel_run(j->tools->pool, read_row, &reading, j->p->n_shares);
    for (size_t i = 0; i < j->p->n_shares; i++)
        if (j->errs[i].status) {
            *err = j->errs[i];
            return -1;
        }
    combine_free(&j->combine);
    if (j->make_combine(j, j->suspects, &j->combine, err))
        return -1;
    pattern_job_combine(j, 0, j->tile_elems);
    if (pattern_job_correct(j, j->tile_elems, err))
        return -1;
    /* the last segments may be zeros alone */
    if (start < length)
        pattern_job_add(j, total + start * field_elem_size(j->field), length - start, 0,
                        j->tile_elems, subtract);
    return 0;
}

int pattern_decode_aligned(struct pattern *p, const struct pattern_tools *tools, bool subtract,
                           unsigned char *total, struct hagg_err *err)
{
    struct pattern_job j = { .p = p, .tools = tools, .field = tools->field };
    int status = set_up(&j, err);

    for (; status == 0 && j.first < p->shares[0].header.n_segments; j.first = j.end) {
        j.end = next_cut(&j, j.first);
        status = decode_stretch(&j, subtract, total, err);
    }
    pattern_job_free(&j);
    return status;
}
