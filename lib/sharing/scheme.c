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
    if (spec_parse(&s->spec, "scheme", name, err) ||
        plugin_open(&s->plugin, "scheme", s->spec.name, &s->ops, sizeof s->ops, MIN_OPS_SIZE,
                    err)) {
        scheme_free(s);
        return NULL;
    }
    strcpy(s->name, name); /* spec_parse has checked the length */
    if (!s->ops.shape || !s->ops.matrix || !s->ops.shape_with != !s->ops.matrix_with) {
        err_set(err, HAGG_E_SYSTEM, "%s: the plugin lacks a required function", s->plugin.path);
        scheme_free(s);
        return NULL;
    }
    if (!s->ops.shape_with && s->spec.n_params > 0) {
        err_set(err, HAGG_E_USAGE, "scheme '%s': it has no parameters", name);
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
    return err_set(err, HAGG_E_USAGE, "scheme '%s' with n = %u, k = %u, z = %u: %s", s->name, n, k,
                   z, why);
}

static size_t params_of(const struct scheme *s, struct hagg_param params[SPEC_MAX_PARAMS])
{
    for (size_t i = 0; i < s->spec.n_params; i++)
        params[i] = (struct hagg_param){ s->spec.params[i].key, s->spec.params[i].value };
    return s->spec.n_params;
}

/* Prefixes ascend, and their numbers belong together. */
static bool are_possible(const struct scheme_prefixes *p, uint32_t n,
                         const struct hagg_scheme_shape *shape)
{
    if (p->n > HAGG_SCHEME_PREFIXES)
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct hagg_scheme_prefix *this = &p->all[i], *next = this + 1;
        uint64_t n_values = (uint64_t)this->holders * this->symbols;

        if (this->symbols < 1 || this->holders > n || this->symbols >= next->symbols ||
            this->holders <= next->holders || n_values < shape->parts ||
            n_values - shape->parts > shape->randoms)
            return false;
    }
    return true;
}

int scheme_prefixes(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                    struct hagg_scheme_shape *out, struct scheme_prefixes *prefixes,
                    struct hagg_err *err)
{
    struct hagg_scheme_shape own, *shape = out ? out : &own;
    struct hagg_param params[SPEC_MAX_PARAMS];
    char why[HAGG_WHY_SIZE] = "";
    int refused;

    *shape = (struct hagg_scheme_shape){ 0 };
    *prefixes = (struct scheme_prefixes){ 0 };
    if (k < 1 || k > n || z >= k || n > LIMIT_HOLDERS) {
        snprintf(why, sizeof why, "n must be at most %u, k from 1 to n, and z below k",
                 LIMIT_HOLDERS);
        return refuse(s, n, k, z, why, err);
    }
    refused = s->ops.shape_with ? s->ops.shape_with(params, params_of(s, params), n, k, z, shape,
                                                    prefixes->all, &prefixes->n, why)
                                : s->ops.shape(n, k, z, shape, why);
    if (refused)
        return refuse(s, n, k, z, why, err);
    if (prefixes->n <= HAGG_SCHEME_PREFIXES)
        prefixes->all[prefixes->n] = (struct hagg_scheme_prefix){ k, shape->symbols };
    if (shape->parts < 1 || shape->symbols < 1 || shape->parts > LIMIT_HOLDERS ||
        shape->randoms > LIMIT_HOLDERS || shape->symbols > LIMIT_HOLDERS ||
        !are_possible(prefixes, n, shape))
        return err_set(err, HAGG_E_SYSTEM, "%s: describes an impossible scheme", s->plugin.path);
    prefixes->n++;
    return 0;
}

int scheme_shape(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                 struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    struct scheme_prefixes prefixes;

    return scheme_prefixes(s, n, k, z, shape, &prefixes, err);
}

const struct hagg_scheme_prefix *scheme_prefix_for(const struct scheme_prefixes *p,
                                                   uint32_t n_holders)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->all[i].holders <= n_holders)
            return &p->all[i];
    return NULL;
}

const struct hagg_scheme_prefix *scheme_prefix_of(const struct scheme_prefixes *p,
                                                  uint32_t n_symbols)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->all[i].symbols == n_symbols)
            return &p->all[i];
    return NULL;
}

int scheme_check_size(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                      const struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    uint64_t n_cols = (uint64_t)shape->parts + shape->randoms;
    char why[HAGG_WHY_SIZE];

    if (n * (shape->symbols * n_cols) > SCHEME_MAX_ELEMS)
        snprintf(why, sizeof why,
                 "its matrix would have more than %u elements: use fewer holders, or a smaller k",
                 SCHEME_MAX_ELEMS);
    /* a column of a symbol has entries in the rows of k holders */
    else if (shape->symbols > 1 && n_cols * n_cols * k > SCHEME_MAX_STEPS)
        snprintf(why, sizeof why,
                 "to decode it would take more than %llu steps: use fewer holders, or a smaller k",
                 SCHEME_MAX_STEPS);
    else
        return 0;
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
    struct hagg_param params[SPEC_MAX_PARAMS];
    struct hagg_scheme_shape shape;
    char why[HAGG_WHY_SIZE] = "";
    int refused;

    *m = (struct matrix){ 0 };
    if (scheme_shape(s, n, k, z, &shape, err))
        return -1;
    if (scheme_check_size(s, n, k, z, &shape, err))
        return -1;
    if (matrix_new(m, f, (size_t)n * shape.symbols, (size_t)shape.parts + shape.randoms, err))
        return -1;
    if (!shape.uses_points)
        points = NULL;
    refused = s->ops.matrix_with
                  ? s->ops.matrix_with(params, params_of(s, params), n, k, z, &f->ops, f->ctx,
                                       &f->info, points, m->elems, why)
                  : s->ops.matrix(n, k, z, &f->ops, f->ctx, &f->info, points, m->elems, why);
    if (refused) {
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
                       s->name);
    if ((uint64_t)block->n_holders * ((uint64_t)block->n_parts + block->n_randoms) >
        SCHEME_MAX_ELEMS)
        return err_set(err, HAGG_E_USAGE,
                       "scheme '%s': a matrix would have more than %u elements: use fewer stations",
                       s->name, SCHEME_MAX_ELEMS);
    if (matrix_new(m, f, block->n_holders, (size_t)block->n_parts + block->n_randoms, err))
        return -1;
    if (s->ops.block(block, &f->ops, f->ctx, &f->info, m->elems, why) == 0)
        return 0;
    matrix_free(m);
    why[HAGG_WHY_SIZE - 1] = 0;
    return err_set(err, HAGG_E_USAGE, "scheme '%s': %s", s->name, why);
}

bool scheme_sends(const struct scheme_prefixes *p, const struct header_symbols *symbols)
{
    if (symbols->end == 0)
        return true;
    return (symbols->first == 0 || scheme_prefix_of(p, symbols->first)) &&
           scheme_prefix_of(p, symbols->end) &&
           (symbols->first > 0 || symbols->end < p->all[p->n - 1].symbols);
}

struct header_symbols scheme_symbols(const struct header_symbols *of_header, uint32_t n_symbols)
{
    return of_header->end > 0 ? *of_header : (struct header_symbols){ 0, n_symbols };
}

uint64_t scheme_share_length(const struct hagg_scheme_shape *shape, uint64_t length)
{
    uint64_t part = length / shape->parts + (length % shape->parts != 0);

    return part * shape->symbols;
}
