#include "align.h"

#include <ctype.h>
#include <string.h>

#define MOST_COLUMNS 64

static size_t cell_length(const char *cell)
{
    return strcspn(cell, "\t\n");
}

/* The widest cell of each column. */
static void measure(const char *lines, size_t widths[MOST_COLUMNS])
{
    size_t column = 0;

    for (const char *cell = lines; *cell; cell++) {
        size_t n = cell_length(cell);

        if (column < MOST_COLUMNS && n > widths[column])
            widths[column] = n;
        cell += n;
        column = *cell == '\t' ? column + 1 : 0;
        if (*cell == '\0')
            break;
    }
}

void align_columns(struct text *out, const char *lines)
{
    size_t widths[MOST_COLUMNS] = { 0 }, column = 0, n_blanks = 0;

    measure(lines, widths);
    for (const char *cell = lines; *cell; cell++) {
        int n = (int)cell_length(cell);
        int pad = column < MOST_COLUMNS ? (int)widths[column] - n : 0;
        bool right = column > 0 && isdigit((unsigned char)*cell);

        /* blanks at the end of a line are never written */
        if (n > 0) {
            text_printf(out, "%*s%.*s", (int)n_blanks + (right ? pad : 0), "", n, cell);
            n_blanks = 0;
            pad = right ? 0 : pad;
        }
        n_blanks += (size_t)pad + 2;
        cell += n;
        column++;
        if (*cell != '\t') {
            text_printf(out, "\n");
            column = n_blanks = 0;
        }
        if (*cell == '\0')
            break;
    }
}
