#include "base/marks.h"

#include <string.h>

static const struct marks_value *find(const char *text, const struct marks_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(text, values[i].mark, strlen(values[i].mark)) == 0)
            return &values[i];
    return NULL;
}

void marks_replace(struct text *out, const char *text, const struct marks_value *values, size_t n)
{
    while (*text) {
        const struct marks_value *found = find(text, values, n);
        size_t plain = 1 + strcspn(text + 1, "{");

        if (found)
            text_printf(out, "%s", found->value);
        else
            text_printf(out, "%.*s", (int)plain, text);
        text += found ? strlen(found->mark) : plain;
    }
}
