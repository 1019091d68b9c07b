#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

void text_printf(struct text *t, const char *format, ...)
{
    va_list ap;
    int n;

    va_start(ap, format);
    n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    t->failed = t->failed || n < 0 || ARRAY_RESERVE(t->bytes, t->len + (size_t)n + 1, t->capacity);
    if (t->failed)
        return;
    va_start(ap, format);
    vsnprintf(t->bytes + t->len, t->capacity - t->len, format, ap);
    va_end(ap);
    t->len += (size_t)n;
}

void text_reset(struct text *t)
{
    t->len = 0;
    if (t->bytes)
        t->bytes[0] = 0;
}

bool text_ok(const struct text *t)
{
    return !t->failed;
}

void text_free(struct text *t)
{
    free(t->bytes);
    *t = (struct text){ 0 };
}

void text_hex(struct text *t, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_printf(t, "%02x", bytes[i]);
}
