#include "sharing/masks.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/lagrange.h"

struct sampler {
    const struct aligned *a;
    const struct blocks *blocks;
    const bool *bare;
};

/* Returns the first segment after this one at which an interval of any holder begins. */
static uint32_t next_cut(const struct sampler *s, uint32_t segment)
{
    uint32_t next = s->a->n_segments;

    for (uint32_t i = 0; i < s->a->n; i++) {
        uint32_t own = blocks_next(&s->blocks[i], segment);

        next = own < next ? own : next;
    }
    return next;
}

static bool begins(const struct blocks *b, uint32_t segment)
{
    for (size_t i = 0; i < b->n_counts; i++)
        if (segment % b->counts[i] == 0)
            return true;
    return false;
}

/* Sets out to the product of the differences between the point of the holder and those of the
 * segments. Values divided by it are those of a polynomial of degree below k - (end - first). */
static void vanish(const struct aligned *a, uint32_t holder, uint32_t first, uint32_t end,
                   unsigned char *out)
{
    const struct field *f = a->field;
    size_t size = field_elem_size(f);
    unsigned char x[8] = { 0 };

    memset(out, 0, size);
    hagg_store(out, 0, size, 1);
    for (uint32_t segment = first; segment < end; segment++) {
        hagg_store(x, 0, size, segment);
        field_sub(f, x, a->points + holder * size, x, 1);
        field_mul(f, out, out, x);
    }
}

/* Chooses which values are drawn and which are computed. */
static int choose(const struct sampler *s, struct masks_step *step, uint32_t end,
                  struct hagg_err *err)
{
    const struct aligned *a = s->a;
    uint32_t n_free = end - step->first < a->k ? a->k - (end - step->first) : 0, n_fixed = 0;

    for (uint32_t i = 0; i < a->n; i++)
        n_fixed += s->bare[i] || !begins(&s->blocks[i], step->first);
    for (uint32_t i = 0; i < a->n; i++) {
        bool fixed = s->bare[i] || !begins(&s->blocks[i], step->first);

        if (!fixed && n_fixed + step->n_drawn < n_free)
            step->drawn[step->n_drawn++] = i;
        else if (!fixed) {
            step->computed[step->n_computed++] = i;
            continue;
        }
        if (step->n_from < n_free)
            step->from[step->n_from++] = i;
    }
    if (n_fixed > n_free || step->n_from < n_free)
        return err_set(err, HAGG_E_MISMATCH,
                       "there are no masks for segment %u: too few intervals begin there",
                       step->first + 1);
    return 0;
}

static int add_step(struct masks *m, const struct sampler *s, uint32_t first, uint32_t end,
                    struct hagg_err *err)
{
    struct masks_step *steps = reallocarray(m->steps, m->n_steps + 1, sizeof *steps), *step;

    if (!steps)
        return err_errno(err, "no memory for masks");
    m->steps = steps;
    step = &steps[m->n_steps++];
    *step = (struct masks_step){
        .first = first,
        .drawn = calloc(3 * ((size_t)m->a->n + 1), sizeof *step->drawn),
    };
    if (!step->drawn)
        return err_errno(err, "no memory for masks");
    step->computed = step->drawn + m->a->n + 1;
    step->from = step->computed + m->a->n + 1;
    if (choose(s, step, end, err))
        return -1;
    m->n_draws += step->n_drawn;
    return 0;
}

int masks_new(struct masks *m, const struct aligned *a, const struct blocks *blocks,
              const bool *bare, struct hagg_err *err)
{
    const struct sampler s = { a, blocks, bare };
    int status = 0;

    *m = (struct masks){ .a = a };
    for (uint32_t first = 0; first < a->n_segments && status == 0;) {
        uint32_t end = next_cut(&s, first);

        status = add_step(m, &s, first, end, err);
        first = end;
    }
    if (status)
        masks_free(m);
    return status;
}

/* inverses and row are scratch: room for n_from elements each. */
static void fill(const struct aligned *a, struct masks_step *step, uint32_t end,
                 const struct lagrange *l, unsigned char *inverses, unsigned char *row)
{
    const struct field *f = a->field;
    size_t size = field_elem_size(f);
    unsigned char scale[8];

    for (uint32_t j = 0; j < step->n_from; j++) {
        /* not zero: the points of holders and segments differ */
        vanish(a, step->from[j], step->first, end, scale);
        field_inv(f, inverses + j * size, scale);
    }
    for (uint32_t i = 0; i < step->n_computed; i++) {
        lagrange_row(l, a->points + step->computed[i] * size, row);
        vanish(a, step->computed[i], step->first, end, scale);
        for (uint32_t j = 0; j < step->n_from; j++) {
            unsigned char *to = matrix_at(&step->matrix, i, j);

            field_mul(f, to, inverses + j * size, scale);
            field_mul(f, to, to, row + j * size);
        }
    }
}

int masks_fill(struct masks *m, size_t number, struct hagg_err *err)
{
    const struct aligned *a = m->a;
    struct masks_step *step = &m->steps[number];
    size_t size = field_elem_size(a->field);
    uint32_t end = number + 1 < m->n_steps ? step[1].first : a->n_segments;
    unsigned char *points, *scratch;
    struct lagrange l = { 0 };
    int status = -1;

    if (step->matrix.elems)
        return 0;
    points = calloc(step->n_from + (size_t)1, size);
    scratch = calloc(2 * (step->n_from + (size_t)1), size);
    for (uint32_t i = 0; points && i < step->n_from; i++)
        memcpy(points + i * size, a->points + step->from[i] * size, size);
    if (!points || !scratch)
        err_errno(err, "no memory for masks");
    else if (lagrange_new(&l, a->field, points, step->n_from, err) == 0 &&
             matrix_new(&step->matrix, a->field, step->n_computed, step->n_from, err) == 0) {
        fill(a, step, end, &l, scratch, scratch + (step->n_from + (size_t)1) * size);
        status = 0;
    }
    lagrange_free(&l);
    free(points);
    free(scratch);
    return status;
}

void masks_free(struct masks *m)
{
    for (size_t i = 0; i < m->n_steps; i++) {
        free(m->steps[i].drawn);
        matrix_free(&m->steps[i].matrix);
    }
    free(m->steps);
    *m = (struct masks){ 0 };
}
