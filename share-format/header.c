#include "header.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

static const char *const kinds[] = {
    [HEADER_VECTOR] = "vector", [HEADER_SHARE] = "share",     [HEADER_TRANSFER] = "transfer",
    [HEADER_ROSTER] = "roster", [HEADER_SUMMAND] = "summand", [HEADER_DATA] = "data",
};
static const char *const secrets[] = {
    [HEADER_PLAIN] = "plain",
    [HEADER_PADDED] = "padded",
    [HEADER_KEY] = "key",
    [HEADER_MASK] = "mask",
};
static const char *const roundings[] = {
    [HEADER_NEAREST] = "nearest",
    [HEADER_STOCHASTIC] = "stochastic",
    [HEADER_SIGN] = "sign",
};

const char *header_kind_name(enum header_kind kind)
{
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
}

const char *header_secret_name(enum header_secret secret)
{
    return secret < sizeof secrets / sizeof *secrets ? secrets[secret] : NULL;
}

const char *header_rounding_name(enum header_rounding rounding)
{
    return rounding < sizeof roundings / sizeof *roundings ? roundings[rounding] : NULL;
}

bool header_has_quant(const struct header_quant *q)
{
    return q->bits > 0 || q->levels > 0;
}

bool header_same_quant(const struct header_quant *a, const struct header_quant *b)
{
    if (a->bits != b->bits || a->levels != b->levels)
        return false;
    return !header_has_quant(a) || (a->clip == b->clip && a->rounding == b->rounding);
}

bool header_is_sharing(const struct header *h)
{
    return h->kind == HEADER_SHARE || h->kind == HEADER_TRANSFER;
}

bool header_is_whole(const struct header *h)
{
    return h->kind == HEADER_VECTOR || h->kind == HEADER_SUMMAND;
}

bool header_has_vector(const struct header *h)
{
    return h->kind != HEADER_ROSTER && h->kind != HEADER_DATA;
}

void header_forget_vector(struct header *h)
{
    h->has_shape = false;
    h->n_shape = 0;
    h->type[0] = '\0';
    h->quant = (struct header_quant){ 0 };
}

void header_clear(struct header *h)
{
    for (size_t i = 0; i < h->n_route; i++)
        free(h->route[i].numbers);
    for (size_t i = 0; i < h->n_extensions; i++)
        free(h->extensions[i].value);
    free(h->route);
    free(h->layout);
    free(h->blocks);
    free(h->dealers);
    free(h->stations);
    free(h->basis);
    free(h->shape);
    free(h->clients);
    free(h->extensions);
    *h = (struct header){ 0 };
}

static uint64_t count(const struct header_range *ranges, size_t n)
{
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += (uint64_t)ranges[i].last - ranges[i].first + 1;
    return count;
}

uint64_t header_count_clients(const struct header *h)
{
    return count(h->clients, h->n_clients);
}

uint64_t header_count_dealers(const struct header *h)
{
    return count(h->dealers, h->n_dealers);
}

/* Returns the length implied by shape and samples, or more than LIMIT_LENGTH if it is too large. */
static uint64_t shape_length(const struct header *h)
{
    uint64_t product = 1;

    for (size_t i = 0; i < h->n_shape; i++)
        if (h->shape[i] == 0)
            return h->samples;
    for (size_t i = 0; i < h->n_shape; i++) {
        if (h->shape[i] > LIMIT_LENGTH / product)
            return LIMIT_LENGTH + 1;
        product *= h->shape[i];
    }
    return product + h->samples;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* A tier has n distinct numbers, none of them 0. */
static int check_tier(const struct header_tier *tier, uint32_t n, struct hagg_err *err)
{
    uint32_t *sorted;
    bool distinct = true;

    if (!spec_is_tier_name(tier->name))
        return err_set(err, HAGG_E_MALFORMED, "'route' names no valid tier");
    if (tier->n_numbers != n)
        return err_set(err, HAGG_E_MALFORMED, "'route' has %zu holders in tier '%s' for n = %u",
                       tier->n_numbers, tier->name, n);
    sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return err_errno(err, "cannot check a route of %u holders", n);
    memcpy(sorted, tier->numbers, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    for (uint32_t i = 1; i < n; i++)
        distinct = distinct && sorted[i - 1] != sorted[i];
    distinct = distinct && sorted[0] != 0;
    free(sorted);
    if (!distinct)
        return err_set(err, HAGG_E_MALFORMED,
                       "'route' lists a holder twice, or holder 0, in tier '%s'", tier->name);
    return 0;
}

static int check_scheme(const struct header_scheme *s, const char *field, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    struct spec spec;

    if (spec_parse(&spec, "scheme", s->name, &cause))
        return err_set(err, HAGG_E_MALFORMED, "'%s' has an invalid name", field);
    if (s->k < 1 || s->k > s->n || s->n > LIMIT_HOLDERS || s->z >= s->k || s->index >= s->n)
        return err_set(err, HAGG_E_MALFORMED,
                       "'%s' is inconsistent: n = %u, k = %u, z = %u, index = %u", field, s->n,
                       s->k, s->z, s->index);
    return 0;
}

static int check_layout(const struct header *h, struct hagg_err *err)
{
    uint64_t n_blocks = 1;

    if (h->n_layout > LIMIT_CUTS)
        return err_set(err, HAGG_E_MALFORMED, "'layout' has more than %d numbers", LIMIT_CUTS);
    for (size_t i = 0; i < h->n_layout; i++) {
        if (h->layout[i] < 1 || h->layout[i] > LIMIT_HOLDERS)
            return err_set(err, HAGG_E_MALFORMED, "'layout' has a number that is not from 1 to %u",
                           LIMIT_HOLDERS);
        n_blocks *= h->layout[i];
        if (n_blocks > LIMIT_BLOCKS)
            return err_set(err, HAGG_E_MALFORMED, "'layout' has more than 2^20 blocks");
    }
    return 0;
}

/* Only sums are sent in part. Whether the scheme has such symbols is for those to check who load
 * it. */
static int check_symbols(const struct header *h, struct hagg_err *err)
{
    if (h->symbols.end == 0 && h->symbols.first == 0)
        return 0;
    if (h->symbols.first >= h->symbols.end || h->symbols.end > LIMIT_HOLDERS)
        return err_set(err, HAGG_E_MALFORMED, "'symbols' must be two ascending numbers up to %u",
                       LIMIT_HOLDERS);
    if (h->n_segments > 0 || h->seed || h->has_carrier)
        return err_set(err, HAGG_E_MALFORMED,
                       "'symbols' does not belong with 'segments', 'seed' or 'carrier'");
    return 0;
}

static int check_transfer(const struct header *h, struct hagg_err *err)
{
    if (h->kind != HEADER_TRANSFER) {
        if (h->source.name[0] || h->has_carrier)
            return err_set(err, HAGG_E_MALFORMED,
                           "'source' and 'carrier' belong to a transfer only");
        return 0;
    }
    if (!h->source.name[0] && !h->has_carrier)
        return err_set(err, HAGG_E_MALFORMED, "a transfer needs 'source' or 'carrier'");
    if (h->has_carrier && h->carrier >= h->scheme.n)
        return err_set(err, HAGG_E_MALFORMED, "'carrier' is %u, but must be less than n = %u",
                       h->carrier, h->scheme.n);
    return h->source.name[0] ? check_scheme(&h->source, "source", err) : 0;
}

static int check_ranges(const struct header_range *ranges, size_t n, const char *field,
                        struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct header_range *r = &ranges[i];

        if (r->first == 0 || r->first > r->last || (i > 0 && (uint64_t)r[-1].last + 1 >= r->first))
            return err_set(err, HAGG_E_MALFORMED,
                           "'%s' must be ascending ranges with gaps between them, from 1 on",
                           field);
    }
    return 0;
}

/* A key of the header, and whether it is there. */
struct presence {
    const char *key;
    bool is_there;
};

/* Refuses keys that do not belong in a record of this kind. */
static int refuse_keys(const struct header *h, const struct presence *keys, size_t n,
                       struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (keys[i].is_there)
            return err_set(err, HAGG_E_MALFORMED,
                           "field '%s' of the header does not belong in %s%s", keys[i].key,
                           h->kind == HEADER_DATA ? "" : "a ", header_kind_name(h->kind));
    return 0;
}

/* The keys of sharings, which only a share or transfer has. */
static int refuse_sharing(const struct header *h, struct hagg_err *err)
{
    const struct presence keys[] = {
        { "scheme", h->scheme.name[0] != 0 }, { "route", h->n_route > 0 },
        { "layout", h->n_layout > 0 },        { "symbols", h->symbols.end > 0 },
        { "segments", h->n_segments > 0 },    { "blocks", h->n_blocks > 0 },
        { "chunks", h->chunks > 0 },          { "source", h->source.name[0] != 0 },
        { "carrier", h->has_carrier },        { "id", h->has_id && h->kind != HEADER_DATA },
    };

    return refuse_keys(h, keys, sizeof keys / sizeof *keys, err);
}

/* Returns true if a range of the ascending ranges contains this one. */
static bool contains(const struct header_range *ranges, size_t n, const struct header_range *r)
{
    for (size_t i = 0; i < n; i++)
        if (ranges[i].first <= r->first && r->last <= ranges[i].last)
            return true;
    return false;
}

static int check_summand(const struct header *h, struct hagg_err *err)
{
    if (refuse_sharing(h, err))
        return -1;
    if (h->secret != HEADER_PLAIN)
        return err_set(err, HAGG_E_MALFORMED, "a summand is of plain vectors");
    if (!h->has_plan || !h->has_round || h->n_clients == 0 || !h->from.tier[0] ||
        h->n_stations == 0 || h->n_basis == 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "a summand needs 'plan', 'round', 'clients', 'from', 'stations' and "
                       "'basis'");
    if (check_ranges(h->stations, h->n_stations, "stations", err) ||
        check_ranges(h->basis, h->n_basis, "basis", err) ||
        check_ranges(h->dealers, h->n_dealers, "dealers", err))
        return -1;
    for (size_t i = 0; i < h->n_stations; i++)
        if (!contains(h->basis, h->n_basis, &h->stations[i]))
            return err_set(err, HAGG_E_MALFORMED, "'stations' has numbers that 'basis' lacks");
    return 0;
}

static int check_sharing(const struct header *h, struct hagg_err *err)
{
    if (h->kind == HEADER_SUMMAND)
        return check_summand(h, err);
    if (h->kind == HEADER_VECTOR) {
        if (h->scheme.name[0] || h->n_route > 0 || h->n_layout > 0 || h->symbols.end > 0 ||
            h->has_mix)
            return err_set(err, HAGG_E_MALFORMED,
                           "'scheme', 'route', 'layout', 'symbols' and 'mix' belong to a share or "
                           "transfer only");
        return 0;
    }
    if (!h->scheme.name[0] || h->n_route == 0)
        return err_set(err, HAGG_E_MALFORMED, "a %s needs 'scheme' and 'route'",
                       header_kind_name(h->kind));
    if (check_scheme(&h->scheme, "scheme", err))
        return -1;
    if (h->n_route > LIMIT_TIERS)
        return err_set(err, HAGG_E_MALFORMED, "'route' has more than %d tiers", LIMIT_TIERS);
    for (size_t i = 0; i < h->n_route; i++)
        if (check_tier(&h->route[i], h->scheme.n, err))
            return -1;
    return check_layout(h, err);
}

static int check_node(const struct header_node *node, const char *field, struct hagg_err *err)
{
    if (node->tier[0] && (!spec_is_tier_name(node->tier) || node->number == 0))
        return err_set(err, HAGG_E_MALFORMED, "'%s' is not a valid node", field);
    return 0;
}

static int check_quant(const struct header *h, struct hagg_err *err)
{
    const struct header_quant *q = &h->quant;
    bool has_steps = q->bits > 0 ? q->levels == 0 && q->bits >= 2 && q->bits <= LIMIT_BITS
                                 : q->levels >= 2 && q->levels <= LIMIT_LEVELS;

    if (!has_steps || !isfinite(q->clip) || q->clip <= 0 || !header_rounding_name(q->rounding))
        return err_set(err, HAGG_E_MALFORMED,
                       "'quant' needs bits from 2 to %d or levels from 2 to 2^53, a finite clip "
                       "above 0 and a rounding",
                       LIMIT_BITS);
    if (q->rounding == HEADER_SIGN && q->levels != 2)
        return err_set(err, HAGG_E_MALFORMED, "'quant' with rounding 'sign' needs 2 levels");
    if (h->type[0] != 'f')
        return err_set(err, HAGG_E_MALFORMED, "'quant' needs a 'type' of f4 or f8");
    return 0;
}

static int check_type(const struct header *h, struct hagg_err *err)
{
    static const char *const types[] = { "",   "f4", "f8", "i1", "i2", "i4",
                                         "i8", "u1", "u2", "u4", "u8" };
    size_t i = 0;

    while (i < sizeof types / sizeof *types && strcmp(types[i], h->type))
        i++;
    if (i == sizeof types / sizeof *types)
        return err_set(err, HAGG_E_MALFORMED, "unknown 'type': '%s'", h->type);
    return header_has_quant(&h->quant) ? check_quant(h, err) : 0;
}

/* An aligned sharing has segments and blocks, and may have dealers. A mask is always aligned. */
static int check_aligned(const struct header *h, struct hagg_err *err)
{
    bool mask = h->secret == HEADER_MASK;

    if (h->kind == HEADER_SUMMAND)
        return 0;
    if (h->n_segments == 0 && (h->n_blocks > 0 || h->chunks > 0 || h->n_dealers > 0))
        return err_set(err, HAGG_E_MALFORMED, "'blocks', 'chunks' and 'dealers' need 'segments'");
    if (h->n_segments == 0 && mask)
        return err_set(err, HAGG_E_MALFORMED, "a mask needs 'segments'");
    if (h->n_segments == 0)
        return 0;
    if (h->kind != HEADER_SHARE || (h->secret != HEADER_PLAIN && !mask) || !h->scheme.has_point ||
        h->n_layout > 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "'segments' needs a share of a plain vector or of a mask, with a point and "
                       "without a layout");
    if (h->n_segments > LIMIT_SEGMENTS || h->n_blocks == 0 || h->n_blocks > LIMIT_COUNTS)
        return err_set(err, HAGG_E_MALFORMED,
                       "'segments' must be at most %u, with 1 to %d numbers in 'blocks'",
                       LIMIT_SEGMENTS, LIMIT_COUNTS);
    for (size_t i = 0; i < h->n_blocks; i++)
        if (h->blocks[i] < 1 || h->blocks[i] > LIMIT_HOLDERS ||
            (i > 0 && h->blocks[i - 1] >= h->blocks[i]))
            return err_set(err, HAGG_E_MALFORMED, "'blocks' must be ascending numbers from 1 to %u",
                           LIMIT_HOLDERS);
    if (check_ranges(h->dealers, h->n_dealers, "dealers", err))
        return -1;
    if ((h->chunks > 0) != mask || h->chunks > LIMIT_HOLDERS)
        return err_set(err, HAGG_E_MALFORMED,
                       "'chunks' must be from 1 to %u in a mask, and absent elsewhere",
                       LIMIT_HOLDERS);
    if (mask && (header_count_dealers(h) != 1 || h->n_clients > 0))
        return err_set(err, HAGG_E_MALFORMED, "a mask has one dealer and no clients");
    return 0;
}

/* Only what its sender has drawn can be sent as a seed, so no sum is. A mask has one dealer anyway.
 */
static int check_seed(const struct header *h, struct hagg_err *err)
{
    bool own_key = h->kind == HEADER_VECTOR && h->secret == HEADER_KEY;

    if (!h->seed)
        return 0;
    if (!own_key && (h->kind != HEADER_SHARE || h->n_layout > 0))
        return err_set(err, HAGG_E_MALFORMED,
                       "'seed' needs a share without a layout, or the vector of a key");
    if (h->secret == HEADER_MASK)
        return 0;
    if (header_count_clients(h) != 1 || h->n_dealers > 0 ||
        (h->from.tier[0] &&
         (strcmp(h->from.tier, "client") || h->from.number != h->clients[0].first)))
        return err_set(err, HAGG_E_MALFORMED,
                       "'seed' needs a mask, or exactly one client, which is the sender");
    return 0;
}

static int check_extensions(const struct header *h, struct hagg_err *err)
{
    if (h->n_extensions > LIMIT_EXTENSIONS)
        return err_set(err, HAGG_E_MALFORMED, "more than %d extensions", LIMIT_EXTENSIONS);
    for (size_t i = 0; i < h->n_extensions; i++)
        if (strncmp(h->extensions[i].name, "x-", 2) ||
            !spec_is_plugin_name(h->extensions[i].name) || !h->extensions[i].name[2])
            return err_set(err, HAGG_E_MALFORMED, "'%s' is not a valid name for an extension",
                           h->extensions[i].name);
    return 0;
}

/* The keys that describe a vector. */
static int refuse_vector(const struct header *h, struct hagg_err *err)
{
    const struct presence keys[] = {
        { "of", h->secret != 0 },
        { "field", h->field[0] != 0 },
        { "length", h->length != 0 },
        { "dealers", h->n_dealers > 0 },
        { "stations", h->n_stations > 0 },
        { "basis", h->n_basis > 0 },
        { "shape", h->has_shape },
        { "type", h->type[0] != 0 },
        { "samples", h->samples },
        { "quant", header_has_quant(&h->quant) },
        { "mix", h->has_mix },
        { "seed", h->seed },
    };

    return refuse_sharing(h, err) || refuse_keys(h, keys, sizeof keys / sizeof *keys, err) ? -1 : 0;
}

/* A roster names the clients of a round. */
static int check_roster(const struct header *h, struct hagg_err *err)
{
    if (refuse_vector(h, err))
        return -1;
    if (!h->has_plan || !h->has_round || h->n_clients == 0 || !h->from.tier[0])
        return err_set(err, HAGG_E_MALFORMED,
                       "a roster needs 'plan', 'round', 'clients' and 'from'");
    return check_ranges(h->clients, h->n_clients, "clients", err);
}

/* A part of a file. */
static int check_data(const struct header *h, struct hagg_err *err)
{
    const struct presence others[] = { { "clients", h->n_clients > 0 } };

    if (refuse_vector(h, err) || refuse_keys(h, others, 1, err))
        return -1;
    if (!h->has_plan || !h->from.tier[0] || !h->to.tier[0] || !h->has_id || !h->has_part)
        return err_set(err, HAGG_E_MALFORMED, "data needs 'plan', 'from', 'to', 'id' and 'part'");
    if (h->part > LIMIT_PART)
        return err_set(err, HAGG_E_MALFORMED, "'part' exceeds 2^48");
    return 0;
}

/* The checks of a record that has a vector. */
static int check_vector(const struct header *h, struct hagg_err *err)
{
    struct spec spec;

    if (spec_parse(&spec, "field", h->field, err)) {
        err->status = HAGG_E_MALFORMED;
        return -1;
    }
    if (h->length > LIMIT_LENGTH)
        return err_set(err, HAGG_E_MALFORMED, "'length' exceeds 2^48");
    if (h->n_shape > LIMIT_DIMENSIONS)
        return err_set(err, HAGG_E_MALFORMED, "'shape' has more than %d dimensions",
                       LIMIT_DIMENSIONS);
    for (size_t i = 0; i < h->n_shape; i++)
        if (h->shape[i] > LIMIT_LENGTH)
            return err_set(err, HAGG_E_MALFORMED, "'shape' has a dimension that exceeds 2^48");
    if (h->has_shape && shape_length(h) != h->length)
        return err_set(err, HAGG_E_MALFORMED, "'shape' does not match the 'length'");
    if (h->samples && h->length == 0)
        return err_set(err, HAGG_E_MALFORMED, "'samples' needs a 'length' of at least 1");
    if (h->kind != HEADER_SUMMAND && (h->n_stations > 0 || h->n_basis > 0))
        return err_set(err, HAGG_E_MALFORMED, "'stations' and 'basis' belong to a summand only");
    return check_sharing(h, err) || check_transfer(h, err) || check_type(h, err) ||
                   check_ranges(h->clients, h->n_clients, "clients", err) ||
                   check_symbols(h, err) || check_aligned(h, err) || check_seed(h, err)
               ? -1
               : 0;
}

int header_check(const struct header *h, struct hagg_err *err)
{
    if (!header_kind_name(h->kind) || !header_secret_name(h->secret))
        return err_set(err, HAGG_E_MALFORMED, "unknown 'kind' or 'of'");
    if (h->kind != HEADER_DATA && (h->has_part || h->last))
        return err_set(err, HAGG_E_MALFORMED, "'part' and 'last' belong to data only");
    if (h->round > LIMIT_ROUND)
        return err_set(err, HAGG_E_MALFORMED, "'round' exceeds 2^53 - 1");
    if (check_node(&h->from, "from", err) || check_node(&h->to, "to", err))
        return -1;
    if (h->kind == HEADER_ROSTER ? check_roster(h, err)
        : h->kind == HEADER_DATA ? check_data(h, err)
                                 : check_vector(h, err))
        return -1;
    return check_extensions(h, err);
}
