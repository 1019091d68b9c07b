#include "base/shell.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+=./,:@%^";

void shell_quote(struct text *out, const char *text)
{
    if (text[0] && text[strspn(text, plain)] == 0) {
        text_printf(out, "%s", text);
        return;
    }
    text_printf(out, "'");
    for (const char *quote; (quote = strchr(text, '\'')); text = quote + 1)
        text_printf(out, "%.*s'\\''", (int)(quote - text), text);
    text_printf(out, "%s'", text);
}
