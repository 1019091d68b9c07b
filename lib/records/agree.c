#include "records/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rangeset.h"
#include "base/text.h"
#include "records/describe.h"

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool same_round(const struct header *a, const struct header *b)
{
    return a->has_round == b->has_round && (!a->has_round || a->round == b->round);
}

static void put_round(struct text *t, const struct header *h)
{
    if (h->has_round)
        text_printf(t, "%llu", (unsigned long long)h->round);
    else
        text_printf(t, "none");
}

static bool same_field(const struct header *a, const struct header *b)
{
    return strcmp(a->field, b->field) == 0;
}

static void put_field(struct text *t, const struct header *h)
{
    text_printf(t, "%s", h->field);
}

static bool same_plan(const struct header *a, const struct header *b)
{
    return a->has_plan == b->has_plan &&
           (!a->has_plan || memcmp(a->plan, b->plan, sizeof a->plan) == 0);
}

static void put_plan(struct text *t, const struct header *h)
{
    char digest[DESCRIBE_DIGEST_ROOM(8)];

    describe_digest(digest, h->plan, 8);
    if (h->has_plan)
        text_printf(t, "%s...", digest);
    else
        text_printf(t, "none");
}

static bool same_length(const struct header *a, const struct header *b)
{
    return a->length == b->length;
}

static void put_length(struct text *t, const struct header *h)
{
    text_printf(t, "%llu", (unsigned long long)h->length);
}

static bool same_shape(const struct header *a, const struct header *b)
{
    bool same = a->has_shape == b->has_shape && a->n_shape == b->n_shape;

    for (size_t i = 0; i < a->n_shape && same; i++)
        same = a->shape[i] == b->shape[i];
    return same;
}

static void put_shape(struct text *t, const struct header *h)
{
    text_printf(t, "(");
    for (size_t i = 0; i < h->n_shape; i++)
        text_printf(t, "%s%llu", i > 0 ? ", " : "", (unsigned long long)h->shape[i]);
    text_printf(t, "%s)", h->has_shape ? "" : "not specified");
}

static bool same_type(const struct header *a, const struct header *b)
{
    return strcmp(a->type, b->type) == 0;
}

static void put_type(struct text *t, const struct header *h)
{
    text_printf(t, "%s", h->type[0] ? h->type : "field elements");
}

static bool same_quant(const struct header *a, const struct header *b)
{
    return header_same_quant(&a->quant, &b->quant);
}

static void put_quant(struct text *t, const struct header *h)
{
    if (!header_has_quant(&h->quant)) {
        text_printf(t, "none");
        return;
    }
    describe_levels(t, &h->quant);
    text_printf(t, ", clip %.17g", h->quant.clip);
    if (h->quant.rounding != HEADER_SIGN)
        text_printf(t, ", %s", header_rounding_name(h->quant.rounding));
}

static bool same_samples(const struct header *a, const struct header *b)
{
    return a->samples == b->samples;
}

static void put_samples(struct text *t, const struct header *h)
{
    text_printf(t, "%s", h->samples ? "yes" : "no");
}

/* The properties that records of one aggregation have in common, and how to print them. */
static const struct item {
    const char *name;
    bool not_of_keys; /* True if it describes vectors only: see describes_vector. */
    bool (*same)(const struct header *a, const struct header *b);
    void (*put)(struct text *t, const struct header *h);
} items[] = {
    { "round", false, same_round, put_round },
    { "field", false, same_field, put_field },
    { "plan", false, same_plan, put_plan },
    { "length", false, same_length, put_length },
    { "shape", true, same_shape, put_shape },
    { "type", true, same_type, put_type },
    { "quantisation", true, same_quant, put_quant },
    { "sample count", false, same_samples, put_samples },
};

static int differ(const struct item *item, const struct header *a, const char *a_name,
                  const struct header *b, const char *b_name, struct hagg_err *err)
{
    struct text of_a = { 0 }, of_b = { 0 };
    int status;

    item->put(&of_a, a);
    item->put(&of_b, b);
    status = text_ok(&of_a) && text_ok(&of_b)
                 ? err_set(err, HAGG_E_MISMATCH, "%s: %s is %s, but %s has %s", b_name, item->name,
                           of_b.bytes, a_name, of_a.bytes)
                 : err_errno(err, "%s", b_name);
    text_free(&of_a);
    text_free(&of_b);
    return status;
}

/* Returns false for keys and masks, and for the sum of stations that have masks but no client. */
static bool describes_vector(const struct header *h)
{
    return h->secret != HEADER_KEY && h->secret != HEADER_MASK &&
           ((h->n_segments == 0 && h->kind != HEADER_SUMMAND) || h->has_shape || h->type[0]);
}

int agree_on_round(const struct header *a, const char *a_name, const struct header *b,
                   const char *b_name, struct hagg_err *err)
{
    bool keys = !describes_vector(a) || !describes_vector(b);

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (!(keys && items[i].not_of_keys) && !items[i].same(a, b))
            return differ(&items[i], a, a_name, b, b_name, err);
    return 0;
}

int agree_on_sums(const struct header *a, const char *a_name, const struct header *b,
                  const char *b_name, struct hagg_err *err)
{
    struct header_range other;
    bool in_a;

    if (rangeset_difference(a->dealers, a->n_dealers, b->dealers, b->n_dealers, &other, &in_a))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains the mask of dealer %u, but %s does not: all sums of a round "
                       "have the same dealers, so use the same --dealers at every station",
                       in_a ? a_name : b_name, other.first, in_a ? b_name : a_name);
    if (rangeset_difference(a->clients, a->n_clients, b->clients, b->n_clients, &other, &in_a))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains client %u, but %s does not: all sums of a round must be over "
                       "the same clients, so use the same --roster at every station",
                       in_a ? a_name : b_name, other.first, in_a ? b_name : a_name);
    return 0;
}

int agree_on_runs(const struct header *a, const char *a_name, const struct header *b,
                  const char *b_name, struct hagg_err *err)
{
    if (a->has_id && b->has_id && memcmp(a->id, b->id, sizeof a->id))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains shares from a different run of hagg-share than %s: use shares "
                       "from one run",
                       b_name, a_name);
    if (a->has_mix && b->has_mix && memcmp(a->mix, b->mix, sizeof a->mix))
        return err_set(err, HAGG_E_MISMATCH,
                       a->n_segments > 0 || a->kind == HEADER_SUMMAND
                           ? "%s: contains masks of another dealing than %s: use the masks of one "
                             "run of hagg-keygen by each dealer"
                           : "%s: was made from different transfers than %s: use shares from one "
                             "run of hagg-transform by the same holders",
                       b_name, a_name);
    return 0;
}

static int compare_tiers(const struct header_tier *a, const struct header_tier *b)
{
    int order = strcmp(a->name, b->name);

    order = order ? order : compare_u64(a->n_numbers, b->n_numbers);
    for (size_t i = 0; i < a->n_numbers && order == 0; i++)
        order = compare_u64(a->numbers[i], b->numbers[i]);
    return order;
}

static int compare_schemes(const struct header_scheme *a, const struct header_scheme *b)
{
    int order = strcmp(a->name, b->name);

    order = order ? order : compare_u64(a->n, b->n);
    order = order ? order : compare_u64(a->k, b->k);
    return order ? order : compare_u64(a->z, b->z);
}

static int compare_places(const struct header_scheme *a, const struct header_scheme *b)
{
    int order = compare_u64(a->index, b->index);

    order = order ? order : compare_u64(a->has_point, b->has_point);
    return order ? order : compare_u64(a->point, b->point);
}

static int compare_layouts(const struct header *a, const struct header *b)
{
    int order = compare_u64(a->n_layout, b->n_layout);

    for (size_t i = 0; i < a->n_layout && order == 0; i++)
        order = compare_u64(a->layout[i], b->layout[i]);
    return order;
}

/* Rows of different blocks, and masks of different dealers, are not simply added. */
static int compare_aligned(const struct header *a, const struct header *b)
{
    int order = compare_u64(a->n_blocks, b->n_blocks);

    for (size_t i = 0; i < a->n_blocks && order == 0; i++)
        order = compare_u64(a->blocks[i], b->blocks[i]);
    order = order ? order : compare_u64(a->n_dealers, b->n_dealers);
    for (size_t i = 0; i < a->n_dealers && order == 0; i++) {
        order = compare_u64(a->dealers[i].first, b->dealers[i].first);
        order = order ? order : compare_u64(a->dealers[i].last, b->dealers[i].last);
    }
    return order;
}

/* Does not compare 'seed': the elements are the same whether they were sent or expanded, so a share
 * that is a seed may be added to one that is not. */
int agree_compare_pattern(const struct header *a, const struct header *b)
{
    int order = compare_u64(a->kind, b->kind);

    order = order ? order : compare_u64(a->secret, b->secret);
    order = order ? order : compare_schemes(&a->scheme, &b->scheme);
    order = order ? order : compare_layouts(a, b);
    order = order ? order : compare_u64(a->n_segments, b->n_segments);
    order = order ? order : compare_u64(a->chunks, b->chunks);
    order = order ? order : compare_schemes(&a->source, &b->source);
    order = order ? order : compare_places(&a->source, &b->source);
    order = order ? order : compare_u64(a->has_carrier, b->has_carrier);
    order = order ? order : compare_u64(a->carrier, b->carrier);
    order = order ? order : compare_u64(a->n_route, b->n_route);
    for (size_t i = 0; i < a->n_route && order == 0; i++)
        order = compare_tiers(&a->route[i], &b->route[i]);
    return order;
}

int agree_compare(const struct header *a, const struct header *b)
{
    int order = agree_compare_pattern(a, b);

    order = order ? order : compare_places(&a->scheme, &b->scheme);
    order = order ? order : compare_u64(a->symbols.first, b->symbols.first);
    order = order ? order : compare_u64(a->symbols.end, b->symbols.end);
    return order ? order : compare_aligned(a, b);
}

int agree_copy(struct header *to, const struct header *from, struct hagg_err *err)
{
    uint8_t *bytes;
    size_t n, used;
    int status;

    /* the encoding is complete, so decoding it gives a copy */
    if (header_encode(from, &bytes, &n, err))
        return -1;
    status = header_decode(to, bytes, n, &used, err) == 1 ? 0 : -1;
    free(bytes);
    return status;
}

int agree_copy_known(struct header *to, const struct header *from, struct hagg_err *err)
{
    struct header known = *from;

    known.n_extensions = 0;
    known.seed = false; /* nothing that is computed is the expansion of a seed */
    return agree_copy(to, &known, err);
}
