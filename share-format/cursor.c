#include "cursor.h"

#include <cbor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cursor_more(struct cursor *c)
{
    c->state = CURSOR_MORE;
    return false;
}

bool cursor_bad(struct cursor *c, const char *what)
{
    c->state = CURSOR_BAD;
    err_set(c->err, HAGG_E_MALFORMED, "field '%s' of the header %s", c->field, what);
    return false;
}

bool cursor_no_memory(struct cursor *c)
{
    c->state = CURSOR_BAD;
    err_errno(c->err, "cannot read field '%s' of the header", c->field);
    return false;
}

static bool take_head(struct cursor *c, struct head *h)
{
    int got = head_read(h, c->bytes + c->at, c->n - c->at);

    if (got == 0)
        return cursor_more(c);
    if (got < 0)
        return cursor_bad(c, "has an indefinite length or a reserved head");
    c->at += h->len_bytes;
    return true;
}

bool cursor_take(struct cursor *c, enum head_major major, uint64_t max, uint64_t *value)
{
    static const char *const expected[] = {
        [HEAD_UINT] = "must be a non-negative integer",
        [HEAD_BYTES] = "must be a byte string",
        [HEAD_TEXT] = "must be text",
        [HEAD_ARRAY] = "must be an array",
        [HEAD_MAP] = "must be a map",
        [HEAD_NEGATIVE] = "must not be negative",
        [HEAD_TAG] = "must be a tag",
        [HEAD_SIMPLE] = "must be a simple value",
    };
    struct head h;

    if (!take_head(c, &h))
        return false;
    if (h.major != major)
        return cursor_bad(c, expected[major]);
    if (h.value > max)
        return cursor_bad(c, major == HEAD_UINT ? "is too large" : "is too long");
    *value = h.value;
    return true;
}

bool cursor_u32(struct cursor *c, uint32_t *value)
{
    uint64_t wide;

    if (!cursor_take(c, HEAD_UINT, UINT32_MAX, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

bool cursor_text(struct cursor *c, char *text, size_t max)
{
    uint64_t len;

    if (!cursor_take(c, HEAD_TEXT, max, &len))
        return false;
    if (len > c->n - c->at)
        return cursor_more(c);
    for (size_t i = 0; i < len; i++)
        if (c->bytes[c->at + i] < 0x20 || c->bytes[c->at + i] > 0x7e)
            return cursor_bad(c, "has text that is not printable ASCII");
    memcpy(text, c->bytes + c->at, len);
    text[len] = 0;
    c->at += len;
    return true;
}

bool cursor_choice(struct cursor *c, const char *(*name)(unsigned), unsigned *choice)
{
    char text[LIMIT_NAME + 1];

    if (!cursor_text(c, text, LIMIT_NAME))
        return false;
    for (unsigned i = 0; name(i); i++)
        if (strcmp(name(i), text) == 0) {
            *choice = i;
            return true;
        }
    return cursor_bad(c, "has an unknown value");
}

bool cursor_count(struct cursor *c, uint64_t max, size_t *count)
{
    uint64_t n;

    if (!cursor_take(c, HEAD_ARRAY, max, &n))
        return false;
    if (n > c->n - c->at)
        return cursor_more(c);
    *count = (size_t)n;
    return true;
}

bool cursor_numbers(struct cursor *c, size_t count, uint32_t **numbers)
{
    *numbers = malloc((count + 1) * sizeof **numbers);
    if (!*numbers)
        return cursor_no_memory(c);
    for (size_t i = 0; i < count; i++)
        if (!cursor_u32(c, &(*numbers)[i]))
            return false;
    return true;
}

bool cursor_bytes(struct cursor *c, uint8_t *bytes, size_t n, bool *has)
{
    char what[32];
    uint64_t len;

    if (!cursor_take(c, HEAD_BYTES, UINT64_MAX, &len))
        return false;
    if (len != n) {
        snprintf(what, sizeof what, "must have %zu bytes", n);
        return cursor_bad(c, what);
    }
    if (len > c->n - c->at)
        return cursor_more(c);
    memcpy(bytes, c->bytes + c->at, n);
    c->at += n;
    *has = true;
    return true;
}

static void keep_float(void *value, float f)
{
    *(double *)value = (double)f;
}

static void keep_double(void *value, double d)
{
    *(double *)value = d;
}

/* libcbor decodes all three widths. */
bool cursor_float(struct cursor *c, double *value)
{
    struct cbor_callbacks callbacks = cbor_empty_callbacks;
    const uint8_t *start = c->bytes + c->at;
    struct head h;

    if (!take_head(c, &h))
        return false;
    if (h.major != HEAD_SIMPLE || h.len_bytes < 3)
        return cursor_bad(c, "must be a floating-point number");
    callbacks.float2 = keep_float;
    callbacks.float4 = keep_float;
    callbacks.float8 = keep_double;
    cbor_stream_decode(start, h.len_bytes, &callbacks, value);
    return true;
}

bool cursor_bad_key(struct cursor *c)
{
    return cursor_bad(c, "has a key that is missing, unknown or out of order");
}

bool cursor_key(struct cursor *c, const char *key)
{
    char text[LIMIT_NAME + 1];

    if (!cursor_text(c, text, LIMIT_NAME))
        return false;
    return strcmp(text, key) == 0 || cursor_bad_key(c);
}
