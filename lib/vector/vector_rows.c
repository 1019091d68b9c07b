#include "vector/vector_rows.h"

#include <stdlib.h>
#include <string.h>

#include "records/input.h"
#include "vector/byteorder.h"
#include "vector/npy.h"

struct vector_rows {
    struct input in;
    struct npy_header header;
    size_t n_elems; /* of a row */
    uint64_t next;
};

static int read_header(struct vector_rows *r, const char *type, struct hagg_err *err)
{
    const struct npy_header *h = &r->header;
    const uint8_t *bytes;
    size_t n;

    if (input_peek(&r->in, &bytes, &n, err))
        return -1;
    if (!npy_is_magic(bytes, n))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: is not a .npy file with a row for each client: save one with "
                       "numpy.save, or use {} in the name for a file of each client",
                       r->in.name);
    if (npy_read_type(&r->header, &r->in, type, err))
        return -1;
    if (h->n_shape == 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: is a single number, not an array with a row for each client",
                       r->in.name);
    if (!vector_count(h->shape + 1, h->n_shape - 1, &r->n_elems))
        return err_set(err, HAGG_E_MALFORMED, "%s: has rows of more than 2^48 elements",
                       r->in.name);
    return 0;
}

struct vector_rows *vector_rows_open(const char *path, const char *type, struct hagg_err *err)
{
    struct vector_rows *r = calloc(1, sizeof *r);

    if (!r) {
        err_errno(err, "%s", path);
        return NULL;
    }
    if (input_open(&r->in, path, err)) {
        free(r);
        return NULL;
    }
    if (read_header(r, type, err)) {
        vector_rows_free(r);
        return NULL;
    }
    return r;
}

void vector_rows_free(struct vector_rows *r)
{
    if (!r)
        return;
    input_close(&r->in);
    free(r);
}

uint64_t vector_rows_count(const struct vector_rows *r)
{
    return r->header.shape[0];
}

static int check_end(struct vector_rows *r, struct hagg_err *err)
{
    int ended = r->next < vector_rows_count(r) ? 1 : input_at_end(&r->in, err);

    if (ended == 0)
        return err_set(err, HAGG_E_MALFORMED, "%s: has bytes after its last element", r->in.name);
    return ended > 0 ? 0 : -1;
}

static int read_elems(struct vector_rows *r, struct vector *v, size_t size, struct hagg_err *err)
{
    size_t got;

    if (input_read(&r->in, v->data, v->n_elems * size, &got, err))
        return -1;
    if (got < v->n_elems * size)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: ends too early: its header declares %llu rows, but row %llu is not "
                       "complete",
                       v->name, (unsigned long long)vector_rows_count(r),
                       (unsigned long long)r->next);
    if (r->header.big_endian != byteorder_host_is_big)
        byteorder_swap(v->data, v->n_elems, size);
    return check_end(r, err);
}

int vector_rows_next(struct vector_rows *r, struct vector *v, struct hagg_err *err)
{
    const struct npy_header *h = &r->header;
    size_t size = vector_type_size(h->type);
    int status;

    *v = (struct vector){ .n_shape = h->n_shape - 1, .n_elems = r->n_elems };
    memcpy(v->shape, h->shape + 1, v->n_shape * sizeof *v->shape);
    memcpy(v->type, h->type, sizeof v->type);
    r->next++;
    v->name = strdup(r->in.name);
    v->data = calloc(r->n_elems + 1, size);
    status = v->name && v->data ? read_elems(r, v, size, err) : err_errno(err, "%s", r->in.name);
    if (status)
        vector_free(v);
    return status;
}
