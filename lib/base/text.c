#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

void text_printf(struct text *t, const char *format, ...)
{
    size_t room = t->capacity - t->len;
    va_list ap;
    int n;

    if (t->failed)
        return;
    va_start(ap, format);
    n = vsnprintf(room > 0 ? t->bytes + t->len : NULL, room, format, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n >= room) {
        if (ARRAY_RESERVE(t->bytes, t->len + (size_t)n + 1, t->capacity)) {
            t->failed = true;
            if (room > 0)
                t->bytes[t->len] = 0;
            return;
        }
        va_start(ap, format);
        vsnprintf(t->bytes + t->len, t->capacity - t->len, format, ap);
        va_end(ap);
    }
    t->failed = n < 0;
    t->len += n < 0 ? 0 : (size_t)n;
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
