#include "toy_seal.h"

#include <stdlib.h>
#include <string.h>

#include "sample.h"

struct toy {
    struct seal base;
    struct toy_log *log;
    bool opens;
    uint64_t sequence;
};

static void make_tag(uint8_t tag[SEAL_TAG_BYTES], uint64_t sequence, size_t n, bool last)
{
    memset(tag, 0x5a, SEAL_TAG_BYTES);
    memcpy(tag, &sequence, sizeof sequence);
    for (int i = 0; i < 4; i++)
        tag[8 + i] = (uint8_t)(n >> 8 * i);
    tag[12] = last;
}

static void invert(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)~from[i];
}

static int chunk(struct seal *seal, bool last, const void *in, size_t n, void *out,
                 struct hagg_err *err)
{
    struct toy *t = (struct toy *)seal;
    uint8_t tag[SEAL_TAG_BYTES], *to = out;
    bool authentic;

    t->log->last = last;
    t->log->out = out;
    if (t->log->watch)
        t->log->watch(t->log, t->log->arg);
    t->log->n_chunks++;
    make_tag(tag, t->sequence++, n, last);
    authentic = !t->opens || memcmp((const uint8_t *)in + n, tag, sizeof tag) == 0;
    if (t->sequence == t->log->fail_at && t->log->fail_with < 0)
        return err_set(err, HAGG_E_SYSTEM, "the toy is broken");
    if (!authentic || t->sequence == t->log->fail_at) {
        memset(to, 0, n);
        return 0;
    }
    invert(to, in, n);
    if (!t->opens)
        memcpy(to + n, tag, sizeof tag);
    t->log->n_bytes += n;
    return 1;
}

static void rewind_toy(struct seal *seal)
{
    struct toy *t = (struct toy *)seal;

    t->sequence = 0;
}

static void free_toy(struct seal *seal)
{
    ((struct toy *)seal)->log->n_freed++;
    free(seal);
}

struct seal *toy_seal_new(bool opens, struct toy_log *log)
{
    struct toy *t = malloc(sizeof *t);

    if (!t)
        return NULL;
    *t = (struct toy){ { chunk, rewind_toy, free_toy }, log, opens, 0 };
    return &t->base;
}

void toy_seal_all(uint8_t *to, const uint8_t *from, uint64_t n)
{
    uint64_t sequence = 0;

    do {
        size_t now = n < SEAL_CHUNK_BYTES ? (size_t)n : SEAL_CHUNK_BYTES;

        n -= now;
        invert(to, from, now);
        make_tag(to + now, sequence++, now, n == 0);
        to += now + SEAL_TAG_BYTES;
        from += now;
    } while (n > 0);
}

uint8_t *toy_seal_record(const void *header, size_t n_header, unsigned width, const uint8_t *plain,
                         size_t n, size_t *len_bytes)
{
    size_t n_sealed = (size_t)seal_length(n), n_heads = 0;
    uint8_t *sealed = malloc(n_sealed), heads[96], *record;

    n_heads += sample_head(heads + n_heads, 4, 5);
    n_heads += sample_head(heads + n_heads, 0, width);
    for (unsigned i = 0; i < 3; i++) {
        size_t len = i < 2 ? 8 : 32;

        n_heads += sample_head(heads + n_heads, 2, len);
        memset(heads + n_heads, (int)(0xf1 + i), len);
        n_heads += len;
    }
    n_heads += sample_head(heads + n_heads, 2, n_sealed);
    toy_seal_all(sealed, plain, n);
    record = sample_join(header, n_header, heads, n_heads, sealed, n_sealed, len_bytes);
    free(sealed);
    return record;
}

static int begin_sealing(struct sealer *base, const struct header *h, const uint8_t *seed,
                         struct seal_head *head, struct seal **seal, struct hagg_err *err)
{
    struct toy_sealer *s = (struct toy_sealer *)base;

    (void)h;
    s->seed = seed;
    s->had_head = head != NULL;
    if (s->refuse)
        return err_set(err, HAGG_E_PRIVACY, "%s", s->refuse);
    if (s->leave)
        return 0;
    memset(head->from_key, 0xf1, sizeof head->from_key);
    memset(head->to_key, 0xf2, sizeof head->to_key);
    memset(head->enc, 0xf3, sizeof head->enc);
    s->head = *head;
    *seal = toy_seal_new(false, &s->log);
    return *seal ? 1 : err_errno(err, "no memory for a toy");
}

static int begin_opening(struct opener *base, const struct header *h, const struct seal_head *head,
                         struct seal **seal, struct hagg_err *err)
{
    struct toy_opener *o = (struct toy_opener *)base;

    (void)h;
    o->had_head = head != NULL;
    if (o->refuse)
        return err_set(err, HAGG_E_PRIVACY, "%s", o->refuse);
    if (!head || o->leave)
        return 0;
    o->head = *head;
    *seal = toy_seal_new(true, &o->log);
    return *seal ? 0 : err_errno(err, "no memory for a toy");
}

void toy_seal_sealer(struct toy_sealer *s)
{
    *s = (struct toy_sealer){ .base = { begin_sealing } };
}

void toy_seal_opener(struct toy_opener *o)
{
    *o = (struct toy_opener){ .base = { begin_opening } };
}
