#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

#include "vector/byteorder.h"
#include "records/input.h"
#include "vector/npy.h"
#include "vector/vector_text.h"

/* Converts numbers from the byte order of the file to that of the host. */
static void to_host_order(struct vector *v, bool big_endian)
{
    if (big_endian != byteorder_host_is_big)
        byteorder_swap(v->data, v->n_elems, vector_type_size(v->type));
}

static void set_type(struct vector *v, const char *type)
{
    memcpy(v->type, type, sizeof v->type);
}

static void set_length(struct vector *v, size_t n_elems)
{
    v->n_elems = v->shape[0] = n_elems;
    v->n_shape = 1;
}

/* Reads the rest of the input, which must not have more than max bytes. */
static int read_rest(struct vector *v, struct input *in, uint64_t max, void **bytes, size_t *got,
                     struct hagg_err *err)
{
    int ended;

    if (input_rest(in, max, bytes, got, err))
        return -1;
    ended = input_at_end(in, err);
    if (ended == 1)
        return 0;
    explicit_bzero(*bytes, *got);
    free(*bytes);
    *bytes = NULL;
    if (ended == 0)
        err_set(err, HAGG_E_MALFORMED, "%s: has bytes after its last element", v->name);
    return -1;
}

static int load_npy(struct vector *v, struct input *in, const char *type, struct hagg_err *err)
{
    struct npy_header h = { 0 };
    size_t size, got;

    if (npy_read_type(&h, in, type, err))
        return -1;
    memcpy(v->shape, h.shape, sizeof v->shape);
    v->n_shape = h.n_shape;
    if (!vector_count(h.shape, h.n_shape, &v->n_elems))
        return err_set(err, HAGG_E_MALFORMED, "%s: has a shape of more than 2^48 elements",
                       v->name);
    size = vector_type_size(h.type);
    if (read_rest(v, in, (uint64_t)v->n_elems * size, &v->data, &got, err))
        return -1;
    if (got / size < v->n_elems) {
        explicit_bzero(v->data, got);
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: ends too early: its header declares %zu elements, but it has %zu",
                       v->name, v->n_elems, got / size);
    }
    set_type(v, h.type);
    to_host_order(v, h.big_endian);
    return 0;
}

static int load_raw(struct vector *v, struct input *in, const char *type, struct hagg_err *err)
{
    size_t got, size;

    if (!type)
        return err_set(err, HAGG_E_USAGE, "%s: raw numbers need a type, for instance --type f4",
                       v->name);
    size = vector_type_size(type);
    if (read_rest(v, in, LIMIT_LENGTH * size, &v->data, &got, err))
        return -1;
    if (got % size != 0) {
        explicit_bzero(v->data, got);
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: has %zu bytes, which is not a multiple of %zu, the size of type %s",
                       v->name, got, size, type);
    }
    set_type(v, type);
    set_length(v, got / size);
    to_host_order(v, false);
    return 0;
}

static int load_text(struct vector *v, struct input *in, const char *type, struct hagg_err *err)
{
    void *text = NULL;
    size_t len, n_elems;
    int status;

    set_type(v, type ? type : "f8");
    if (read_rest(v, in, LIMIT_PAYLOAD, &text, &len, err))
        return -1;
    status = vector_text_parse(text, len, v->type, v->name, &v->data, &n_elems, err);
    explicit_bzero(text, len);
    free(text);
    set_length(v, n_elems);
    return status;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t len = strlen(path), n = strlen(ending);

    return len >= n && strcmp(path + len - n, ending) == 0;
}

static bool looks_binary(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] < 0x20 && !(bytes[i] >= '\t' && bytes[i] <= '\r'))
            return true;
    return false;
}

/* Returns true if there are only characters of decimal numbers, and at least one digit. In a file
 * of raw numbers this is very unlikely. */
static bool looks_like_numbers(const uint8_t *bytes, size_t n)
{
    bool digit = false;

    for (size_t i = 0; i < n; i++) {
        if (!bytes[i] || !strchr("0123456789+-.eE \t\r\n", bytes[i]))
            return false;
        digit = digit || (bytes[i] >= '0' && bytes[i] <= '9');
    }
    return digit;
}

static int guess_format(struct input *in, const char *path, const char *type, const char **format,
                        struct hagg_err *err)
{
    const uint8_t *bytes;
    size_t n;

    if (input_peek(in, &bytes, &n, err))
        return -1;
    if (npy_is_magic(bytes, n) || ends_in(path, ".npy"))
        *format = "npy";
    else if (ends_in(path, ".txt"))
        *format = "text";
    else if (type && looks_like_numbers(bytes, n))
        return err_set(err, HAGG_E_USAGE,
                       "%s: looks like text, but would be read as raw numbers: use --format text, "
                       "or --format raw",
                       in->name);
    else if (type)
        *format = "raw";
    else if (looks_binary(bytes, n))
        return err_set(
            err, HAGG_E_MALFORMED,
            "%s: is neither .npy nor text: raw numbers need a type, for instance --type f4",
            in->name);
    else
        *format = "text";
    return 0;
}

static int load(struct vector *v, struct input *in, const char *path, const char *format,
                const char *type, struct hagg_err *err)
{
    if (!format && guess_format(in, path, type, &format, err))
        return -1;
    if (strcmp(format, "npy") == 0)
        return load_npy(v, in, type, err);
    if (strcmp(format, "raw") == 0)
        return load_raw(v, in, type, err);
    return load_text(v, in, type, err);
}

int vector_load(struct vector *v, const char *path, const char *format, const char *type,
                struct hagg_err *err)
{
    struct input in;
    int status;

    *v = (struct vector){ 0 };
    if (vector_check_names(format, type, err) || input_open(&in, path, err))
        return -1;
    v->name = strdup(in.name);
    status = v->name ? load(v, &in, path, format, type, err) : err_errno(err, "%s", in.name);
    input_close(&in);
    if (status)
        vector_free(v);
    return status;
}
