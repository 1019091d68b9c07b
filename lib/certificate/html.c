#include "certificate/html.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void html_string(struct text *text, const char *s)
{
    while (*s) {
        size_t n = utf8_length(s);

        if (n == 0 || (unsigned char)*s < ' ' || *s == 0x7f)
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
