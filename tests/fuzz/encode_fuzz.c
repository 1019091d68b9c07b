/*
 * encode_fuzz.c - headers made from the fuzzer's bytes, most of them nearly right. If header_encode
 * accepts a header, header_decode must accept the encoding, and encoding it again must give the
 * same bytes: both enforce the same rules. If it refuses a header, it must give a reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "header.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The fuzzer's bytes, followed by zeros. */
struct source {
    const uint8_t *p;
    size_t n;
};

static unsigned int byte(struct source *s)
{
    if (s->n == 0)
        return 0;
    s->n--;
    return *s->p++;
}

/* Returns an integer of any magnitude, most often a small one. */
static uint64_t integer(struct source *s)
{
    static const unsigned char widths[] = { 0, 0, 0, 1, 1, 2, 3, 4, 6, 8 };
    unsigned int width = widths[byte(s) % sizeof widths];
    uint64_t value = byte(s) % 8;

    for (unsigned int i = 0; i < width; i++)
        value = value << 8 | byte(s);
    return value;
}

static size_t count(struct source *s, size_t max)
{
    return byte(s) % (max + 1);
}

/* Writes one of the words, or the fuzzer's own text, truncated to the room. */
static void text(struct source *s, char *out, size_t room, const char *const *words, size_t n_words)
{
    unsigned int choice = byte(s);

    if (choice < 224) {
        strncpy(out, words[choice % n_words], room - 1);
        return;
    }
    for (size_t i = 0, n = count(s, room - 1); i < n; i++)
        out[i] = (char)byte(s);
}
#define TEXT(s, out, words) text(s, out, sizeof(out), words, sizeof(words) / sizeof *(words))

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);

    if (!p)
        abort();
    return p;
}

static const char *const tiers[] = { "client", "station", "relay", "federator", "tier-of-16-chars",
                                     "a",      "",        "Bad",   "1st" };

static void fill_node(struct source *s, struct header_node *node)
{
    if (byte(s) % 2) {
        TEXT(s, node->tier, tiers);
        node->number = (uint32_t)integer(s);
    }
}

static void fill_scheme(struct source *s, struct header_scheme *scheme)
{
    static const char *const names[] = { "ramp", "additive", "a-scheme:a=1,b=2", "", "-x" };

    TEXT(s, scheme->name, names);
    scheme->n = (uint32_t)(byte(s) % 16 ? 1 + count(s, 9) : integer(s));
    scheme->k = (uint32_t)(byte(s) % 16 ? 1 + count(s, scheme->n % 16) : integer(s));
    scheme->z = (uint32_t)(byte(s) % 16 ? count(s, scheme->k % 16) : integer(s));
    scheme->index = (uint32_t)(byte(s) % 16 ? count(s, scheme->n % 16) : integer(s));
    scheme->has_point = byte(s) % 2;
    if (scheme->has_point)
        scheme->point = integer(s);
}

static void fill_layout(struct source *s, struct header *h)
{
    h->n_layout = byte(s) % 4 ? count(s, 3) : count(s, LIMIT_CUTS + 1);
    h->layout = zeroed(h->n_layout, sizeof *h->layout);
    for (size_t i = 0; i < h->n_layout; i++)
        h->layout[i] = (uint32_t)(byte(s) % 8 ? 1 + count(s, 9) : integer(s));
}

static void fill_symbols(struct source *s, struct header *h)
{
    if (byte(s) % 4)
        return;
    h->symbols.first = (uint32_t)(byte(s) % 8 ? count(s, 9) : integer(s));
    h->symbols.end = (uint32_t)(byte(s) % 8 ? 1 + count(s, 9) : integer(s));
}

static void fill_transfer(struct source *s, struct header *h)
{
    if (byte(s) % 4)
        fill_scheme(s, &h->source);
    h->has_carrier = byte(s) % 2;
    if (h->has_carrier)
        h->carrier = (uint32_t)(byte(s) % 16 ? count(s, h->scheme.n % 16) : integer(s));
}

static void fill_sharing(struct source *s, struct header *h)
{
    fill_scheme(s, &h->scheme);
    h->n_route = byte(s) % 16 ? 1 + count(s, 2) : count(s, 9);
    h->route = zeroed(h->n_route, sizeof *h->route);
    for (size_t i = 0; i < h->n_route; i++) {
        struct header_tier *tier = &h->route[i];

        TEXT(s, tier->name, tiers);
        tier->n_numbers = byte(s) % 16 ? h->scheme.n % 32 : count(s, 12);
        tier->numbers = zeroed(tier->n_numbers, sizeof *tier->numbers);
        for (size_t j = 0; j < tier->n_numbers; j++)
            tier->numbers[j] = byte(s) % 8 ? (uint32_t)(1000 * i + j + 1) : (uint32_t)integer(s);
    }
}

static void fill_original(struct source *s, struct header *h)
{
    static const char *const types[] = { "f4", "f8", "i1", "u8", "", "f2" };
    uint64_t product = 1;

    h->samples = byte(s) % 4 == 0;
    h->has_shape = byte(s) % 2;
    if (h->has_shape) {
        h->n_shape = byte(s) % 16 ? count(s, 4) : count(s, LIMIT_DIMENSIONS + 1);
        h->shape = zeroed(h->n_shape, sizeof *h->shape);
        for (size_t i = 0; i < h->n_shape; i++)
            product *= h->shape[i] = integer(s);
    }
    h->length = byte(s) % 4 ? product + h->samples : integer(s);
    TEXT(s, h->type, types);
    if (byte(s) % 2) {
        uint64_t bits = byte(s) % 2 ? integer(s) : 0x3ff0000000000000 + (integer(s) << 44);

        h->quant.bits = byte(s) % 70;
        memcpy(&h->quant.clip, &bits, sizeof bits);
        h->quant.rounding = byte(s) % 2 ? HEADER_NEAREST : HEADER_STOCHASTIC;
    }
}

static void fill_clients(struct source *s, struct header *h)
{
    uint32_t at = 0;

    h->n_clients = count(s, 40);
    h->clients = zeroed(h->n_clients, sizeof *h->clients);
    for (size_t i = 0; i < h->n_clients; i++) {
        h->clients[i].first = at + (uint32_t)integer(s);
        h->clients[i].last = h->clients[i].first + (uint32_t)integer(s);
        at = h->clients[i].last + 2;
    }
}

/* As in a decoded header: distinct names, and encoded values. */
static void fill_extensions(struct source *s, struct header *h)
{
    static const char *const stems[] = { "x-", "x-name-of-more-than-23-letters-", "x-0-", "y-" };
    /* 7, true, "ab", h'00' */
    static const uint8_t values[][3] = { { 0x07 }, { 0xf5 }, { 0x62, 'a', 'b' }, { 0x41, 0x00 } };
    static const size_t sizes[] = { 1, 1, 3, 2 };

    h->n_extensions = byte(s) % 4 ? 0 : count(s, LIMIT_EXTENSIONS + 1);
    h->extensions = zeroed(h->n_extensions, sizeof *h->extensions);
    for (size_t i = 0; i < h->n_extensions; i++) {
        struct header_extension *x = &h->extensions[i];
        size_t choice = byte(s) % 4;

        snprintf(x->name, sizeof x->name, "%s%c", stems[byte(s) % 16 / 5], (char)('a' + i));
        x->len_bytes = sizes[choice];
        x->value = zeroed(x->len_bytes, 1);
        memcpy(x->value, values[choice], x->len_bytes);
    }
}

/* Mostly a valid roster. */
static void fill_roster(struct source *s, struct header *h)
{
    fill_node(s, &h->from);
    h->has_round = byte(s) % 16 != 1;
    h->round = integer(s);
    fill_clients(s, h);
    h->has_plan = byte(s) % 16 != 1;
    memset(h->plan, (int)byte(s), sizeof h->plan);
    fill_extensions(s, h);
}

static void fill(struct source *s, struct header *h)
{
    static const char *const fields[] = { "m31", "prime:p=7", "gf256", "other:a=1,b=2",
                                          "prime:b=1,a=2" };

    h->kind = (enum header_kind)(byte(s) % 4);
    if (h->kind == HEADER_ROSTER && byte(s) % 16) {
        fill_roster(s, h);
        return;
    }
    h->secret = (enum header_secret)(byte(s) % 4);
    TEXT(s, h->field, fields);
    fill_original(s, h);
    if (h->kind != HEADER_VECTOR || byte(s) % 32 == 1)
        fill_sharing(s, h);
    if (h->kind != HEADER_VECTOR || byte(s) % 32 == 1)
        fill_layout(s, h);
    if (h->kind != HEADER_VECTOR || byte(s) % 32 == 1)
        fill_symbols(s, h);
    if (h->kind == HEADER_TRANSFER || byte(s) % 32 == 1)
        fill_transfer(s, h);
    fill_node(s, &h->from);
    fill_node(s, &h->to);
    h->has_round = byte(s) % 2;
    if (h->has_round)
        h->round = integer(s);
    if (byte(s) % 2)
        fill_clients(s, h);
    h->has_plan = byte(s) % 2;
    h->has_id = byte(s) % 2;
    if (h->has_id)
        memset(h->id, (int)byte(s), sizeof h->id);
    h->has_mix = h->kind != HEADER_VECTOR ? byte(s) % 2 : byte(s) % 32 == 1;
    if (h->has_mix)
        memset(h->mix, (int)byte(s), sizeof h->mix);
    h->seed = byte(s) % 8 == 1;
    if (h->seed && h->n_clients > 0 && byte(s) % 4) { /* as it must be, so that it is encoded */
        h->n_clients = 1;
        h->clients[0].last = h->clients[0].first;
        h->from = (struct header_node){ "client", h->clients[0].first };
    }
    fill_extensions(s, h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source s = { data, size };
    struct header h = { 0 }, again = { 0 };
    struct hagg_err err = { 0 };
    uint8_t *bytes = NULL, *bytes_again = NULL;
    size_t n = 0, n_again = 0, used = 0;

    fill(&s, &h);
    if (header_encode(&h, &bytes, &n, &err) < 0) {
        if (err.status == HAGG_OK || !err.text[0])
            abort();
        header_clear(&h);
        return 0;
    }
    if (header_decode(&again, bytes, n, &used, &err) != 1 || used != n)
        abort();
    if (header_encode(&again, &bytes_again, &n_again, &err) < 0 || n_again != n)
        abort();
    if (memcmp(bytes, bytes_again, n) != 0)
        abort();
    free(bytes);
    free(bytes_again);
    header_clear(&again);
    header_clear(&h);
    return 0;
}
