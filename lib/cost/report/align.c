#include "cost/report/align.h"

#include <ctype.h>
#include <string.h>

#define MOST_COLUMNS 64

struct column {
    size_t width;
    bool has_numbers; /* then the column is right-aligned, including its heading */
};

static size_t cell_length(const char *cell)
{
    return strcspn(cell, "\t\n");
}

static void measure(const char *lines, struct column columns[MOST_COLUMNS])
{
    size_t i = 0;

    for (const char *cell = lines; *cell; i++) {
        size_t n = cell_length(cell);

        if (i < MOST_COLUMNS) {
            columns[i].width = n > columns[i].width ? n : columns[i].width;
            columns[i].has_numbers =
                i > 0 && (columns[i].has_numbers || isdigit((unsigned char)*cell));
        }
        if (cell[n] != '\t')
            i = (size_t)-1;
        cell += n + (cell[n] != '\0');
    }
}

void align_columns(struct text *out, const char *lines)
{
    static const struct column beyond;
    struct column columns[MOST_COLUMNS] = { 0 };
    size_t i = 0, n_blanks = 0;

    measure(lines, columns);
    for (const char *cell = lines; *cell; i++) {
        const struct column *column = i < MOST_COLUMNS ? &columns[i] : &beyond;
        size_t n = cell_length(cell), pad = column->width > n ? column->width - n : 0;
        size_t before = column->has_numbers ? pad : 0;

        /* no trailing blanks */
        if (n > 0) {
            text_printf(out, "%*s%.*s", (int)(n_blanks + before), "", (int)n, cell);
            n_blanks = pad - before + 2;
        } else
            n_blanks += pad + 2;
        if (cell[n] != '\t') {
            text_printf(out, "\n");
            i = (size_t)-1;
            n_blanks = 0;
        }
        cell += n + (cell[n] != '\0');
    }
}
