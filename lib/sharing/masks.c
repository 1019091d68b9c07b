#include "sharing/masks.h"

#include <stdlib.h>
#include <string.h>

struct sampler {
    const struct aligned *a;
    const struct blocks *blocks;
    const bool *bare;
    uint32_t *order; /* holders: those with the most intervals first, of several the last */
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

static bool begins(const struct sampler *s, uint32_t holder, uint32_t segment)
{
    return !s->bare[holder] && blocks_begins(&s->blocks[holder], segment);
}

/* Chooses which values are drawn and which are computed. Values are computed for as few holders as
 * possible, because the mask of a holder all of whose values are drawn can be sent as a seed. */
static int choose(const struct sampler *s, struct masks *m, struct masks_step *step, uint32_t end,
                  struct hagg_err *err)
{
    const struct aligned *a = s->a;
    uint32_t n_free = end - step->first < a->k ? a->k - (end - step->first) : 0;
    uint32_t n_computed = a->n - n_free, n_left = n_computed;
    bool *computed = calloc(a->n + (size_t)1, sizeof *computed);

    if (!computed)
        return err_errno(err, "no memory for masks");
    for (uint32_t i = 0; i < a->n && n_left > 0; i++) {
        uint32_t holder = s->order[i];

        if (begins(s, holder, step->first)) {
            computed[holder] = true;
            m->all_drawn[holder] = false;
            n_left--;
        }
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (computed[i])
            step->computed[step->n_computed++] = i;
        else if (begins(s, i, step->first))
            step->drawn[step->n_drawn++] = i;
        if (!computed[i])
            step->from[step->n_from++] = i;
    }
    free(computed);
    if (n_left > 0)
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
    if (choose(s, m, step, end, err))
        return -1;
    m->n_draws += step->n_drawn;
    return 0;
}

static int compare_holders(const void *x, const void *y, void *rows)
{
    const uint32_t *n_rows = rows, a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    if (n_rows[a] != n_rows[b])
        return n_rows[a] > n_rows[b] ? -1 : 1;
    return a > b ? -1 : 1;
}

static int set_order(struct sampler *s, struct hagg_err *err)
{
    uint32_t n = s->a->n, *n_rows = calloc(n + (size_t)1, sizeof *n_rows);

    s->order = calloc(n + (size_t)1, sizeof *s->order);
    if (!n_rows || !s->order) {
        free(n_rows);
        return err_errno(err, "no memory for masks");
    }
    for (uint32_t i = 0; i < n; i++) {
        s->order[i] = i;
        n_rows[i] = blocks_before(&s->blocks[i], s->a->n_segments);
    }
    qsort_r(s->order, n, sizeof *s->order, compare_holders, n_rows);
    free(n_rows);
    return 0;
}

int masks_new(struct masks *m, const struct aligned *a, const struct blocks *blocks,
              const bool *bare, struct hagg_err *err)
{
    struct sampler s = { .a = a, .blocks = blocks, .bare = bare };
    int status = set_order(&s, err);

    *m = (struct masks){ .a = a, .all_drawn = calloc(a->n + (size_t)1, sizeof *m->all_drawn) };
    if (!m->all_drawn && status == 0)
        status = err_errno(err, "no memory for masks");
    for (uint32_t i = 0; i < a->n && status == 0; i++)
        m->all_drawn[i] = !bare[i];
    for (uint32_t first = 0; first < a->n_segments && status == 0;) {
        uint32_t end = next_cut(&s, first);

        status = add_step(m, &s, first, end, err);
        first = end;
    }
    free(s.order);
    if (status)
        masks_free(m);
    return status;
}

/* The values of a step, divided by those of vanish, are those of a polynomial. So are its factors:
 * those of lagrange, with weights divided in the same way, times the value of vanish. scratch has
 * room for twice n_from elements. */
static void fill(const struct aligned *a, struct masks_step *step, uint32_t end, struct lagrange *l,
                 unsigned char *scratch)
{
    const struct field *f = a->field;
    size_t size = field_elem_size(f);
    unsigned char *inverses = scratch, *row = scratch + (step->n_from + (size_t)1) * size, scale[8];

    for (uint32_t j = 0; j < step->n_from; j++)
        vanish(a, step->from[j], step->first, end, inverses + j * size);
    /* none is zero: the points of holders and segments differ */
    field_inv_all(f, inverses, step->n_from, row);
    for (uint32_t j = 0; j < step->n_from; j++)
        field_mul(f, l->weights + j * size, l->weights + j * size, inverses + j * size);
    for (uint32_t i = 0; i < step->n_computed; i++) {
        lagrange_row(l, a->points + step->computed[i] * size, row);
        vanish(a, step->computed[i], step->first, end, scale);
        field_scale_add(f, matrix_at(&step->matrix, i, 0), scale, row, step->n_from);
    }
}

int masks_fill(struct masks *m, size_t number, struct hagg_err *err)
{
    const struct aligned *a = m->a;
    struct masks_step *step = &m->steps[number];
    uint32_t end = number + 1 < m->n_steps ? step[1].first : a->n_segments;
    unsigned char *scratch;
    struct lagrange l = { 0 };
    int status = -1;

    if (step->matrix.elems)
        return 0;
    if (!m->whole.points && lagrange_new(&m->whole, a->field, a->points, a->n, err))
        return -1;
    scratch = calloc(2 * (step->n_from + (size_t)1), field_elem_size(a->field));
    if (!scratch)
        return err_errno(err, "no memory for masks");
    /* choose has seen to it that a value is computed from all that are not computed */
    if (lagrange_without(&l, &m->whole, step->computed, step->n_computed, err) == 0 &&
        matrix_new(&step->matrix, a->field, step->n_computed, step->n_from, err) == 0) {
        fill(a, step, end, &l, scratch);
        status = 0;
    }
    lagrange_free(&l);
    free(scratch);
    return status;
}

void masks_free(struct masks *m)
{
    for (size_t i = 0; i < m->n_steps; i++) {
        free(m->steps[i].drawn);
        matrix_free(&m->steps[i].matrix);
    }
    lagrange_free(&m->whole);
    free(m->steps);
    free(m->all_drawn);
    *m = (struct masks){ 0 };
}
