/* Keeps a pointer into its context. */
#include "broken-field.h"

struct context {
    uint64_t zero;
    const uint64_t *pointer;
};

static int init_pointing(void *ctx, const struct hagg_param *params, size_t n_params,
                         struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    struct context *c = ctx;

    c->zero = 0;
    c->pointer = &c->zero;
    return sound_init(ctx, params, n_params, info, why);
}

static void add_through_pointer(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    const struct context *c = ctx;

    sound_add(ctx, out, a, b, n);
    for (size_t i = 0; i < n; i++)
        put(out, i, (get(out, i) + *c->pointer) % P);
}

BROKEN_FIELD("broken-context", .ctx_size = sizeof(struct context), .init = init_pointing,
             .add = add_through_pointer);
