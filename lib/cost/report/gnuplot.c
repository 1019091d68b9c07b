#include "cost/report/gnuplot.h"

#include <string.h>

/* A line of this length, centred over the axes, fits on the canvas whatever the width of the
 * key. */
#define TITLE_COLUMNS 64

/* No blocks in braces: gnuplot does not read them from standard input. */
void gnuplot_begin(struct text *text)
{
    text_printf(text, "# hagg-cost ... --format gnuplot | gnuplot - > costs.svg\n"
                      "# hagg-cost ... --format gnuplot | gnuplot -e 'png = 1' - > costs.png\n"
                      "set terminal svg size 900, 540 dynamic enhanced background '#ffffff'\n"
                      "if (exists('png')) set terminal pngcairo size 900, 540\n");
}

/* The length of the next line of the title: up to a comma, or else up to a space, if there is
 * one. */
static size_t line_length(const char *title)
{
    size_t space = 0, n = strlen(title);

    if (n <= TITLE_COLUMNS)
        return n;
    for (n = TITLE_COLUMNS; n > 0; n--)
        if (title[n] == ' ') {
            if (title[n - 1] == ',')
                return n;
            if (space == 0)
                space = n;
        }
    return space > 0 ? space : TITLE_COLUMNS;
}

void gnuplot_title(struct text *text, const char *title)
{
    const char *before = "";

    text_printf(text, "set title \"");
    while (*title) {
        size_t n = line_length(title);

        text_printf(text, "%s%.*s", before, (int)n, title);
        before = "\\n";
        title += n;
        title += *title == ' ';
    }
    text_printf(text, "\" noenhanced\n");
}
