#include "protocol/protocol_masks.h"

#include <stdlib.h>

#include "protocol/protocol_state.h"

/* The masks are computed once, even if the protocol is const: protocol_each needs their number of
 * draws. */
const struct masks *protocol_masks(const struct protocol *p, struct hagg_err *err)
{
    const struct plan_aligned *a = p->plan->aligned;
    struct protocol_aligned *c = p->aligned;

    if (!c->has_masks && masks_new(&c->masks, &a->sharing, a->blocks, a->bare, err))
        return NULL;
    c->has_masks = true;
    return &c->masks;
}

/* Finds the value of the holder that is fixed, drawn or computed in a step: its last one. */
static size_t value_of(const struct protocol *p, uint32_t holder, uint32_t segment)
{
    return p->aligned->first_value[holder] +
           blocks_before(&p->plan->aligned->blocks[holder], segment + 1) - 1;
}

/* Writes every value of a mask as a combination of its draws, step by step. */
static int expand(const struct protocol *p, struct masks *masks, struct hagg_err *err)
{
    struct matrix *factors = &p->aligned->factors;
    size_t row_bytes = factors->cols * factors->elem_size, draw = 0;

    for (size_t i = 0; i < masks->n_steps; i++) {
        const struct masks_step *step = &masks->steps[i];

        if (masks_fill(masks, i, err))
            return -1;
        for (uint32_t j = 0; j < step->n_drawn; j++)
            hagg_store(matrix_at(factors, value_of(p, step->drawn[j], step->first), draw++), 0,
                       factors->elem_size, 1);
        for (uint32_t j = 0; j < step->n_computed; j++) {
            unsigned char *row = matrix_at(factors, value_of(p, step->computed[j], step->first), 0);

            for (uint32_t k = 0; k < step->n_from && row_bytes > 0; k++)
                field_scale_add(p->plan->field, row, matrix_at(&step->matrix, j, k),
                                matrix_at(factors, value_of(p, step->from[k], step->first), 0),
                                factors->cols);
        }
    }
    return 0;
}

int protocol_masks_expand(struct protocol *p, struct hagg_err *err)
{
    const struct plan_aligned *a = p->plan->aligned;
    struct protocol_aligned *c = p->aligned;

    if (c->has_factors)
        return 0;
    if (!protocol_masks(p, err))
        return -1;
    if (!c->first_value)
        c->first_value = calloc(a->sharing.n + (size_t)1, sizeof *c->first_value);
    if (!c->first_value)
        return err_errno(err, "%s", p->plan->name);
    for (uint32_t i = 0; i < a->sharing.n; i++)
        c->first_value[i + 1] = c->first_value[i] + a->n_rows[i];
    matrix_free(&c->factors);
    if (matrix_new(&c->factors, p->plan->field, c->first_value[a->sharing.n], c->masks.n_draws,
                   err) ||
        expand(p, &c->masks, err))
        return -1;
    c->has_factors = true;
    return 0;
}
