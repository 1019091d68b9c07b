#include "certificate/html.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* The code point of a UTF-8 character of n bytes. */
static uint32_t code_point(const char *s, size_t n)
{
    const unsigned char *bytes = (const unsigned char *)s;
    uint32_t code = n == 1 ? bytes[0] : bytes[0] & (0x7fu >> n);

    for (size_t i = 1; i < n; i++)
        code = code << 6 | (bytes[i] & 0x3f);
    return code;
}

/* True for control characters, line separators, and characters that change the direction of the
 * text around them: with those a name could look like another one. */
static bool is_control(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } controls[] = { { 0, 0x1f },        { 0x7f, 0x9f },     { 0x61c, 0x61c },
                     { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 } };

    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        if (code >= controls[i].first && code <= controls[i].last)
            return true;
    return false;
}

void html_string(struct text *text, const char *s)
{
    while (*s) {
        size_t n = utf8_length(s);

        if (n == 0 || is_control(code_point(s, n)))
            text_printf(text, "&#xfffd;");
        else if (strchr("&<>\"'", *s))
            text_printf(text, "&#%d;", *s);
        else
            text_printf(text, "%.*s", (int)n, s);
        s += n > 0 ? n : 1;
    }
}

void html_count(struct text *text, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);

    if (n == UINT64_MAX) {
        text_printf(text, "more than 10<sup>19</sup>");
        return;
    }
    for (int i = 0; i < len; i++)
        text_printf(text, "%s%c", i > 0 && (len - i) % 3 == 0 ? "," : "", digits[i]);
}

void html_counted(struct text *text, uint64_t n, const char *one)
{
    html_count(text, n);
    text_printf(text, " %s%s", one, n == 1 ? "" : "s");
}
