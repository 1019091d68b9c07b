#include "subject.h"

#include <dlfcn.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

bool subject_load(struct subject *s, const char *path)
{
    char *file;
    void *handle;

    /* dlopen would search the library path for a name without a slash. */
    if (asprintf(&file, "%s%s", strchr(path, '/') ? "" : "./", path) < 0)
        err(1, "%s", path);
    s->path = path;
    handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    free(file);
    if (!handle)
        return report_wrong("%s", dlerror());
    s->field = dlsym(handle, "hagg_field_plugin");
    s->scheme = dlsym(handle, "hagg_scheme_plugin");
    if (s->field && s->scheme)
        return report_wrong("exports both hagg_field_plugin and hagg_scheme_plugin");
    if (!s->field && !s->scheme)
        return report_wrong("exports neither hagg_field_plugin nor hagg_scheme_plugin");
    return true;
}

bool subject_params(struct hagg_param *params, size_t *n_params, char *text)
{
    *n_params = 0;
    while (text && *text) {
        struct hagg_param *param = &params[(*n_params)++];
        char *next = strchr(text, ','), *value = strchr(text, '=');

        if (*n_params == SUBJECT_MAX_PARAMS)
            return report_wrong("more than %d parameters", SUBJECT_MAX_PARAMS - 1);
        if (!value || (next && value > next))
            return report_wrong("parameter %s is not key=value", text);
        *value++ = '\0';
        if (next)
            *next++ = '\0';
        *param = (struct hagg_param){ .key = text, .value = value };
        text = next;
    }
    return true;
}

void *subject_new_ctx(const struct subject *s, int fill)
{
    size_t len_bytes = (s->field->ctx_size / 16 + 1) * 16;
    void *ctx = aligned_alloc(16, len_bytes);

    if (!ctx)
        err(1, "a context of %zu bytes", len_bytes);
    return memset(ctx, fill, len_bytes);
}

bool subject_init_field(struct subject *s)
{
    char why[HAGG_WHY_SIZE] = "";

    s->ctx = subject_new_ctx(s, 0);
    if (s->field->init(s->ctx, s->params, s->n_params, &s->info, why) != 0)
        return report_wrong("init refused its parameters: %.*s", HAGG_WHY_SIZE - 1, why);
    return true;
}

void subject_free(struct subject *s)
{
    free(s->ctx);
    s->ctx = NULL;
}

void *subject_vector(const struct subject *s, size_t n)
{
    void *vector = calloc(n + 1, s->info.elem_size);

    if (!vector)
        err(1, "%zu elements", n);
    return vector;
}

uint64_t subject_get(const struct subject *s, const void *vector, size_t i)
{
    return hagg_load(vector, i, s->info.elem_size);
}

void subject_set(const struct subject *s, void *vector, size_t i, uint64_t element)
{
    hagg_store(vector, i, s->info.elem_size, element);
}

static uint64_t result(const struct subject *s, const void *out, const char *op, uint64_t a,
                       uint64_t b)
{
    uint64_t element = subject_get(s, out, 0);

    if (element >= s->info.order)
        report_wrong("%llu %s %llu gives %llu, which is not canonical", (unsigned long long)a, op,
                     (unsigned long long)b, (unsigned long long)element);
    return element;
}

uint64_t subject_add(const struct subject *s, uint64_t a, uint64_t b)
{
    unsigned char x[8], y[8], out[8];

    subject_set(s, x, 0, a);
    subject_set(s, y, 0, b);
    s->field->add(s->ctx, out, x, y, 1);
    return result(s, out, "+", a, b);
}

uint64_t subject_sub(const struct subject *s, uint64_t a, uint64_t b)
{
    unsigned char x[8], y[8], out[8];

    subject_set(s, x, 0, a);
    subject_set(s, y, 0, b);
    s->field->sub(s->ctx, out, x, y, 1);
    return result(s, out, "-", a, b);
}

uint64_t subject_mul(const struct subject *s, uint64_t a, uint64_t b)
{
    unsigned char x[8], y[8], out[8] = { 0 };

    subject_set(s, x, 0, a);
    subject_set(s, y, 0, b);
    s->field->scale_add(s->ctx, out, x, y, 1);
    return result(s, out, "*", a, b);
}

uint64_t subject_from_int(const struct subject *s, int64_t a)
{
    unsigned char out[8] = { 0 };

    if (s->field->from_int(s->ctx, out, &a, 1) != 1)
        report_wrong("from_int refuses %lld, which is in its range", (long long)a);
    return subject_get(s, out, 0);
}

void subject_random(const struct subject *s, struct prng *g, void *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t element;

        switch (prng_next(g) % 12) {
        case 0:
            element = s->info.order - 1;
            break;
        case 1:
            element = 0;
            break;
        case 2:
            element = 1;
            break;
        default:
            element = prng_below(g, s->info.order);
        }
        subject_set(s, out, i, element);
    }
}

uint64_t subject_largest_word(const struct subject *s)
{
    return UINT64_MAX >> (64 - 8 * s->info.elem_size);
}
