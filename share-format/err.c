#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set(struct hagg_err *err, enum hagg_status status, const char *format, va_list ap)
{
    err->status = status;
    vsnprintf(err->text, sizeof err->text, format, ap);
    for (char *p = err->text; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
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
    snprintf(err->text + len, sizeof err->text - len, ": %s", strerror(saved));
    return -1;
}
