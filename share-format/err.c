#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Terminals interpret U+0080 to U+009F, two bytes in UTF-8, like the ASCII control characters. */
static void hide_controls(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if (*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f)
            *p++ = '?';
        else if (*p >= 0x20 && *p != 0x7f)
            continue;
        *p = '?';
    }
}

static void set(struct hagg_err *err, enum hagg_status status, const char *format, va_list ap)
    __attribute__((format(printf, 3, 0)));

static void set(struct hagg_err *err, enum hagg_status status, const char *format, va_list ap)
{
    err->status = status;
    vsnprintf(err->text, sizeof err->text, format, ap);
    hide_controls(err->text);
}

int err_set(struct hagg_err *err, enum hagg_status status, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    set(err, status, format, ap);
    va_end(ap);
    return -1;
}

int err_errno(struct hagg_err *err, const char *format, ...)
{
    int saved = errno;
    va_list ap;
    size_t len;

    va_start(ap, format);
    set(err, HAGG_E_SYSTEM, format, ap);
    va_end(ap);
    len = strlen(err->text);
    snprintf(err->text + len, sizeof err->text - len, ": %s",
             saved == EISDIR ? "is a directory: name a file in it" : strerror(saved));
    return -1;
}
