#include "vector/elements.h"

#include <string.h>

#include "vector/quantize.h"
#include "vector/residues.h"

#define BLOCK 4096
#define STEP  64

static int fail(const struct vector *v, const struct hagg_err *cause, struct hagg_err *err)
{
    return err_set(err, cause->status, "%s: %s", v->name, cause->text);
}

/* Loops of constant length let the compiler vectorise. */
static bool all_within(const int64_t *in, size_t n, int64_t least, int64_t most)
{
    uint64_t from = (uint64_t)least, to = (uint64_t)most, beyond = 0;
    int64_t low = most, high = least;
    size_t at = 0;

    /* one of the two differences has its top bit set if and only if the integer is out of bounds */
    for (; to - from <= INT64_MAX && n - at >= STEP; at += STEP)
        for (size_t i = 0; i < STEP; i++)
            beyond |= ((uint64_t)in[at + i] - from) | (to - (uint64_t)in[at + i]);
    for (; at < n; at++) {
        low = in[at] < low ? in[at] : low;
        high = in[at] > high ? in[at] : high;
    }
    return beyond <= INT64_MAX && low >= least && high <= most;
}

static int check_ints(const struct field *f, const struct vector *v,
                      const struct elements_options *o, const int64_t *in, size_t n, uint64_t first,
                      struct hagg_err *err)
{
    int64_t lo = o->lo, hi = o->hi;
    size_t i = 0;

    if (all_within(in, n, lo, hi))
        return 0;
    while (in[i] >= lo && in[i] <= hi)
        i++;
    if (o->declared)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: element %llu is not from %lld to %lld, the integers of the plan",
                       v->name, (unsigned long long)(first + i), (long long)lo, (long long)hi);
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: element %llu is too large: sums in field '%s' could overflow", v->name,
                   (unsigned long long)(first + i), f->spec);
}

/* Converts one block to integers, and quantises floats. */
static int to_ints(const struct field *f, const struct vector *v, const struct elements_options *o,
                   size_t at, size_t n, int64_t *ints, uint64_t *n_clipped, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    double doubles[BLOCK];
    int status;

    if (v->type[0] != 'f') {
        if (vector_to_int(v, at, n, ints, err))
            return -1;
        return check_ints(f, v, o, ints, n, at, err);
    }
    vector_to_double(v, at, n, doubles);
    status = quantize_values(&o->quant, ints, doubles, n, at, o->coins, o->clip ? n_clipped : NULL,
                             &cause);
    explicit_bzero(doubles, sizeof doubles);
    return status ? fail(v, &cause, err) : 0;
}

int elements_from_vector(const struct field *f, const struct vector *v,
                         const struct elements_options *options, void *out, uint64_t *n_clipped,
                         struct hagg_err *err)
{
    unsigned char *to = out;
    int64_t ints[BLOCK], lo = options->lo, hi = options->hi;
    int status = 0;

    /* every byte already is an element */
    if (strcmp(v->type, "u1") == 0 && f->info.order == 256 && f->info.int_max == 255) {
        if (v->n_elems > 0)
            memcpy(out, v->data, v->n_elems);
        return 0;
    }
    if (v->type[0] == 'f')
        quantize_range(&options->quant, &lo, &hi);
    for (size_t at = 0; at < v->n_elems && status == 0; at += BLOCK) {
        size_t n = v->n_elems - at < BLOCK ? v->n_elems - at : BLOCK;

        status = to_ints(f, v, options, at, n, ints, n_clipped, err);
        if (status == 0)
            residues_from_int(f, to + at * field_elem_size(f), ints, n, lo, hi);
    }
    explicit_bzero(ints, sizeof ints);
    return status;
}
