/* The sharings of a round: their shapes, matrices and inverses, each computed on first use. */
#include <stdlib.h>
#include <string.h>

#include "protocol/protocol_state.h"

const struct protocol_sharing *protocol_shape(const struct protocol *p, size_t tier, size_t n,
                                              struct hagg_err *err)
{
    struct protocol_sharing *s = &p->sharings[tier][n];

    if (!s->has_shape &&
        plan_prefixes(p->plan, tier, (uint32_t)n, &s->k, &s->z, &s->shape, &s->prefixes, err))
        return NULL;
    s->has_shape = true;
    return s;
}

const struct sharing *protocol_sharing(struct protocol *p, size_t tier, size_t n,
                                       struct hagg_err *err)
{
    struct protocol_sharing *s = &p->sharings[tier][n];

    if (!s->has_matrix && plan_sharing(p->plan, tier, (uint32_t)n, NULL, &s->sharing, err))
        return NULL;
    s->has_matrix = true;
    return &s->sharing;
}

static int set_inverse(const struct protocol *p, size_t n, struct protocol_sharing *s,
                       struct hagg_err *err)
{
    struct sharing_part part = {
        .n = (uint32_t)n,
        .k = s->k,
        .z = s->z,
        .prefix = s->inverse_prefix,
        .holders = s->inverse_of,
        .n_holders = s->inverse_prefix->holders,
    };
    struct sharing sharing;
    int status = sharing_new_part(&sharing, p->plan->field, p->plan->scheme, &part, err);

    if (status == 0) {
        status = sharing_inverse(&sharing, NULL, &s->inverse, err);
        sharing_free(&sharing);
    }
    return status;
}

const struct matrix *protocol_inverse(struct protocol *p, size_t n, const uint32_t *sources,
                                      const struct hagg_scheme_prefix *prefix, struct hagg_err *err)
{
    struct protocol_sharing *s = &p->sharings[0][n];
    size_t size = prefix->holders * sizeof *sources;

    if (s->inverse_of && s->inverse_prefix == prefix && memcmp(s->inverse_of, sources, size) == 0)
        return &s->inverse;
    free(s->inverse_of);
    matrix_free(&s->inverse);
    s->inverse_of = malloc(size);
    if (!s->inverse_of) {
        err_errno(err, "%s", p->plan->name);
        return NULL;
    }
    memcpy(s->inverse_of, sources, size);
    s->inverse_prefix = prefix;
    if (set_inverse(p, n, s, err) == 0)
        return &s->inverse;
    free(s->inverse_of);
    s->inverse_of = NULL;
    return NULL;
}
