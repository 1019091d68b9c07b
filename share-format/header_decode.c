#include "header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"

static bool take_pair(struct cursor *c)
{
    uint64_t count;

    if (!cursor_take(c, HEAD_ARRAY, UINT64_MAX, &count))
        return false;
    return count == 2 || cursor_bad(c, "must be a tier and its number or numbers");
}

static bool take_tier_name(struct cursor *c, char *name)
{
    if (!cursor_text(c, name, LIMIT_TIER))
        return false;
    return name[0] || cursor_bad(c, "names no tier");
}

static bool take_node(struct cursor *c, struct header_node *node)
{
    return take_pair(c) && take_tier_name(c, node->tier) && cursor_u32(c, &node->number);
}

static bool take_route(struct cursor *c, struct header *h)
{
    size_t n_tiers;

    if (!cursor_count(c, LIMIT_TIERS, &n_tiers))
        return false;
    if (n_tiers == 0)
        return cursor_bad(c, "has no tier");
    h->route = calloc(n_tiers, sizeof *h->route);
    if (!h->route)
        return cursor_no_memory(c);
    h->n_route = n_tiers;
    for (size_t i = 0; i < n_tiers; i++) {
        struct header_tier *tier = &h->route[i];

        if (!take_pair(c) || !take_tier_name(c, tier->name) ||
            !cursor_count(c, LIMIT_HOLDERS, &tier->n_numbers) ||
            !cursor_numbers(c, tier->n_numbers, &tier->numbers))
            return false;
    }
    return true;
}

static bool take_layout(struct cursor *c, struct header *h)
{
    size_t n_cuts;

    if (!cursor_count(c, LIMIT_CUTS, &n_cuts))
        return false;
    /* zero cuts would mean that there is no layout */
    if (n_cuts == 0)
        return cursor_bad(c, "has no number");
    if (!cursor_numbers(c, n_cuts, &h->layout))
        return false;
    h->n_layout = n_cuts;
    return true;
}

/* 0 would mean that the key is absent. */
static bool take_nonzero(struct cursor *c, uint32_t *value)
{
    return cursor_u32(c, value) && (*value > 0 || cursor_bad(c, "must be at least 1"));
}

static bool take_symbols(struct cursor *c, struct header_symbols *s)
{
    uint64_t count;

    if (!cursor_take(c, HEAD_ARRAY, UINT64_MAX, &count))
        return false;
    if (count != 2)
        return cursor_bad(c, "must be two numbers");
    return cursor_u32(c, &s->first) && take_nonzero(c, &s->end);
}

static bool take_blocks(struct cursor *c, struct header *h)
{
    size_t n;

    if (!cursor_count(c, LIMIT_COUNTS, &n))
        return false;
    if (n == 0)
        return cursor_bad(c, "has no number");
    if (!cursor_numbers(c, n, &h->blocks))
        return false;
    h->n_blocks = n;
    return true;
}

static bool take_ranges(struct cursor *c, struct header_range **ranges, size_t *n_ranges)
{
    size_t count;

    if (!cursor_count(c, LIMIT_HEADER, &count))
        return false;
    if (count == 0 || count % 2)
        return cursor_bad(c, "must have an even count of numbers, at least two");
    *ranges = malloc(count / 2 * sizeof **ranges);
    if (!*ranges)
        return cursor_no_memory(c);
    for (size_t i = 0; i < count / 2; i++)
        if (!cursor_u32(c, &(*ranges)[i].first) || !cursor_u32(c, &(*ranges)[i].last))
            return false;
    *n_ranges = count / 2;
    return true;
}

static bool take_shape(struct cursor *c, struct header *h)
{
    if (!cursor_count(c, LIMIT_DIMENSIONS, &h->n_shape))
        return false;
    h->shape = malloc((h->n_shape + 1) * sizeof *h->shape);
    if (!h->shape)
        return cursor_no_memory(c);
    for (size_t i = 0; i < h->n_shape; i++)
        if (!cursor_take(c, HEAD_UINT, LIMIT_LENGTH, &h->shape[i]))
            return false;
    h->has_shape = true;
    return true;
}

static bool take_scheme(struct cursor *c, struct header_scheme *s)
{
    uint64_t n;

    if (!cursor_take(c, HEAD_MAP, UINT64_MAX, &n))
        return false;
    if (n != 5 && n != 6)
        return cursor_bad(c, "must have five or six keys");
    if (!cursor_key(c, "k") || !cursor_u32(c, &s->k) || !cursor_key(c, "n") ||
        !cursor_u32(c, &s->n) || !cursor_key(c, "z") || !cursor_u32(c, &s->z) ||
        !cursor_key(c, "name") || !cursor_text(c, s->name, LIMIT_SPEC) || !cursor_key(c, "index") ||
        !cursor_u32(c, &s->index))
        return false;
    /* an empty name would mean that there is no scheme */
    if (!s->name[0])
        return cursor_bad(c, "has no name");
    s->has_point = n == 6;
    if (s->has_point)
        return cursor_key(c, "point") && cursor_take(c, HEAD_UINT, UINT64_MAX, &s->point);
    return true;
}

static const char *kind_name(unsigned i)
{
    return header_kind_name((enum header_kind)i);
}

static const char *secret_name(unsigned i)
{
    return header_secret_name((enum header_secret)i);
}

static const char *rounding_name(unsigned i)
{
    return header_rounding_name((enum header_rounding)i);
}

/* Reads bits and clip, or clip and levels: the keys ascend. */
static bool take_steps(struct cursor *c, struct header_quant *q)
{
    char first[LIMIT_NAME + 1];

    if (!cursor_text(c, first, LIMIT_NAME))
        return false;
    if (strcmp(first, "clip") == 0)
        return cursor_float(c, &q->clip) && cursor_key(c, "levels") &&
               cursor_take(c, HEAD_UINT, UINT64_MAX, &q->levels);
    if (strcmp(first, "bits"))
        return cursor_bad_key(c);
    return cursor_u32(c, &q->bits) && cursor_key(c, "clip") && cursor_float(c, &q->clip);
}

static bool take_quant(struct cursor *c, struct header_quant *q)
{
    unsigned rounding;
    uint64_t n;

    if (!cursor_take(c, HEAD_MAP, UINT64_MAX, &n))
        return false;
    if (n != 3)
        return cursor_bad(c, "must have three keys");
    if (!take_steps(c, q) || !cursor_key(c, "rounding") ||
        !cursor_choice(c, rounding_name, &rounding))
        return false;
    q->rounding = (enum header_rounding)rounding;
    /* 0 would mean that there is no quantisation */
    return header_has_quant(q) || cursor_bad(c, "has no bits and no levels");
}

static bool take_true(struct cursor *c, bool *value)
{
    if (c->at == c->n)
        return cursor_more(c);
    *value = c->bytes[c->at] == 0xf5;
    c->at++;
    return *value || cursor_bad(c, "must be true if present");
}

/* The value is not interpreted, but must be a small scalar. */
static bool take_extension(struct cursor *c, struct header *h)
{
    struct header_extension *x;
    size_t start = c->at;
    struct head head;
    int got = head_read(&head, c->bytes + c->at, c->n - c->at);

    if (got == 0)
        return cursor_more(c);
    if (got < 0 || (head.major != HEAD_UINT && head.major != HEAD_BYTES &&
                    head.major != HEAD_TEXT && c->bytes[c->at] != 0xf4 && c->bytes[c->at] != 0xf5))
        return cursor_bad(c, "must be a non-negative integer, true, false, text or bytes");
    if (head.len_bytes != head_shortest(head.value))
        return cursor_bad(c, "is not in deterministic encoding");
    if (head.major == HEAD_TEXT) {
        char text[LIMIT_EXTENSION + 1];

        if (!cursor_text(c, text, LIMIT_EXTENSION))
            return false;
    } else {
        c->at += head.len_bytes;
        if (head.major == HEAD_BYTES) {
            if (head.value > LIMIT_EXTENSION)
                return cursor_bad(c, "is too long");
            if (head.value > c->n - c->at)
                return cursor_more(c);
            c->at += head.value;
        }
    }
    if (h->n_extensions == LIMIT_EXTENSIONS)
        return cursor_bad(c, "is an extension beyond the limit");
    if (!h->extensions) {
        h->extensions = calloc(LIMIT_EXTENSIONS, sizeof *h->extensions);
        if (!h->extensions)
            return cursor_no_memory(c);
    }
    x = &h->extensions[h->n_extensions];
    x->value = malloc(c->at - start);
    if (!x->value)
        return cursor_no_memory(c);
    memcpy(x->value, c->bytes + start, c->at - start);
    x->len_bytes = c->at - start;
    memcpy(x->name, c->field, sizeof x->name);
    h->n_extensions++;
    return true;
}

/* The keys of which the decoded header does not show whether they were present. kind is mandatory;
 * the others are mandatory too in a record with a vector, and in no other. */
enum { SEEN_KIND = 1, SEEN_OF = 2, SEEN_FIELD = 4, SEEN_LENGTH = 8 };

static bool check_seen(struct cursor *c, const struct header *h, unsigned seen)
{
    static const char *const keys[] = { "kind", "of", "field", "length" };

    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        bool wanted = i == 0 || header_has_vector(h);

        if (((seen >> i) & 1) == wanted)
            continue;
        snprintf(c->field, sizeof c->field, "%s", keys[i]);
        return cursor_bad(c, wanted                     ? "is missing"
                             : h->kind == HEADER_ROSTER ? "does not belong in a roster"
                                                        : "does not belong in data");
    }
    return true;
}

static bool take_field(struct cursor *c, struct header *h, unsigned *seen)
{
    const char *f = c->field;
    unsigned choice;

    if (strcmp(f, "kind") == 0) {
        if (!cursor_choice(c, kind_name, &choice))
            return false;
        h->kind = (enum header_kind)choice;
        *seen |= SEEN_KIND;
        return true;
    }
    if (strcmp(f, "of") == 0) {
        if (!cursor_choice(c, secret_name, &choice))
            return false;
        h->secret = (enum header_secret)choice;
        *seen |= SEEN_OF;
        return true;
    }
    if (strcmp(f, "field") == 0) {
        *seen |= SEEN_FIELD;
        return cursor_text(c, h->field, LIMIT_SPEC);
    }
    if (strcmp(f, "length") == 0) {
        *seen |= SEEN_LENGTH;
        return cursor_take(c, HEAD_UINT, LIMIT_LENGTH, &h->length);
    }
    if (strcmp(f, "round") == 0) {
        h->has_round = true;
        return cursor_take(c, HEAD_UINT, LIMIT_ROUND, &h->round);
    }
    if (strcmp(f, "type") == 0)
        return cursor_text(c, h->type, LIMIT_TYPE) && (h->type[0] || cursor_bad(c, "is empty"));
    if (strcmp(f, "scheme") == 0)
        return take_scheme(c, &h->scheme);
    if (strcmp(f, "route") == 0)
        return take_route(c, h);
    if (strcmp(f, "layout") == 0)
        return take_layout(c, h);
    if (strcmp(f, "symbols") == 0)
        return take_symbols(c, &h->symbols);
    if (strcmp(f, "segments") == 0)
        return take_nonzero(c, &h->n_segments);
    if (strcmp(f, "blocks") == 0)
        return take_blocks(c, h);
    if (strcmp(f, "chunks") == 0)
        return take_nonzero(c, &h->chunks);
    if (strcmp(f, "dealers") == 0)
        return take_ranges(c, &h->dealers, &h->n_dealers);
    if (strcmp(f, "stations") == 0)
        return take_ranges(c, &h->stations, &h->n_stations);
    if (strcmp(f, "basis") == 0)
        return take_ranges(c, &h->basis, &h->n_basis);
    if (strcmp(f, "source") == 0)
        return take_scheme(c, &h->source);
    if (strcmp(f, "carrier") == 0) {
        h->has_carrier = true;
        return cursor_u32(c, &h->carrier);
    }
    if (strcmp(f, "from") == 0)
        return take_node(c, &h->from);
    if (strcmp(f, "to") == 0)
        return take_node(c, &h->to);
    if (strcmp(f, "clients") == 0)
        return take_ranges(c, &h->clients, &h->n_clients);
    if (strcmp(f, "shape") == 0)
        return take_shape(c, h);
    if (strcmp(f, "samples") == 0)
        return take_true(c, &h->samples);
    if (strcmp(f, "quant") == 0)
        return take_quant(c, &h->quant);
    if (strcmp(f, "plan") == 0)
        return cursor_bytes(c, h->plan, sizeof h->plan, &h->has_plan);
    if (strcmp(f, "id") == 0)
        return cursor_bytes(c, h->id, sizeof h->id, &h->has_id);
    if (strcmp(f, "mix") == 0)
        return cursor_bytes(c, h->mix, sizeof h->mix, &h->has_mix);
    if (strcmp(f, "part") == 0) {
        h->has_part = true;
        return cursor_take(c, HEAD_UINT, LIMIT_PART, &h->part);
    }
    if (strcmp(f, "last") == 0)
        return take_true(c, &h->last);
    if (strcmp(f, "seed") == 0)
        return take_true(c, &h->seed);
    if (strncmp(f, "x-", 2) == 0)
        return take_extension(c, h);
    return cursor_bad(c, "is unknown in this version");
}

/* The version is the first key in every version, so that another version is recognised before any
 * unknown key. */
static bool take_version(struct cursor *c)
{
    uint64_t version;

    if (!cursor_text(c, c->field, LIMIT_NAME))
        return false;
    if (strcmp(c->field, "v"))
        return cursor_bad(c, "must follow 'v', the format version");
    if (!cursor_take(c, HEAD_UINT, UINT64_MAX, &version))
        return false;
    if (version == HEADER_VERSION)
        return true;
    c->state = CURSOR_BAD;
    err_set(c->err, HAGG_E_MALFORMED, "unknown format version %llu: this hagg reads version %d%s",
            (unsigned long long)version, HEADER_VERSION,
            version < HEADER_VERSION ? "; make the records again" : "");
    return false;
}

/* Keys are in bytewise order of their encodings; for text, shorter keys are first. */
static bool ascends(const char *before, const char *after)
{
    size_t b = strlen(before), a = strlen(after);

    return b < a || (b == a && strcmp(before, after) < 0);
}

static bool take_header(struct cursor *c, struct header *h)
{
    char before[LIMIT_NAME + 1] = "v";
    unsigned seen = 0;
    uint64_t n;

    if (!cursor_take(c, HEAD_MAP, UINT64_MAX, &n))
        return false;
    if (n == 0)
        return cursor_bad(c, "is missing");
    if (!take_version(c))
        return false;
    for (uint64_t i = 1; i < n; i++) {
        char key[LIMIT_NAME + 1];

        memcpy(c->field, "?", sizeof "?");
        if (!cursor_text(c, key, LIMIT_NAME))
            return false;
        memcpy(c->field, key, sizeof key);
        if (!ascends(before, key))
            return cursor_bad(c, "is out of order or appears twice");
        if (!take_field(c, h, &seen))
            return false;
        memcpy(before, key, sizeof before);
    }
    return check_seen(c, h, seen);
}

/* A header has only one encoding: encode the decoded header again and compare. */
static int check_deterministic(const struct header *h, const uint8_t *bytes, size_t n,
                               struct hagg_err *err)
{
    uint8_t *again;
    size_t n_again, at = 0;

    if (header_encode(h, &again, &n_again, err))
        return -1;
    while (at < n && at < n_again && bytes[at] == again[at])
        at++;
    free(again);
    if (at < n || at < n_again)
        return err_set(err, HAGG_E_MALFORMED,
                       "header is not in deterministic encoding, from its byte %zu on", at);
    return 0;
}

int header_decode(struct header *h, const uint8_t *bytes, size_t n, size_t *used,
                  struct hagg_err *err)
{
    struct cursor c = { .bytes = bytes, .n = n, .field = "v", .err = err };

    if (!take_header(&c, h))
        return c.state == CURSOR_MORE ? 0 : -1;
    if (check_deterministic(h, bytes, c.at, err))
        return -1;
    *used = c.at;
    return 1;
}
