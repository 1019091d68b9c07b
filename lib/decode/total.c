#include "decode/total.h"

#include <stdio.h>
#include <string.h>

#include "decode/total_error.h"
#include "vector/quantize.h"
#include "vector/residues.h"
#include "vector/vector_writer.h"

#define BLOCK 4096

/* Parameters of the conversion from elements to numbers. */
struct conversion {
    const struct field *field;
    const unsigned char *total;
    struct header_quant quant; /* none for integers */
    uint64_t n_clients;        /* 0 if the records do not list them */
    double divisor;            /* 0 for a sum, which is exact for integers */
    int64_t lo, hi;            /* of a total of honest clients */
    char type[LIMIT_TYPE + 1];
    size_t n_elems;
};

/* Finds the bounds of an integer type. u8 is limited to INT64_MAX. */
static void int_bounds(const char *type, int64_t *min, int64_t *max)
{
    unsigned bits = 8u * (unsigned)(type[1] - '0');

    if (type[0] == 'u') {
        *min = 0;
        *max = bits == 64 ? INT64_MAX : (int64_t)((UINT64_C(1) << bits) - 1);
    } else {
        *max = (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
        *min = -*max - 1;
    }
}

/* A block of numbers of any type. */
union numbers {
    uint8_t u1[BLOCK];
    uint16_t u2[BLOCK];
    uint32_t u4[BLOCK];
    uint64_t u8[BLOCK];
    float f4[BLOCK];
    double f8[BLOCK];
};

/* Truncates a whole block to a width, with one loop per width so that the compiler can vectorise.
 * Returns the bitwise or of all differences to min: an integer out of bounds sets a bit above the
 * width. */
#define CUT(to)                                                                                    \
    do {                                                                                           \
        for (size_t i = 0; i < BLOCK; i++) {                                                       \
            uint64_t x = (uint64_t)ints[i];                                                        \
                                                                                                   \
            beyond |= x - (uint64_t)min;                                                           \
            (to)[i] = (__typeof__(*(to)))x;                                                        \
        }                                                                                          \
    } while (0)

static uint64_t cut_ints(char width, union numbers *out, const int64_t *ints, int64_t min)
{
    uint64_t beyond = 0;

    switch (width) {
    case '1':
        CUT(out->u1);
        break;
    case '2':
        CUT(out->u2);
        break;
    case '4':
        CUT(out->u4);
        break;
    default:
        CUT(out->u8);
        break;
    }
    return beyond;
}

/* Overwrites the rest of the block, after the n integers. */
static int put_ints(const struct conversion *c, int64_t *ints, size_t n, size_t at,
                    union numbers *out, struct hagg_err *err)
{
    int64_t min, max;
    size_t i = 0;

    int_bounds(c->type, &min, &max);
    memset(ints + n, 0, (BLOCK - n) * sizeof *ints);
    /* max - min is a power of two minus one, so the or exceeds it only if an integer is out of
     * bounds */
    if (cut_ints(c->type[1], out, ints, min) <= (uint64_t)max - (uint64_t)min)
        return 0;
    while (ints[i] >= min && ints[i] <= max)
        i++;
    return err_set(err, HAGG_E_MISMATCH,
                   "element %zu of the sum does not fit type %s: use --type i8", at + i, c->type);
}

static void put_floats(const struct conversion *c, const int64_t *ints, size_t n,
                       union numbers *out)
{
    double divisor = c->divisor > 0 ? c->divisor : 1;

    if (header_has_quant(&c->quant))
        quantize_back(&c->quant, out->f8, ints, n, c->n_clients, divisor);
    else
        for (size_t i = 0; i < n; i++)
            out->f8[i] = (double)ints[i] / divisor;
    /* in place: each float overwrites only doubles that were already converted */
    if (strcmp(c->type, "f4") == 0)
        for (size_t i = 0; i < n; i++)
            out->f4[i] = (float)out->f8[i];
}

/* Converts n elements from index at to integers. */
static void take_ints(const struct conversion *c, size_t at, size_t n, int64_t *ints)
{
    residues_to_int(c->field, ints, c->total + at * field_elem_size(c->field), n, c->lo, c->hi);
}

/* Converts n elements from index at to numbers of the type. */
static int convert(const struct conversion *c, size_t at, size_t n, union numbers *out,
                   struct hagg_err *err)
{
    int64_t ints[BLOCK];

    take_ints(c, at, n, ints);
    if (c->type[0] != 'f')
        return put_ints(c, ints, n, at, out, err);
    put_floats(c, ints, n, out);
    return 0;
}

static int choose_type(const struct header *h, const struct total_options *o, struct conversion *c,
                       struct hagg_err *err)
{
    const char *type = o->type ? o->type : h->type[0] ? h->type : "i8";

    if (!o->type && o->mean && type[0] != 'f')
        type = "f8";
    if (type[0] != 'f' && (o->mean || header_has_quant(&h->quant)))
        return err_set(err, HAGG_E_USAGE, "type %s cannot represent %s: use f4 or f8", type,
                       o->mean ? "a mean" : "quantised values");
    memcpy(c->type, type, sizeof c->type);
    return 0;
}

static int set_divisor(const struct total_options *o, const struct total_report *r,
                       struct conversion *c, struct hagg_err *err)
{
    if (!o->mean)
        return 0;
    if (!residues_are_integers(c->field))
        return err_set(err, HAGG_E_MISMATCH,
                       "addition in field '%s' is not integer addition, so there is no mean",
                       c->field->spec);
    c->divisor = r->has_samples ? (double)r->samples : (double)r->n_clients;
    if (c->divisor <= 0)
        return err_set(err, HAGG_E_MISMATCH, "there is no mean: %s",
                       r->has_samples ? "the total number of samples is 0"
                                      : "the records do not list their clients");
    return 0;
}

/* Finds the least and the greatest integer that a total of n honest clients can have. A client
 * shares integers of its type, those that its plan declares or, if they are quantised, those from
 * -clip to clip. Without a list of clients, nothing is known. */
static void set_range(const struct header *h, const struct plan *plan, struct conversion *c)
{
    c->lo = INT64_MIN;
    c->hi = INT64_MAX;
    if (c->n_clients == 0 || !residues_are_integers(c->field))
        return;
    if (header_has_quant(&h->quant))
        quantize_range(&h->quant, &c->lo, &c->hi);
    else if (plan && topology_integers_given(&plan->topology.integers)) {
        c->lo = plan->topology.integers.lo;
        c->hi = plan->topology.integers.hi;
    } else if (h->type[0] == 'i' || h->type[0] == 'u')
        int_bounds(h->type, &c->lo, &c->hi);
    residues_sum(&c->lo, &c->hi, c->n_clients);
}

/* Without a branch, so that the compiler can vectorise. */
static bool are_within(const struct conversion *c, const int64_t *ints, size_t n)
{
    int outside = 0;

    for (size_t i = 0; i < n; i++)
        outside |= (ints[i] < c->lo) | (ints[i] > c->hi);
    return outside == 0;
}

static int refuse_total(const char *what, uint64_t n_clients, struct hagg_err *err)
{
    return err_set(err, HAGG_E_MALFORMED,
                   "%s is outside the range of a total of %llu clients: a share was changed, or a "
                   "client shared a wrong vector: get the shares again, or start a new round",
                   what, (unsigned long long)n_clients);
}

/* Checks that honest clients can have shared vectors with this total. A total that was changed need
 * not be outside the range, so this detects some changes only. All elements are checked before any
 * is written. */
static int check_range(const struct conversion *c, const struct total_report *r,
                       struct hagg_err *err)
{
    int64_t ints[BLOCK], least = 0, most = r->max_samples;
    char what[64];

    if (r->n_clients == 0 || !residues_are_integers(c->field))
        return 0;
    for (size_t at = 0; at < c->n_elems; at += BLOCK) {
        size_t n = c->n_elems - at < BLOCK ? c->n_elems - at : BLOCK, i = 0;

        take_ints(c, at, n, ints);
        if (are_within(c, ints, n))
            continue;
        while (are_within(c, ints + i, 1))
            i++;
        snprintf(what, sizeof what, "element %zu of the total", at + i);
        return refuse_total(what, r->n_clients, err);
    }
    residues_sum(&least, &most, r->n_clients);
    if (r->has_samples && (r->samples < least || r->samples > most)) {
        snprintf(what, sizeof what, "the number of samples, %lld,", (long long)r->samples);
        return refuse_total(what, r->n_clients, err);
    }
    return 0;
}

/* Without a plan, the sum may overflow; and a sum of integers from 0 has no meaning without the
 * number of summands. */
static int check_quant(const struct conversion *c, struct hagg_err *err)
{
    int64_t lo, hi;

    if (!header_has_quant(&c->quant))
        return 0;
    if (c->n_clients == 0 && c->quant.levels > 0)
        return err_set(err, HAGG_E_MISMATCH,
                       "the records do not list their clients, so the number of vectors in a sum "
                       "of levels is unknown");
    quantize_range(&c->quant, &lo, &hi);
    if (c->n_clients == 0 || residues_fit(c->field, lo, hi, c->n_clients))
        return 0;
    return err_set(err, HAGG_E_MISMATCH,
                   "a sum over %llu clients of integers from %lld to %lld overflows field '%s'",
                   (unsigned long long)c->n_clients, (long long)lo, (long long)hi, c->field->spec);
}

static int write_blocks(const struct conversion *c, struct vector_writer *w, struct hagg_err *err)
{
    union numbers out;

    for (size_t at = 0; at < c->n_elems; at += BLOCK) {
        size_t n = c->n_elems - at < BLOCK ? c->n_elems - at : BLOCK;

        if (convert(c, at, n, &out, err) || vector_writer_elems(w, &out, n, err))
            return -1;
    }
    return vector_writer_end(w, err);
}

/* A count is not negative, so with a plan that declares how large counts are, all elements may be
 * counts. */
static int64_t take_samples(const struct decode *d, const struct conversion *c)
{
    const struct plan *plan = decode_plan(d);
    int64_t most = plan && plan->topology.most_samples > 0 ? residues_most(c->field, 1) : 0,
            samples;

    residues_to_int(c->field, &samples, c->total + c->n_elems * field_elem_size(c->field), 1, 0,
                    most);
    return samples;
}

int total_write(const struct decode *d, const struct total_options *options, int fd,
                const char *name, struct total_report *report, struct hagg_err *err)
{
    const struct header *h = decode_header(d);
    struct conversion c = {
        .field = decode_field(d),
        .total = decode_total(d),
        .quant = h->quant,
        .n_elems = (size_t)h->length - h->samples,
    };
    uint64_t flat = c.n_elems;
    struct vector_writer *w;
    int status;

    *report = (struct total_report){
        .n_clients = rangeset_count(decode_clients(d)),
        .has_samples = h->samples,
        .max_samples = decode_plan(d) ? plan_most_samples(decode_plan(d)) : c.field->info.int_max,
    };
    if (h->samples)
        report->samples = take_samples(d, &c);
    c.n_clients = report->n_clients;
    set_range(h, decode_plan(d), &c);
    if (check_quant(&c, err) || check_range(&c, report, err) || choose_type(h, options, &c, err) ||
        set_divisor(options, report, &c, err))
        return -1;
    total_error_set(report, &c.quant, c.divisor);
    w = vector_writer_new(fd, name, options->format, c.type, h->has_shape ? h->shape : &flat,
                          h->has_shape ? h->n_shape : 1, err);
    status = w ? write_blocks(&c, w, err) : -1;
    vector_writer_free(w);
    return status;
}
