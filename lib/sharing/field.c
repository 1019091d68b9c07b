#include "sharing/field.h"

#include <stdlib.h>
#include <string.h>

#include "spec.h"

/* Small enough for the output to stay in the second-level cache. */
#define BLOCK_BYTES 65536

/* Size of the struct in the first release, which every plugin has at least. */
#define MIN_OPS_SIZE                                                                               \
    (offsetof(struct hagg_field, mat_apply) + sizeof((struct hagg_field *)0)->mat_apply)

static int check_plugin(const struct field *f, struct hagg_err *err)
{
    const struct hagg_field *o = &f->ops;

    if (!o->init || !o->add || !o->sub || !o->scale_add || !o->inv || !o->check || !o->sample ||
        !o->from_int || !o->to_int)
        return err_set(err, HAGG_E_SYSTEM, "%s: the plugin lacks a required function",
                       f->plugin.path);
    return 0;
}

static int check_info(const struct field *f, struct hagg_err *err)
{
    const struct hagg_field_info *i = &f->info;
    bool wide = i->elem_size == 8;

    if ((i->elem_size != 1 && i->elem_size != 2 && i->elem_size != 4 && !wide) || i->order < 2 ||
        (!wide && (i->order - 1) >> (8 * i->elem_size)) || i->characteristic < 2 ||
        i->characteristic > i->order || i->int_min > 0 || i->int_max < 1)
        return err_set(err, HAGG_E_SYSTEM, "%s: describes an impossible field", f->plugin.path);
    return 0;
}

static int init(struct field *f, const struct spec *spec, struct hagg_err *err)
{
    struct hagg_param params[SPEC_MAX_PARAMS];
    char why[HAGG_WHY_SIZE] = "";

    for (size_t i = 0; i < spec->n_params; i++)
        params[i] = (struct hagg_param){ spec->params[i].key, spec->params[i].value };
    /* aligned_alloc needs a multiple of 16, and an empty context still needs an address */
    f->ctx = aligned_alloc(16, (f->ops.ctx_size / 16 + 1) * 16);
    if (!f->ctx)
        return err_errno(err, "field '%s'", f->spec);
    if (f->ops.init(f->ctx, params, spec->n_params, &f->info, why)) {
        why[sizeof why - 1] = 0;
        return err_set(err, HAGG_E_USAGE, "field '%s': %s", f->spec, why);
    }
    return check_info(f, err);
}

struct field *field_open(const char *text, struct hagg_err *err)
{
    struct spec spec;
    struct field *f;

    if (strcmp(text, "auto") == 0) { /* a word of topologies, which plans replace */
        err_set(err, HAGG_E_USAGE, "field 'auto' is for topologies: name a field, such as m31");
        return NULL;
    }
    if (spec_parse(&spec, "field", text, err))
        return NULL;
    f = calloc(1, sizeof *f);
    if (!f) {
        err_errno(err, "field '%s'", text);
        return NULL;
    }
    strcpy(f->spec, text); /* spec_parse has checked the length */
    if (plugin_open(&f->plugin, "field", spec.name, &f->ops, sizeof f->ops, MIN_OPS_SIZE, err) ||
        check_plugin(f, err) || init(f, &spec, err)) {
        field_free(f);
        return NULL;
    }
    return f;
}

void field_free(struct field *f)
{
    if (!f)
        return;
    if (f->ctx)
        explicit_bzero(f->ctx, f->ops.ctx_size);
    free(f->ctx);
    plugin_close(&f->plugin);
    free(f);
}

/* For a plugin without mat_apply. Works on a tile of the output at a time, which stays in cache
 * while all inputs are added to it. */
static void compose_mat_apply(const struct field *f, void *const *out, size_t n_out,
                              const void *const *in, size_t n_in, const unsigned char *matrix,
                              size_t n)
{
    size_t size = f->info.elem_size, tile = BLOCK_BYTES / size;

    for (size_t at = 0; at < n; at += tile) {
        size_t now = n - at < tile ? n - at : tile;

        for (size_t r = 0; r < n_out; r++) {
            unsigned char *to = (unsigned char *)out[r] + at * size;

            memset(to, 0, now * size);
            for (size_t c = 0; c < n_in; c++)
                f->ops.scale_add(f->ctx, to, matrix + (r * n_in + c) * size,
                                 (const unsigned char *)in[c] + at * size, now);
        }
    }
}

void field_mat_apply(const struct field *f, void *const *out, size_t n_out, const void *const *in,
                     size_t n_in, const void *matrix, size_t n)
{
    if (f->ops.mat_apply)
        f->ops.mat_apply(f->ctx, out, n_out, in, n_in, matrix, n);
    else
        compose_mat_apply(f, out, n_out, in, n_in, matrix, n);
}

size_t field_add_checked(const struct field *f, void *out, const void *a, const void *b, size_t n)
{
    size_t good;

    if (f->ops.add_checked)
        return f->ops.add_checked(f->ctx, out, a, b, n);
    good = f->ops.check(f->ctx, b, n);
    if (good == n)
        f->ops.add(f->ctx, out, a, b, n);
    return good;
}

void field_mul(const struct field *f, void *out, const void *a, const void *b)
{
    unsigned char product[8] = { 0 };

    f->ops.scale_add(f->ctx, product, a, b, 1);
    memcpy(out, product, f->info.elem_size);
}

/* From the inverse of the product of all elements, the factors are divided out from the last to the
 * first. */
int field_inv_all(const struct field *f, void *elems, size_t n, void *scratch)
{
    size_t size = f->info.elem_size;
    unsigned char *at = elems, *before = scratch, product[8] = { 0 };

    hagg_store(product, 0, size, 1);
    for (size_t i = 0; i < n; i++) {
        memcpy(before + i * size, product, size);
        field_mul(f, product, product, at + i * size);
    }
    if (field_inv(f, product, product))
        return -1;
    for (size_t i = n; i-- > 0;) {
        unsigned char *elem = at + i * size;

        field_mul(f, before + i * size, before + i * size, product);
        field_mul(f, product, product, elem);
        memcpy(elem, before + i * size, size);
    }
    return 0;
}
