#include "vector/vector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "vector/vector_type.h"

const char *const vector_formats[] = { "npy", "raw", "text", NULL };
const char *const vector_types[] = { "f4", "f8", "i1", "i2", "i4", "i8",
                                     "u1", "u2", "u4", "u8", NULL };
static_assert(sizeof vector_types / sizeof *vector_types == VECTOR_U8 + 1,
              "a name for each type, and NULL");

size_t vector_type_size(const char *type)
{
    return vector_type(type) == VECTOR_NO_TYPE ? 0 : (size_t)(type[1] - '0');
}

/* name may be NULL. */
static int check_name(const char *what, const char *name, const char *const *names,
                      struct hagg_err *err)
{
    struct text list = { 0 };

    for (size_t i = 0; name && names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return 0;
    if (!name)
        return 0;
    text_choices(&list, names);
    err_set(err, HAGG_E_USAGE, "unknown %s '%s': use %s", what, name,
            text_ok(&list) ? list.bytes : "another");
    text_free(&list);
    return -1;
}

int vector_check_names(const char *format, const char *type, struct hagg_err *err)
{
    return check_name("format", format, vector_formats, err) ||
                   check_name("type", type, vector_types, err)
               ? -1
               : 0;
}

bool vector_count(const uint64_t *shape, size_t n_shape, size_t *n_elems)
{
    uint64_t product = 1;

    *n_elems = 0;
    for (size_t i = 0; i < n_shape; i++)
        if (shape[i] == 0)
            return true;
    for (size_t i = 0; i < n_shape; i++) {
        if (shape[i] > LIMIT_LENGTH / product)
            return false;
        product *= shape[i];
    }
    *n_elems = (size_t)product;
    return *n_elems == product;
}

void vector_free(struct vector *v)
{
    if (v->data)
        explicit_bzero(v->data, v->n_elems * vector_type_size(v->type));
    free(v->data);
    free(v->name);
    *v = (struct vector){ 0 };
}

/* out[i] = data[at + i] for elements of this C type. Loops of constant length let the compiler
 * vectorise. */
#define STEP 64
#define CONVERT(c_type, out_type)                                                                  \
    do {                                                                                           \
        const c_type *in = (const c_type *)v->data + at;                                           \
        size_t done = 0;                                                                           \
                                                                                                   \
        for (; n - done >= STEP; done += STEP)                                                     \
            for (size_t i = 0; i < STEP; i++)                                                      \
                out[done + i] = (out_type)in[done + i];                                            \
        for (; done < n; done++)                                                                   \
            out[done] = (out_type)in[done];                                                        \
    } while (0)

void vector_to_double(const struct vector *v, size_t at, size_t n, double *restrict out)
{
    assert(at <= v->n_elems && n <= v->n_elems - at);
    switch (vector_type(v->type)) {
    case VECTOR_F4:
        CONVERT(float, double);
        break;
    case VECTOR_F8:
        CONVERT(double, double);
        break;
    case VECTOR_I1:
        CONVERT(int8_t, double);
        break;
    case VECTOR_I2:
        CONVERT(int16_t, double);
        break;
    case VECTOR_I4:
        CONVERT(int32_t, double);
        break;
    case VECTOR_I8:
        CONVERT(int64_t, double);
        break;
    case VECTOR_U1:
        CONVERT(uint8_t, double);
        break;
    case VECTOR_U2:
        CONVERT(uint16_t, double);
        break;
    case VECTOR_U4:
        CONVERT(uint32_t, double);
        break;
    case VECTOR_U8:
        CONVERT(uint64_t, double);
        break;
    case VECTOR_NO_TYPE:
        assert(n == 0);
    }
}

/* Examines all elements whatever their values, and looks for the offending one only on failure. */
static int check_sign(const struct vector *v, size_t at, size_t n, struct hagg_err *err)
{
    const uint64_t *in = (const uint64_t *)v->data + at;
    uint64_t all = 0;
    size_t i = 0;

    for (size_t j = 0; j < n; j++)
        all |= in[j];
    if (all <= INT64_MAX)
        return 0;
    while (in[i] <= INT64_MAX)
        i++;
    return err_set(err, HAGG_E_MALFORMED, "%s: element %zu exceeds 2^63 - 1", v->name, at + i);
}

int vector_to_int(const struct vector *v, size_t at, size_t n, int64_t *restrict out,
                  struct hagg_err *err)
{
    assert(at <= v->n_elems && n <= v->n_elems - at);
    switch (vector_type(v->type)) {
    case VECTOR_I1:
        CONVERT(int8_t, int64_t);
        return 0;
    case VECTOR_I2:
        CONVERT(int16_t, int64_t);
        return 0;
    case VECTOR_I4:
        CONVERT(int32_t, int64_t);
        return 0;
    case VECTOR_I8:
        CONVERT(int64_t, int64_t);
        return 0;
    case VECTOR_U1:
        CONVERT(uint8_t, int64_t);
        return 0;
    case VECTOR_U2:
        CONVERT(uint16_t, int64_t);
        return 0;
    case VECTOR_U4:
        CONVERT(uint32_t, int64_t);
        return 0;
    case VECTOR_U8:
        CONVERT(uint64_t, int64_t);
        return check_sign(v, at, n, err);
    default:
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains numbers of type %s, but integers are needed", v->name,
                       v->type);
    }
}
