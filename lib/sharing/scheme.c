#include "sharing/scheme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Size of the struct in the first release, which every plugin has at least. */
#define MIN_OPS_SIZE                                                                               \
    (offsetof(struct hagg_scheme, matrix) + sizeof((struct hagg_scheme *)0)->matrix)

struct scheme *scheme_open(const char *name, struct hagg_err *err)
{
    struct scheme *s = calloc(1, sizeof *s);

    if (!s) {
        err_errno(err, "scheme '%s'", name);
        return NULL;
    }
    if (plugin_open(&s->plugin, "scheme", name, &s->ops, sizeof s->ops, MIN_OPS_SIZE, err)) {
        scheme_free(s);
        return NULL;
    }
    if (!s->ops.shape || !s->ops.matrix) {
        err_set(err, HAGG_E_SYSTEM, "%s: the plugin lacks a required function", s->plugin.path);
        scheme_free(s);
        return NULL;
    }
    return s;
}

void scheme_free(struct scheme *s)
{
    if (!s)
        return;
    plugin_close(&s->plugin);
    free(s);
}

static int refuse(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                  char why[HAGG_WHY_SIZE], struct hagg_err *err)
{
    why[HAGG_WHY_SIZE - 1] = 0;
    return err_set(err, HAGG_E_USAGE, "scheme '%s' with n = %u, k = %u, z = %u: %s", s->ops.name, n,
                   k, z, why);
}

int scheme_shape(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                 struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    char why[HAGG_WHY_SIZE] = "";

    *shape = (struct hagg_scheme_shape){ 0 };
    if (k < 1 || k > n || z >= k || n > LIMIT_HOLDERS) {
        snprintf(why, sizeof why, "n must be at most %u, k from 1 to n, and z below k",
                 LIMIT_HOLDERS);
        return refuse(s, n, k, z, why, err);
    }
    if (s->ops.shape(n, k, z, shape, why))
        return refuse(s, n, k, z, why, err);
    if (shape->parts < 1 || shape->symbols < 1 || shape->parts > LIMIT_HOLDERS ||
        shape->randoms > LIMIT_HOLDERS || shape->symbols > LIMIT_HOLDERS)
        return err_set(err, HAGG_E_SYSTEM, "%s: describes an impossible scheme", s->plugin.path);
    return 0;
}

int scheme_check_size(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                      const struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    char why[HAGG_WHY_SIZE];

    if ((uint64_t)n * shape->symbols * (shape->parts + shape->randoms) <= SCHEME_MAX_ELEMS)
        return 0;
    snprintf(why, sizeof why,
             "its matrix would have more than %u elements: use fewer holders, or a smaller k",
             SCHEME_MAX_ELEMS);
    return refuse(s, n, k, z, why, err);
}

int scheme_default_points(const struct field *f, uint32_t n, void *points, struct hagg_err *err)
{
    unsigned char *to = points;

    if (n >= f->info.order)
        return err_set(err, HAGG_E_USAGE,
                       "field '%s' does not have %u distinct points other than zero", f->spec, n);
    for (uint32_t i = 1; i <= n; i++, to += field_elem_size(f))
        hagg_store(to, 0, field_elem_size(f), i);
    return 0;
}

int scheme_matrix(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z, const struct field *f,
                  const void *points, struct matrix *m, struct hagg_err *err)
{
    struct hagg_scheme_shape shape;
    char why[HAGG_WHY_SIZE] = "";

    *m = (struct matrix){ 0 };
    if (scheme_shape(s, n, k, z, &shape, err))
        return -1;
    if (scheme_check_size(s, n, k, z, &shape, err))
        return -1;
    if (matrix_new(m, f, (size_t)n * shape.symbols, (size_t)shape.parts + shape.randoms, err))
        return -1;
    if (s->ops.matrix(n, k, z, &f->ops, f->ctx, &f->info, shape.uses_points ? points : NULL,
                      m->elems, why)) {
        matrix_free(m);
        return refuse(s, n, k, z, why, err);
    }
    return 0;
}

bool scheme_aligns(const struct scheme *s)
{
    return s->ops.block != NULL;
}

int scheme_block(const struct scheme *s, const struct hagg_scheme_block *block,
                 const struct field *f, struct matrix *m, struct hagg_err *err)
{
    char why[HAGG_WHY_SIZE] = "";

    *m = (struct matrix){ 0 };
    if (!scheme_aligns(s))
        return err_set(err, HAGG_E_USAGE, "scheme '%s' cannot be used with protocol aligned",
                       s->ops.name);
    if ((uint64_t)block->n_holders * ((uint64_t)block->n_parts + block->n_randoms) >
        SCHEME_MAX_ELEMS)
        return err_set(err, HAGG_E_USAGE,
                       "scheme '%s': a matrix would have more than %u elements: use fewer stations",
                       s->ops.name, SCHEME_MAX_ELEMS);
    if (matrix_new(m, f, block->n_holders, (size_t)block->n_parts + block->n_randoms, err))
        return -1;
    if (s->ops.block(block, &f->ops, f->ctx, &f->info, m->elems, why) == 0)
        return 0;
    matrix_free(m);
    why[HAGG_WHY_SIZE - 1] = 0;
    return err_set(err, HAGG_E_USAGE, "scheme '%s': %s", s->ops.name, why);
}

uint64_t scheme_share_length(const struct hagg_scheme_shape *shape, uint64_t length)
{
    uint64_t part = length / shape->parts + (length % shape->parts != 0);

    return part * shape->symbols;
}
