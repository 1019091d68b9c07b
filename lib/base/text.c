#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Most texts fit into the room that is left, so they are formatted once. */
void text_printf(struct text *t, const char *format, ...)
{
    size_t room = t->capacity - t->len;
    va_list ap;
    int n;

    if (t->failed)
        return;
    va_start(ap, format);
    n = vsnprintf(t->bytes ? t->bytes + t->len : NULL, room, format, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < room) {
        t->len += (size_t)n;
        return;
    }
    if (t->bytes)
        t->bytes[t->len] = 0; /* a part of the text was written */
    t->failed = n < 0 || ARRAY_RESERVE(t->bytes, t->len + (size_t)n + 1, t->capacity);
    if (t->failed)
        return;
    va_start(ap, format);
    vsnprintf(t->bytes + t->len, t->capacity - t->len, format, ap);
    va_end(ap);
    t->len += (size_t)n;
}

void text_number(struct text *t, char before, uint64_t number)
{
    char digits[21], *at = digits + sizeof digits;
    size_t n;

    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    *--at = before;
    n = (size_t)(digits + sizeof digits - at);
    t->failed = t->failed || ARRAY_RESERVE(t->bytes, t->len + n + 1, t->capacity);
    if (t->failed)
        return;
    memcpy(t->bytes + t->len, at, n);
    t->len += n;
    t->bytes[t->len] = 0;
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

void text_choices(struct text *t, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        text_printf(t, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static int digit_value(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;

    return found ? (int)((found - digits) % 16) : -1;
}

int text_unhex(uint8_t *bytes, size_t n, const char *digits)
{
    for (size_t i = 0; i < n; i++) {
        int high = digit_value(digits[2 * i]), low = high < 0 ? -1 : digit_value(digits[2 * i + 1]);

        if (low < 0)
            return -1;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return digits[2 * n] ? -1 : 0;
}
