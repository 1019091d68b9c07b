#include "base/json.h"

#include <math.h>

#include "base/text.h"
#include "base/utf8.h"

static void put_string(struct text *t, const char *value)
{
    const unsigned char *s = (const unsigned char *)value;

    text_printf(t, "\"");
    while (*s) {
        size_t n = utf8_length((const char *)s);

        if (n == 0)
            text_printf(t, "\\ufffd");
        else if (*s < 0x20 || *s == 0x7f)
            text_printf(t, "\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            text_printf(t, "\\%c", *s);
        else
            text_printf(t, "%.*s", (int)n, (const char *)s);
        s += n > 0 ? n : 1;
    }
    text_printf(t, "\"");
}

static void put_name(struct json *j, const char *name)
{
    if (j->comma)
        text_printf(j->text, ",");
    if (name) {
        put_string(j->text, name);
        text_printf(j->text, ":");
    }
    j->comma = true;
}

void json_open(struct json *j, const char *name, char bracket)
{
    put_name(j, name);
    text_printf(j->text, "%c", bracket);
    j->comma = false;
}

void json_close(struct json *j, char bracket)
{
    text_printf(j->text, "%c", bracket);
    j->comma = true;
}

void json_uint(struct json *j, const char *name, uint64_t value)
{
    put_name(j, name);
    text_printf(j->text, "%llu", (unsigned long long)value);
}

void json_int(struct json *j, const char *name, int64_t value)
{
    put_name(j, name);
    text_printf(j->text, "%lld", (long long)value);
}

void json_number(struct json *j, const char *name, const char *digits)
{
    put_name(j, name);
    text_printf(j->text, "%s", digits);
}

void json_double(struct json *j, const char *name, double value)
{
    put_name(j, name);
    if (isfinite(value))
        text_printf(j->text, "%.17g", value);
    else
        text_printf(j->text, "null");
}

void json_bool(struct json *j, const char *name, bool value)
{
    put_name(j, name);
    text_printf(j->text, "%s", value ? "true" : "false");
}

void json_null(struct json *j, const char *name)
{
    put_name(j, name);
    text_printf(j->text, "null");
}

void json_hex(struct json *j, const char *name, const uint8_t *bytes, size_t n)
{
    put_name(j, name);
    text_printf(j->text, "\"");
    text_hex(j->text, bytes, n);
    text_printf(j->text, "\"");
}

void json_string(struct json *j, const char *name, const char *value)
{
    put_name(j, name);
    put_string(j->text, value);
}
